//! Change records as the parameter of a call.

use acequia_decode::spanner::{ChangeBatch, Objects};

use super::{texts, times};
use crate::guest::bindings::acequia::connector::spanner;

pub(in crate::guest) fn changes(batch: &ChangeBatch) -> spanner::Changes<'_> {
    spanner::Changes {
        tables: tables(batch),
        table: &batch.table,
        ids: texts(&batch.ids),
        commit_timestamps: texts(&batch.commit_timestamps),
        commit_times: times(&batch.commit_times),
        record_sequences: texts(&batch.record_sequences),
        transaction_ids: texts(&batch.transaction_ids),
        mod_types: texts(&batch.mod_types),
        value_capture_types: texts(&batch.value_capture_types),
        transaction_tags: texts(&batch.transaction_tags),
        is_last: &batch.is_last,
        is_system: &batch.is_system,
        records_in_transaction: &batch.records_in_transaction,
        partitions_in_transaction: &batch.partitions_in_transaction,
        mod_ends: &batch.mod_ends,
        mod_ids: texts(&batch.mod_ids),
        keys: objects(&batch.keys),
        new_values: objects(&batch.new_values),
        old_values: objects(&batch.old_values),
    }
}

fn tables(batch: &ChangeBatch) -> spanner::Tables<'_> {
    let tables = &batch.tables;
    spanner::Tables {
        names: texts(&tables.names),
        column_ends: &tables.column_ends,
        column_names: texts(&tables.column_names),
        column_types: texts(&tables.column_types),
        column_keys: &tables.column_keys,
        column_ordinals: &tables.column_ordinals,
    }
}

fn objects(objects: &Objects) -> spanner::Objects<'_> {
    spanner::Objects {
        texts: texts(&objects.texts),
        cell_ends: &objects.cell_ends,
        cell_columns: &objects.cell_columns,
        cell_starts: &objects.cell_starts,
        cell_stops: &objects.cell_stops,
    }
}
