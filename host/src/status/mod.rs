//! What a run looks like from outside, at one moment.
//!
//! The driver fills in a [`Status`] when somebody asks, between two events, so that all of it is of
//! one moment and nothing is spent while nobody looks. The admin server serves it as JSON and as a
//! page, and metrics are published from it: there is one source of every number.
//!
//! Instants are RFC 3339 in UTC, times are seconds as numbers, sizes are bytes. A member that is
//! not known is null. Row values are nowhere in it.

mod degraded;
mod guests;
mod subject;
mod token;

pub(crate) use degraded::{HEADROOM_SHARE, degraded};
pub(crate) use guests::WatchedGuest;
pub(crate) use subject::Subject;
pub(crate) use token::short;

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::Timestamp;
use serde::Serialize;

/// The format of the JSON.
pub const VERSION: u32 = 1;

/// Unfinished partitions that are listed at the most: those that are furthest behind. The counts
/// are of all.
pub const PARTITIONS_LISTED_MAX: usize = 5000;

/// A run at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The format: [`VERSION`].
    pub version: u32,
    /// The connector's name.
    pub name: String,
    /// The connector's type.
    pub connector: String,
    /// The version of this program.
    pub acequia: &'static str,
    /// What is read.
    pub source: BTreeMap<String, String>,
    /// When the process began.
    pub started_at: Timestamp,
    /// The moment.
    pub now: Timestamp,
    /// Time since the process began.
    pub uptime_seconds: f64,
    /// What the run does.
    pub phase: Phase,
    /// Whether it reads.
    pub ready: bool,
    /// What is not as it should be, one sentence each. A degraded run is not a dead one.
    pub degraded: Vec<String>,
    /// Everything up to and including this instant is durable.
    pub watermark: Option<Timestamp>,
    /// How far that is behind the moment.
    pub watermark_lag_seconds: Option<f64>,
    /// How far the partition that is furthest behind is from the end of the retention.
    pub headroom_seconds: Option<f64>,
    /// Time since a record was read.
    pub last_record_age_seconds: Option<f64>,
    /// Counts since the process began.
    pub totals: Totals,
    /// What is between the readers and the durable sink.
    pub in_flight: InFlight,
    /// The last checkpoint of this process; none before its first.
    pub checkpoint: Option<SavedCheckpoint>,
    /// The components.
    pub guests: Vec<Guest>,
    /// The sink.
    pub sink: SinkStatus,
    /// The unfinished partitions.
    pub partitions: Partitions,
    /// The finished ones.
    pub history: History,
}

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It loads components and opens source, store and sink.
    Starting,
    /// It reads.
    Reading,
    /// It was told to stop, and writes and saves what it has.
    Draining,
}

impl Phase {
    /// A word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Reading => "reading",
            Self::Draining => "draining",
        }
    }
}

/// Counts since the process began.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Records read, repeats not counted.
    pub records: u64,
    /// Their bytes, as they wait for the sink.
    pub bytes: u64,
    /// Outputs that are durable.
    pub outputs: u64,
    /// Records of tables that do not pass the names filter.
    pub dropped_by_table: u64,
    /// Records that the names filter left without a change.
    pub dropped_without_change: u64,
    /// Records of an origin that the configuration leaves out: a cluster, or garbage collection.
    pub dropped_by_origin: u64,
    /// Values of columns that do not pass the names filter.
    pub dropped_values: u64,
    /// Records that the record filter removed.
    pub filtered: u64,
    /// Records that failed and were left out by policy.
    pub skipped: u64,
    /// Records that failed and were kept as dead letters.
    pub dead_letters: u64,
    /// Records that came again at a boundary and were dropped.
    pub repeats: u64,
    /// Partitions found.
    pub found: u64,
    /// Partitions finished.
    pub finished: u64,
    /// Partitions that ended in several.
    pub splits: u64,
    /// Partitions that follow several.
    pub merges: u64,
    /// Partitions that ended in one of their own.
    pub moves: u64,
    /// Streams opened.
    pub openings: u64,
    /// Streams opened again.
    pub reopenings: u64,
    /// Clean ends that were not the end of a partition.
    pub early_ends: u64,
    /// Failures after which a stream is opened again.
    pub retries: u64,
    /// Streams closed because they said nothing.
    pub stalls: u64,
    /// Turns that ended because others waited.
    pub turns: u64,
    /// Tokens of a merge that did not come about, each read for itself.
    pub reconciled: u64,
    /// Row ranges that a closed one left to nobody, read again without a token.
    pub tokenless_restarts: u64,
    /// Expired positions after which reading began again.
    pub restarts: u64,
    /// Checkpoints saved.
    pub saves: u64,
}

