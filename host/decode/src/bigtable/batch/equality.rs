//! When two batches are equal.

use super::MutationBatch;

/// Equal in every column, that is, in all that a guest sees.
impl PartialEq for MutationBatch {
    fn eq(&self, other: &Self) -> bool {
        // Without `..`, so that a new column is not forgotten.
        let Self {
            table,
            ids,
            row_keys,
            is_garbage_collection,
            source_cluster_ids,
            commit_timestamps,
            commit_times,
            tie_breakers,
            low_watermarks,
            entry_ends,
            families,
            entry_kinds,
            entry_families,
            qualifiers,
            timestamps_micros,
            values,
            has_addend,
            addends,
            range_starts_micros,
            range_ends_micros,
            dictionary: _,
        } = self;
        *table == other.table
            && *ids == other.ids
            && *row_keys == other.row_keys
            && *is_garbage_collection == other.is_garbage_collection
            && *source_cluster_ids == other.source_cluster_ids
            && *commit_timestamps == other.commit_timestamps
            && *commit_times == other.commit_times
            && *tie_breakers == other.tie_breakers
            && *low_watermarks == other.low_watermarks
            && *entry_ends == other.entry_ends
            && *families == other.families
            && *entry_kinds == other.entry_kinds
            && *entry_families == other.entry_families
            && *qualifiers == other.qualifiers
            && *timestamps_micros == other.timestamps_micros
            && *values == other.values
            && *has_addend == other.has_addend
            && *addends == other.addends
            && *range_starts_micros == other.range_starts_micros
            && *range_ends_micros == other.range_ends_micros
    }
}
