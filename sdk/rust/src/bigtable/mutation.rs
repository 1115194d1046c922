//! Row views over a batch.

use super::batch::Batch;
use super::entry::{Entries, Entry};
use crate::columns::range;

/// One atomic write to one row.
///
/// Source: `DataChange` of `google.bigtable.v2.ReadChangeStreamResponse`
#[derive(Clone, Copy)]
pub struct Mutation<'a> {
    batch: &'a Batch<'a>,
    index: usize,
}

impl<'a> Mutation<'a> {
    pub(super) fn new(batch: &'a Batch<'a>, index: usize) -> Self {
        Self { batch, index }
    }

    /// The index of the mutation in its batch.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The id, `commit timestamp/tie breaker/source cluster/row key`, the row key in standard
    /// Base64 with padding. The host computes it; it is the same whenever the mutation comes again.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.batch.ids.get(self.index)
    }

    /// The id of the table.
    #[must_use]
    pub fn table(&self) -> &'a str {
        self.batch.table()
    }

    /// The row key.
    #[must_use]
    pub fn row_key(&self) -> &'a [u8] {
        self.batch.row_keys.get(self.index)
    }

    /// Whether garbage collection made it, and not a user.
    #[must_use]
    pub fn is_garbage_collection(&self) -> bool {
        let flags = &self.batch.mutations.is_garbage_collection;
        flags.get(self.index) == Some(&1)
    }

    /// The cluster at which it was written; empty for garbage collection.
    #[must_use]
    pub fn source_cluster_id(&self) -> &'a str {
        self.batch.source_cluster_ids.get(self.index)
    }

    /// The commit timestamp, RFC 3339 with a `Z` and six fraction digits.
    #[must_use]
    pub fn commit_timestamp(&self) -> &'a str {
        self.batch.commit_timestamps.get(self.index)
    }

    /// The commit timestamp as seconds since the Unix epoch and nanoseconds of that second.
    #[must_use]
    pub fn commit_time(&self) -> (i64, u32) {
        let times = &self.batch.mutations.commit_times;
        (
            times.seconds.get(self.index).copied().unwrap_or_default(),
            times.nanos.get(self.index).copied().unwrap_or_default(),
        )
    }

    /// Of mutations of one row with one commit timestamp, the one with the larger tie breaker wins.
    #[must_use]
    pub fn tie_breaker(&self) -> i32 {
        let tie_breakers = &self.batch.mutations.tie_breakers;
        tie_breakers.get(self.index).copied().unwrap_or_default()
    }

    /// Later mutations of the partition are most probably not before this instant; RFC 3339 with a
    /// `Z` and six fraction digits.
    #[must_use]
    pub fn estimated_low_watermark(&self) -> &'a str {
        self.batch.low_watermarks.get(self.index)
    }

    /// What it did, in the order in which it did it. Filters may have left nothing.
    #[must_use]
    pub fn entries(&self) -> Entries<'a> {
        let (start, end) = range(&self.batch.mutations.entry_ends, self.index);
        Entries::new(*self, start..end)
    }

    pub(super) fn entry(&self, place: usize, index: usize) -> Entry<'a> {
        Entry::at(self.batch, place, index)
    }
}
