//! A batch of row mutations in columns: `mutations` of `wit/bigtable.wit`, field by field.

mod build;
mod equality;
mod families;
mod read;
mod room;

use crate::{Blobs, Texts, Times};

use families::Dictionary;

pub use build::Mutation;

/// Row mutations of one partition, in order. One entry per mutation in each column up to
/// `entry_ends`, then the families, then one entry per entry of a mutation.
///
/// Source: `mutations` in `wit/bigtable.wit`, which documents each column.
#[derive(Clone, Default)]
pub struct MutationBatch {
    /// The id of the table that all mutations are of.
    pub table: String,
    /// Per mutation: `commit timestamp/tie breaker/source cluster/row key`, the row key in Base64.
    pub ids: Texts,
    /// Per mutation: the row key.
    pub row_keys: Blobs,
    /// Per mutation: 1 if garbage collection wrote it, 0 if a user did.
    pub is_garbage_collection: Vec<u8>,
    /// Per mutation: the cluster at which it was written; empty for garbage collection.
    pub source_cluster_ids: Texts,
    /// Per mutation: the commit timestamp, RFC 3339 with a `Z` and six fraction digits.
    pub commit_timestamps: Texts,
    /// Per mutation: the same as a number.
    pub commit_times: Times,
    /// Per mutation: the larger one wins between two of one row with one commit timestamp.
    pub tie_breakers: Vec<i32>,
    /// Per mutation: the estimated low watermark, RFC 3339 with a `Z` and six fraction digits.
    pub low_watermarks: Texts,
    /// Per mutation: where its entries end in the columns below.
    pub entry_ends: Vec<u32>,
    /// The families that the entries speak of, each once.
    pub families: Texts,
    /// Per entry: what it did, a number of [`EntryKind`](super::EntryKind).
    pub entry_kinds: Vec<u8>,
    /// Per entry: its family, an index into `families`.
    pub entry_families: Vec<u32>,
    /// Per entry: the column qualifier; empty where a family was deleted.
    pub qualifiers: Blobs,
    /// Per entry: the timestamp of the cell in microseconds; 0 for deletions.
    pub timestamps_micros: Vec<i64>,
    /// Per entry: the value that was set, or the bytes that were added or merged.
    pub values: Blobs,
    /// Per entry: 1 where what was added or merged is a number; 0 for the others.
    pub has_addend: Vec<u8>,
    /// Per entry: what was added or merged where that is a number; 0 for the others.
    pub addends: Vec<i64>,
    /// Per entry: where the deleted timestamps begin, inclusive; 0 for no bound.
    pub range_starts_micros: Vec<i64>,
    /// Per entry: where the deleted timestamps end, exclusive; 0 for no bound.
    pub range_ends_micros: Vec<i64>,
    /// Finds a family in `families` again.
    dictionary: Dictionary,
}

impl MutationBatch {
    /// No mutation, for those of a table.
    #[must_use]
    pub fn of_table(table: impl Into<String>) -> Self {
        Self {
            table: table.into(),
            ..Self::default()
        }
    }

    /// How many mutations there are.
    #[must_use]
    pub fn mutations(&self) -> usize {
        self.entry_ends.len()
    }

    /// Whether there is no mutation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entry_ends.is_empty()
    }

    /// Bytes that the columns take. Allocated and unused memory is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let per_mutation = size_of::<u8>() + Times::ENTRY_BYTES + size_of::<i32>();
        let texts = [
            &self.ids,
            &self.source_cluster_ids,
            &self.commit_timestamps,
            &self.low_watermarks,
        ];
        self.mutations() * (per_mutation + size_of::<u32>())
            + texts.iter().map(|texts| texts.size()).sum::<usize>()
            + self.row_keys.size()
            + self.families.size()
            + self.entry_bytes()
    }

    /// Hands the batch over and leaves an empty one, with room for as much again: batches of one
    /// stream are alike, and growing step by step copies all of it several times.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let next = room::like(self);
        std::mem::replace(self, next)
    }

    /// Removes all mutations and keeps the table and the memory.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.row_keys.clear();
        self.is_garbage_collection.clear();
        self.source_cluster_ids.clear();
        self.commit_timestamps.clear();
        self.commit_times.clear();
        self.tie_breakers.clear();
        self.low_watermarks.clear();
        self.entry_ends.clear();
        self.truncate_entries(0);
        self.families.clear();
        self.dictionary.truncate(0);
    }

    /// How many entries the finished mutations have.
    pub(crate) fn entries(&self) -> usize {
        self.entry_ends.last().map_or(0, |&end| end as usize)
    }

    /// Bytes of the columns that have an entry per entry.
    fn entry_bytes(&self) -> usize {
        let per_entry = 2 * size_of::<u8>() + size_of::<u32>() + 4 * size_of::<i64>();
        self.entry_kinds.len() * per_entry + self.qualifiers.size() + self.values.size()
    }

    /// Drops the entries past `len`: those of a mutation that was not finished.
    fn truncate_entries(&mut self, len: usize) {
        self.entry_kinds.truncate(len);
        self.entry_families.truncate(len);
        self.qualifiers.truncate(len);
        self.timestamps_micros.truncate(len);
        self.values.truncate(len);
        self.has_addend.truncate(len);
        self.addends.truncate(len);
        self.range_starts_micros.truncate(len);
        self.range_ends_micros.truncate(len);
    }
}

impl std::fmt::Debug for MutationBatch {
    /// Sizes only: the columns hold row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MutationBatch")
            .field("mutations", &self.mutations())
            .field("entries", &self.entries())
            .field("families", &self.families.len())
            .field("bytes", &self.bytes())
            .finish()
    }
}