/// What is between the readers and the durable sink.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct InFlight {
    /// Records that are not durable.
    pub records: u64,
    /// The limit.
    pub records_max: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The limit.
    pub bytes_max: u64,
    /// Whether readers are held because of a limit.
    pub held: bool,
    /// What it all waits for; none while nothing is in flight.
    pub waits_for: Option<Stage>,
}

/// A part of the way from the reader to the durable sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The components.
    Guest,
    /// The sink.
    Sink,
}

/// A checkpoint that was saved.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SavedCheckpoint {
    /// Its number.
    pub generation: u64,
    /// Time since it was saved.
    pub age_seconds: f64,
    /// Its size.
    pub bytes: u64,
}

/// A component and its cost.
#[derive(Clone, Debug, Serialize)]
pub struct Guest {
    /// Its place: `names-filter`, `record-filter` or `deserializer`.
    pub role: &'static str,
    /// Its own name.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// Whether it imports the log at most.
    pub pure: bool,
    /// Calls.
    pub calls: u64,
    /// Records that went in.
    pub records: u64,
    /// Records that it failed on.
    pub failures: u64,
    /// Calls that were stopped: by a trap, a time limit or a memory limit.
    pub traps: u64,
    /// Time in calls.
    pub seconds: f64,
    /// The largest memory of one instance.
    pub memory_bytes: u64,
}

/// The sink.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SinkStatus {
    /// Its kind.
    pub kind: &'static str,
    /// Groups of batches that became durable together.
    pub batches: u64,
    /// Time in writing.
    pub write_seconds: f64,
    /// Time in making durable.
    pub sync_seconds: f64,
    /// How long it has been at what it does now.
    pub busy_seconds: Option<f64>,
}

/// The unfinished partitions.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Partitions {
    /// Those that are read.
    pub open: u64,
    /// Those that wait for a place.
    pub queued: u64,
    /// Those that wait for others.
    pub waiting: u64,
    /// All.
    pub unfinished: u64,
    /// Entries of `list`.
    pub listed: usize,
    /// Bytes that are probably left to be read, over all partitions that were read here; none where
    /// the source does not estimate it.
    pub backlog_bytes: Option<u64>,
    /// Those that are furthest behind, at most [`PARTITIONS_LISTED_MAX`].
    pub list: Vec<Partition>,
}

/// An unfinished partition.
#[derive(Clone, Debug, Serialize)]
pub struct Partition {
    /// Its token; empty for the root query.
    pub token: String,
    /// Whom it follows.
    pub parents: Vec<String>,
    /// What it does.
    pub state: &'static str,
    /// Where its first query started.
    pub start: Timestamp,
    /// Everything before this instant is durable.
    pub position: Timestamp,
    /// Everything up to and including this instant is durable.
    pub watermark: Timestamp,
    /// How far that is behind the moment.
    pub lag_seconds: f64,
    /// Bytes that are probably left to be read; none where nothing was read of it here.
    pub backlog_bytes: Option<u64>,
    /// How long until its position is older than the retention, if it stays where it is.
    pub headroom_seconds: f64,
    /// Items that were read and are not acknowledged.
    pub unacknowledged: usize,
    /// The instant of the first of them.
    pub oldest_unacknowledged: Option<Timestamp>,
    /// Openings in a row that got nowhere.
    pub failures: u32,
    /// What its next step waits for.
    pub waits: Waits,
}

/// What the next step of a partition waits for.
#[derive(Clone, Debug, Serialize)]
pub struct Waits {
    /// `partition`, `tokens`, `place`, `timer`, `server`, `guest`, `sink` or `save`.
    #[serde(rename = "for")]
    pub what: &'static str,
    /// How long already; for a timer, how long still.
    pub seconds: Option<f64>,
    /// A sentence.
    pub detail: String,
}

/// The finished partitions that are remembered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct History {
    /// Those that are not.
    pub forgotten: u64,
    /// The oldest first.
    pub list: Vec<Past>,
}

/// A finished partition.
#[derive(Clone, Debug, Serialize)]
pub struct Past {
    /// Its token; empty for the root query.
    pub token: String,
    /// Whom it followed.
    pub parents: Vec<String>,
    /// Where its first query started.
    pub start: Timestamp,
    /// Where it ended: where its children start, or its last item.
    pub end: Timestamp,
}

/// Seconds from one instant to another; negative where the second is earlier.
pub(crate) fn seconds_between(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64()
}

/// Seconds of time since something, on the clock of the run.
pub(crate) fn seconds_since(since: Duration, now: Duration) -> f64 {
    now.saturating_sub(since).as_secs_f64()
}
