//! Empty columns with room for as much as others hold.

use super::{ChangeBatch, Objects, Tables};
use crate::room::same;

/// An empty batch with room for as much as this one holds. Its dictionary is small and grows by
/// itself.
pub(super) fn like(batch: &ChangeBatch) -> ChangeBatch {
    ChangeBatch {
        tables: Tables::default(),
        table: same(&batch.table),
        ids: batch.ids.room(),
        commit_timestamps: batch.commit_timestamps.room(),
        commit_times: batch.commit_times.room(),
        record_sequences: batch.record_sequences.room(),
        transaction_ids: batch.transaction_ids.room(),
        mod_types: batch.mod_types.room(),
        value_capture_types: batch.value_capture_types.room(),
        transaction_tags: batch.transaction_tags.room(),
        is_last: same(&batch.is_last),
        is_system: same(&batch.is_system),
        records_in_transaction: same(&batch.records_in_transaction),
        partitions_in_transaction: same(&batch.partitions_in_transaction),
        mod_ends: same(&batch.mod_ends),
        mod_ids: batch.mod_ids.room(),
        keys: objects(&batch.keys),
        new_values: objects(&batch.new_values),
        old_values: objects(&batch.old_values),
        schemas: Vec::new(),
    }
}

fn objects(objects: &Objects) -> Objects {
    Objects {
        texts: objects.texts.room(),
        cell_ends: same(&objects.cell_ends),
        cell_columns: same(&objects.cell_columns),
        cell_starts: same(&objects.cell_starts),
        cell_stops: same(&objects.cell_stops),
    }
}
