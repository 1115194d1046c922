//! The options of a Spanner change stream.

mod names;
pub(super) mod options;
mod read;
mod requests;

pub use names::{ChangeStreamName, ChangeStreamNameError, DatabaseName};
pub(super) use read::{database, names_filter, read};
pub use requests::{DirectedRead, ReplicaSelection, ReplicaType, RequestOptions};
pub(super) use requests::{options as request_options, read as read_requests};

use std::num::NonZeroUsize;
use std::time::Duration;

use jiff::Timestamp;

use super::{CloudMonitoring, Connection, StartPosition};

/// A Spanner change stream to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannerChangeStream {
    /// The database.
    pub database: DatabaseName,
    /// The change stream.
    pub change_stream: ChangeStreamName,
    /// Where a run without a checkpoint begins. Default: [`StartPosition::Latest`].
    pub start: StartPosition,
    /// The last instant to read, inclusive. Default: none, the run does not end.
    pub end: Option<Timestamp>,
    /// Where to begin anew when the position of a checkpoint has expired. Default: none, such a
    /// run fails.
    pub resume_fallback: Option<StartPosition>,
    /// The retention of a stream that declares none. Default: 7 days; longer than one minute.
    pub absent_retention_fallback: Duration,
    /// How often a quiet partition says that it is alive. Default: 2 s; 1 s to 5 min, whole
    /// milliseconds.
    pub heartbeat_interval: Duration,
    /// The number of partition queries that are open at one time. Default: 8.
    pub max_concurrent_queries: NonZeroUsize,
    /// Whether a record is left out when the column filter removed every value that it had.
    /// Default: false.
    pub skip_messages_without_change: bool,
    /// How Spanner is reached.
    pub connection: Connection,
    /// What every request carries.
    pub requests: RequestOptions,
    /// How long a partition is read while others wait for a place. Default: 30 s.
    pub turn: Duration,
    /// A query that is silent for this many heartbeat intervals is opened again. Default: 10.
    pub stall_after_heartbeats: u32,
    /// Where metrics of the client are written to. Default: none.
    pub cloud_monitoring: Option<CloudMonitoring>,
}

/// The priority that a query runs at.
///
/// Source: google.spanner.v1.RequestOptions.Priority
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RpcPriority {
    /// `PRIORITY_LOW`.
    Low,
    /// `PRIORITY_MEDIUM`.
    Medium,
    /// `PRIORITY_HIGH`.
    High,
}
