//! What a sandbox is told to be.

use std::time::Duration;

use tonic::Code;

use super::{
    fault::Fault,
    history::{History, families},
};
use crate::clock::Clock;

/// The app profile of [`Script::new`] that routes to one cluster.
pub const READER: &str = "reader";

/// How long a stream keeps its records by default: the longest that the service allows.
///
/// Source: `google/bigtable/admin/v2/table.proto`, `ChangeStreamConfig.retention_period`.
pub const RETENTION_DEFAULT: Duration = Duration::from_secs(7 * 24 * 3600);

/// The whole of a sandbox: the table, its stream, what the stream holds, and what goes wrong.
#[derive(Clone, Debug)]
pub struct Script {
    /// What the stream holds.
    pub history: History,
    /// The stream's retention. `None`: the table has no change stream. Default:
    /// [`RETENTION_DEFAULT`].
    pub retention: Option<Duration>,
    /// The table's column families. Nothing is checked against them. Default: the shop's, which are
    /// `order`, `state`, `notes` and `sums`.
    pub families: Vec<String>,
    /// The instance's app profiles. Default: [`READER`], which routes to one cluster, and `default`,
    /// which does not.
    pub app_profiles: Vec<AppProfile>,
    /// What goes wrong. Each call meets the first fault that is left for it.
    pub faults: Vec<Fault>,
    /// Where "now" comes from. Default: the machine's clock.
    pub clock: Clock,
    /// How mutations are laid out on the wire.
    pub wire: Wire,
    /// What a stream says when its range is no partition any more.
    pub closes: Closes,
    /// How far estimated low watermarks lag behind now, as with replication. Default: not at all.
    pub replication_delay: Duration,
    /// Which calls are given routing cookies. Default: none.
    pub cookies: Cookies,
    /// A reader that takes no message for so long is told ABORTED. Default: never.
    pub slow_reader_after: Option<Duration>,
    /// The code of the refusal of an expired position; none is documented. Default: OUT_OF_RANGE.
    pub expired: Code,
}

impl Script {
    /// A table whose stream holds `history`, with every other field at its default.
    #[must_use]
    pub fn new(history: History) -> Self {
        Self {
            history,
            retention: Some(RETENTION_DEFAULT),
            families: families().map(str::to_owned).collect(),
            app_profiles: vec![
                AppProfile::new(READER, Routing::SingleCluster),
                AppProfile::new("default", Routing::MultiCluster),
            ],
            faults: Vec::new(),
            clock: Clock::System,
            wire: Wire::default(),
            closes: Closes::default(),
            replication_delay: Duration::ZERO,
            cookies: Cookies::default(),
            slow_reader_after: None,
            expired: Code::OutOfRange,
        }
    }
}

/// An app profile of the instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppProfile {
    /// Its id.
    pub id: String,
    /// Where its calls go.
    pub routing: Routing,
}

impl AppProfile {
    /// An app profile.
    #[must_use]
    pub fn new(id: &str, routing: Routing) -> Self {
        let id = id.to_owned();
        Self { id, routing }
    }
}

/// Where the calls of an app profile go. Change streams are read from a single cluster only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// To one cluster.
    SingleCluster,
    /// To whichever is near.
    MultiCluster,
}

/// What a stream says when its range is no partition any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closes {
    /// Whether the partitions are named for which the tokens are. Default: yes. Without them each
    /// token is for its own range.
    pub new_partitions: bool,
    /// Which range a token says that it is of. Default: what the stream's range and the new
    /// partition have in common.
    pub token_ranges: TokenRanges,
}

impl Default for Closes {
    fn default() -> Self {
        Self {
            new_partitions: true,
            token_ranges: TokenRanges::Common,
        }
    }
}

/// Which range a token of a closed stream says that it is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenRanges {
    /// What the stream's range and the new partition have in common, of which the token tells.
    #[default]
    Common,
    /// The new partition, which may be more than the token tells of.
    ///
    /// Source: a known fault of the service, apache/beam `ChangeStreamContinuationTokenHelper`.
    NewPartition,
}

/// Which calls are given routing cookies: metadata that the next attempt has to bring back.
///
/// Source: java-bigtable, `CookiesHolder`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cookies {
    /// None.
    #[default]
    Never,
    /// Every call that is answered, in its initial metadata.
    Initial,
    /// Every call that fails, in its trailing metadata.
    Trailing,
}

/// How mutations are laid out in messages. The default is the plain layout: one mutation in one
/// message, nothing chunked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    /// Values of cells longer than this many bytes are chunked; zero counts as one. Default: never.
    pub chunk_bytes: Option<usize>,
    /// The most chunks in one message; zero counts as one. Default: any number.
    pub chunks_per_message: Option<usize>,
    /// The end of a mutation comes in a message of its own, without a chunk. Default: no.
    pub end_apart: bool,
    /// The layout of each mutation is any that is legal, drawn from this seed and from what the
    /// mutation is; the other fields then do not count. Default: no.
    pub drawn_from: Option<u64>,
}
