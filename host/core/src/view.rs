//! What can be seen of the scheduler from outside.

use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::Until;
use crate::id::PartitionId;
use crate::range::KeyRange;

/// One unfinished partition.
#[derive(Clone, Debug)]
pub struct PartitionView<'a> {
    /// Its token, or its row keys and a number.
    pub id: &'a PartitionId,
    /// Its row keys; none where a token names the partition.
    pub range: Option<&'a KeyRange>,
    /// Whom it follows.
    pub parents: Vec<&'a PartitionId>,
    /// What it does.
    pub state: PartitionState,
    /// Where its first query started.
    pub start: Timestamp,
    /// Everything before this instant is acknowledged.
    pub position: Timestamp,
    /// Everything up to and including this instant is acknowledged.
    pub watermark: Timestamp,
    /// Items that were read and are not acknowledged.
    pub unacknowledged: usize,
    /// The instant of the first of them.
    pub oldest_unacknowledged: Option<Timestamp>,
    /// Openings in a row that did not get past where they began.
    pub failures: u32,
    /// What its next step waits for. A stream at work waits for short times, too.
    pub wait: Wait<'a>,
}

/// What the next step of a partition waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait<'a> {
    /// Others must be acknowledged to their end, or up to an instant.
    Partitions(Vec<(&'a PartitionId, Until)>),
    /// The tokens of these keys, from whoever reads them now.
    Tokens(Vec<KeyRange>),
    /// As many partitions are read as may be.
    Place,
    /// The first checkpoint must be saved before anything is read.
    Save,
    /// It failed, and is opened again at this time since the start of the process.
    Timer {
        /// When.
        until: Duration,
    },
    /// The server says nothing.
    Server {
        /// Since when, as time since the start of the process.
        since: Duration,
    },
    /// What was read must become durable: its own, or that of others where too much is in flight.
    Delivery {
        /// Since when the first of its own has waited, as time since the start of the process; none
        /// where it waits for that of others.
        since: Option<Duration>,
    },
}

/// What a partition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionState {
    /// Waits for other partitions, or for their tokens.
    Waiting,
    /// Waits for a place among the open ones.
    Queued,
    /// Waits after a failure.
    BackingOff,
    /// Is read.
    Open,
    /// Is read, but held because too much is in flight.
    Held,
    /// Is closed; what it delivered is not all acknowledged.
    Draining,
}

impl PartitionState {
    /// A word for logs and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Queued => "queued",
            Self::BackingOff => "backing-off",
            Self::Open => "open",
            Self::Held => "held",
            Self::Draining => "draining",
        }
    }
}

/// Counts since the scheduler was made, and what is in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Streams opened.
    pub openings: u64,
    /// Openings of a partition that had been opened before.
    pub reopenings: u64,
    /// Turns that ended because others waited.
    pub turns: u64,
    /// Clean ends that were not the end of the partition.
    pub early_ends: u64,
    /// Failures after which the partition is opened again.
    pub retries: u64,
    /// Streams closed because they said nothing.
    pub stalls: u64,
    /// Partitions found with one parent that has several children, counted per parent.
    pub splits: u64,
    /// Partitions found that have several parents.
    pub merges: u64,
    /// Partitions found that are the only child of their only parent.
    pub moves: u64,
    /// Partitions found.
    pub found: u64,
    /// Partitions finished.
    pub finished: u64,
    /// Tokens that are read for themselves, since their range did not come together.
    pub reconciled: u64,
    /// Keys that a closed range left to nobody, read again without a token.
    pub tokenless_restarts: u64,
    /// Expired positions after which reading began again.
    pub restarts: u64,
    /// Saves that were stored.
    pub saves: u64,
    /// Records delivered.
    pub records: u64,
    /// Records that are not durable yet, or follow one that is not.
    pub records_in_flight: u64,
    /// Their bytes.
    pub bytes_in_flight: u64,
    /// Partitions that are read.
    pub open: u64,
    /// Partitions that wait for a place among them.
    pub queued: u64,
    /// Partitions that are not finished.
    pub unfinished: u64,
    /// Finished partitions that others still refer to.
    pub tombstones: u64,
}
