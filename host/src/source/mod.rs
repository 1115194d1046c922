//! Where records come from: one trait for every source.
//!
//! A [`Source`] opens readers; a [`Reader`] gives deliveries of one partition until its stream
//! ends. The driver owns both. A source keeps no state of its own about partitions: what has been
//! read, what waits and where to go on is the scheduler's.

pub mod spanner_stream;

use acequia_core::{Item, KeyRange, PartitionId, ReadFailure, Resume, Timestamp};
use async_trait::async_trait;

use crate::batch::Batch;

/// Opens readers of partitions.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// A reader of `partition` from `from` on; of the keys of `range`, where partitions are ranges.
    /// Nothing is sent before its first [`next`](Reader::next).
    fn open(
        &self,
        partition: &PartitionId,
        range: Option<KeyRange>,
        from: Resume,
    ) -> Box<dyn Reader>;

    /// Where to start anew when a position has expired and the configuration says where; none
    /// when it says nothing.
    async fn fallback(&self, now: Timestamp) -> Option<Result<Timestamp, FallbackError>>;
}

/// Why there is nowhere to start anew.
#[derive(Debug, thiserror::Error)]
#[error("resume-fallback cannot be resolved: {0}")]
pub struct FallbackError(pub String);

/// Reads one partition.
#[async_trait]
pub trait Reader: Send {
    /// The next delivery; none at the clean end of the stream. It may be cancelled only together
    /// with the whole reader.
    ///
    /// # Errors
    ///
    /// The stream broke; the reader is done.
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure>;
}

/// What a reader read: a run of records, then at most one item of another kind, as the last.
pub struct Delivery {
    /// Every item, in stream order.
    pub items: Vec<Item>,
    /// The records among them that have output, in the same order. Empty when there are none.
    pub batch: Box<Batch>,
    /// What was left out.
    pub dropped: Dropped,
}

/// What filters and repeats removed while reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Dropped {
    /// Records of tables that do not pass.
    pub by_table: u64,
    /// Records that filtering left without a change.
    pub without_change: u64,
    /// Column values that do not pass.
    pub cells: u64,
    /// Records that were acknowledged before the reader opened.
    pub covered: u64,
}

impl Dropped {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Self) {
        self.by_table += other.by_table;
        self.without_change += other.without_change;
        self.cells += other.cells;
        self.covered += other.covered;
    }
}
