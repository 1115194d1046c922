//! The options of a Bigtable change stream.

mod existing_state;
mod filters;
mod names;
pub(super) mod options;
mod read;
pub(super) mod refused;
mod table;

pub(super) use existing_state::existing_state;
pub(super) use filters::{names_filter, options as filter_options};
pub use names::{AppProfileId, ClusterId, StateName, TableName};
pub(super) use read::read;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;

use jiff::Timestamp;

use super::{CloudMonitoring, Connection, Endpoint, StartPosition};

/// The change stream of a Bigtable table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BigtableChangeStream {
    /// The table.
    pub table: TableName,
    /// The application profile that it is read through. It must route to a single cluster.
    pub app_profile: AppProfileId,
    /// The name of the saved state: part of what a checkpoint is bound to, and the folder of the
    /// checkpoint directory that it lies in. Default: none, the directory holds one state.
    pub change_stream_name: Option<StateName>,
    /// Where a run without a checkpoint begins. Default: [`StartPosition::Latest`].
    pub start: StartPosition,
    /// Where a partition whose saved position has expired begins anew. Default: none, the run
    /// fails.
    pub resume_fallback: Option<StartPosition>,
    /// The last instant to read, inclusive. Default: none, the run does not end.
    pub bounded_timestamp: Option<Timestamp>,
    /// The number of partition streams that are open at one time. Default: 2.
    pub max_concurrent_streams: NonZeroUsize,
    /// How often a quiet partition says that it is alive. Default: 5 s; 1 s to 5 min.
    pub heartbeat_interval: Duration,
    /// How long a stream stays open before it is ended and opened again from its last token.
    /// Longer than the heartbeat interval. Default: none, until the service or a turn ends it.
    pub read_change_stream_timeout: Option<Duration>,
    /// How long a partition is read while others wait for a place. Default: 30 s.
    pub turn: Duration,
    /// A stream that is silent for this many heartbeat intervals is opened again. Default: 10.
    pub stall_after_heartbeats: u32,
    /// Whether a mutation is left out when the filters removed every entry that it had. Default:
    /// false.
    pub skip_messages_without_change: bool,
    /// Whether deletions by garbage collection pass. Default: true.
    pub include_garbage_collection: bool,
    /// The clusters whose mutations pass; empty is all. Default: empty. Mutations by garbage
    /// collection have no cluster and are not asked for one.
    pub source_clusters: BTreeSet<ClusterId>,
    /// What is taken off the lag of the watermark when the backlog is estimated: replication holds
    /// the watermark back. Default: 30 s; zero for an instance without replication.
    pub backlog_replication_adjustment: Duration,
    /// Whether the table and the application profile are taken as they are, without asking the
    /// admin service for retention and routing. Default: false.
    pub without_validation: bool,
    /// How the data service is reached. [`Endpoint::Google`] is `bigtable.googleapis.com`.
    pub connection: Connection,
    /// Which server is asked about the table and the application profile. Default: that of the
    /// emulator, or [`Endpoint::Google`], which is `bigtableadmin.googleapis.com`.
    pub admin_endpoint: Endpoint,
    /// Where metrics of the client are written to. Default: Cloud Monitoring; none with an emulator.
    pub cloud_monitoring: Option<CloudMonitoring>,
}
