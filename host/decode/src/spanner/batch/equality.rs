//! When two batches are equal.

use super::ChangeBatch;

/// Equal in every column, that is, in all that a guest sees.
impl PartialEq for ChangeBatch {
    fn eq(&self, other: &Self) -> bool {
        // Without `..`, so that a new column is not forgotten.
        let Self {
            tables,
            table,
            ids,
            commit_timestamps,
            commit_times,
            record_sequences,
            transaction_ids,
            mod_types,
            value_capture_types,
            transaction_tags,
            is_last,
            is_system,
            records_in_transaction,
            partitions_in_transaction,
            mod_ends,
            mod_ids,
            keys,
            new_values,
            old_values,
            schemas: _,
        } = self;
        *tables == other.tables
            && *table == other.table
            && *ids == other.ids
            && *commit_timestamps == other.commit_timestamps
            && *commit_times == other.commit_times
            && *record_sequences == other.record_sequences
            && *transaction_ids == other.transaction_ids
            && *mod_types == other.mod_types
            && *value_capture_types == other.value_capture_types
            && *transaction_tags == other.transaction_tags
            && *is_last == other.is_last
            && *is_system == other.is_system
            && *records_in_transaction == other.records_in_transaction
            && *partitions_in_transaction == other.partitions_in_transaction
            && *mod_ends == other.mod_ends
            && *mod_ids == other.mod_ids
            && *keys == other.keys
            && *new_values == other.new_values
            && *old_values == other.old_values
    }
}
