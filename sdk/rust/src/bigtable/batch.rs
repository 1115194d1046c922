//! A batch of row mutations, its columns checked once.

use super::mutation::Mutation;
use crate::bindings::bigtable_deserialize::acequia::connector::bigtable::Mutations;
use crate::columns::{BadBatch, BlobColumn, TextColumn, check_ends, check_length};

/// A batch of row mutations, to be read mutation by mutation.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub(super) mutations: &'a Mutations,
    pub(super) ids: TextColumn<'a>,
    pub(super) row_keys: BlobColumn<'a>,
    pub(super) source_cluster_ids: TextColumn<'a>,
    pub(super) commit_timestamps: TextColumn<'a>,
    pub(super) low_watermarks: TextColumn<'a>,
    pub(super) families: TextColumn<'a>,
    pub(super) qualifiers: BlobColumn<'a>,
    pub(super) values: BlobColumn<'a>,
}

impl<'a> Batch<'a> {
    /// Checks that the columns fit together.
    ///
    /// # Errors
    ///
    /// Names the first column that does not fit.
    pub fn open(mutations: &'a Mutations) -> Result<Self, BadBatch> {
        let records = mutations.ids.ends.len();
        let entries = mutations.entry_kinds.len();
        check_numbers(mutations, records, entries)?;
        check_ends(&mutations.entry_ends, entries, "entry-ends", records)?;
        check_entries(mutations)?;
        let texts = |texts, name| TextColumn::open(texts, name, records);
        let families = &mutations.families;
        Ok(Self {
            mutations,
            ids: texts(&mutations.ids, "ids")?,
            row_keys: BlobColumn::open(&mutations.row_keys, "row-keys", records)?,
            source_cluster_ids: texts(&mutations.source_cluster_ids, "source-cluster-ids")?,
            commit_timestamps: texts(&mutations.commit_timestamps, "commit-timestamps")?,
            low_watermarks: texts(&mutations.low_watermarks, "low-watermarks")?,
            families: TextColumn::open(families, "families", families.ends.len())?,
            qualifiers: BlobColumn::open(&mutations.qualifiers, "qualifiers", entries)?,
            values: BlobColumn::open(&mutations.values, "values", entries)?,
        })
    }

    /// How many mutations the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mutations.ids.ends.len()
    }

    /// Whether the batch has no mutation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of the table that all mutations are of.
    #[must_use]
    pub fn table(&self) -> &'a str {
        &self.mutations.table
    }

    /// The mutations, in the order of the stream.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Mutation<'_>> {
        (0..self.len()).map(|index| Mutation::new(self, index))
    }
}

fn check_numbers(mutations: &Mutations, records: usize, entries: usize) -> Result<(), BadBatch> {
    let times = &mutations.commit_times;
    let garbage = &mutations.is_garbage_collection;
    let starts = &mutations.range_starts_micros;
    let ends = &mutations.range_ends_micros;
    [
        ("is-garbage-collection", garbage.len(), records),
        ("commit-times.seconds", times.seconds.len(), records),
        ("commit-times.nanos", times.nanos.len(), records),
        ("tie-breakers", mutations.tie_breakers.len(), records),
        ("entry-families", mutations.entry_families.len(), entries),
        (
            "timestamps-micros",
            mutations.timestamps_micros.len(),
            entries,
        ),
        ("has-addend", mutations.has_addend.len(), entries),
        ("addends", mutations.addends.len(), entries),
        ("range-starts-micros", starts.len(), entries),
        ("range-ends-micros", ends.len(), entries),
    ]
    .into_iter()
    .try_for_each(|(name, length, count)| check_length(length, name, count))
}

/// Kinds are those of the contract, and families are in the batch.
fn check_entries(mutations: &Mutations) -> Result<(), BadBatch> {
    const KINDS: u8 = 5;
    if mutations.entry_kinds.iter().any(|&kind| kind >= KINDS) {
        return Err(BadBatch::new("entry-kinds", "holds a kind that is not one"));
    }
    let families = mutations.families.ends.len();
    let mut indexes = mutations.entry_families.iter();
    if indexes.all(|&family| (family as usize) < families) {
        Ok(())
    } else {
        Err(BadBatch::new(
            "entry-families",
            "names a family that the batch does not hold",
        ))
    }
}
