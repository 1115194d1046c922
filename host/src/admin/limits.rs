//! What a client of the admin server may use.

use std::time::Duration;

/// Connections at one time. More wait in the kernel's queue.
pub(super) const CONNECTIONS_MAX: usize = 32;

/// From the first byte of a request's head to its last, and between two requests.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection is closed after this long, so that a client that does not read frees its place.
pub(super) const CONNECTION_AGE_MAX: Duration = Duration::from_secs(120);

/// The head of a request, in bytes. A browser's has about 1 KiB.
pub(super) const HEAD_BYTES_MAX: usize = 16 << 10;

/// Headers of a request.
pub(super) const HEADERS_MAX: usize = 64;

/// How long the loop may take to answer before it counts as stuck. It never waits for the network
/// or the disk, except for the few queries after a position has expired.
pub(super) const LOOK_TIMEOUT: Duration = Duration::from_secs(10);

/// Who asks within this time gets the same answer, so that nobody can keep the loop busy.
pub(super) const LOOK_SHARED: Duration = Duration::from_millis(250);

/// How long to wait after a connection could not be accepted, for example for want of file
/// descriptors.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
