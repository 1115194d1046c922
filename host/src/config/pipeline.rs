//! How records go through the guests, and within which limits.

use std::num::NonZeroUsize;
use std::time::Duration;

/// The way of a record from the decoder to the sink. Reaching a limit slows reading down; nothing
/// is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// A batch is closed at this many records. Default: 128. A call into a guest costs some
    /// microseconds, so fewer are slow; more gain nothing.
    pub batch_records_max: NonZeroUsize,
    /// A batch is closed at this many bytes. Default: 256 KiB. One record larger than it passes
    /// alone.
    pub batch_bytes_max: NonZeroUsize,
    /// An open batch is closed after this long. Default: 5 ms. Zero closes it when the source has
    /// nothing more at hand.
    pub linger: Duration,
    /// What becomes of a record that a guest fails on. Default: [`OnFailure::Fail`].
    pub on_failure: OnFailure,
    /// A call into a guest is stopped after this long. Default: 5 s.
    pub guest_timeout: Duration,
    /// The linear memory that one guest may have. Default: 256 MiB.
    pub guest_memory_bytes_max: NonZeroUsize,
    /// The records between the source and a durable sink, over all partitions. Default: 8192.
    pub records_in_flight_max: NonZeroUsize,
    /// The bytes between the source and a durable sink, over all partitions. Default: 16 MiB. One
    /// record larger than it passes alone.
    pub bytes_in_flight_max: NonZeroUsize,
}

/// What becomes of a record that could not be decoded or turned into outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// The run stops.
    Fail,
    /// It is counted, logged without its values, and left out.
    Skip,
    /// It is written to the dead-letter file of the sink.
    DeadLetter,
}
