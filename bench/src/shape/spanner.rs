//! The deserializer of Spanner, native.

use acequia_decode::spanner::{ChangeBatch, Objects as HostObjects};
use acequia_guest::bindings::spanner_deserialize::acequia::connector::spanner::{Objects, Tables};
use acequia_guest::spanner::{Changes, Deserializer as _, glue};
use acequia_spanner_json_deserializer::Json;

use super::{Native, WHAT, texts, times};
use crate::Failed;

pub(super) fn native(batch: &ChangeBatch) -> Result<Native, Failed> {
    let json =
        Json::configure("{}").map_err(|_errors| Failed::new(WHAT, "it is not configured"))?;
    let changes = changes(batch);
    Ok(Box::new(move || glue::deserialize(Some(&json), &changes)))
}

/// A host's batch as a guest gets it.
fn changes(batch: &ChangeBatch) -> Changes {
    Changes {
        tables: Tables {
            names: texts(&batch.tables.names),
            column_ends: batch.tables.column_ends.clone(),
            column_names: texts(&batch.tables.column_names),
            column_types: texts(&batch.tables.column_types),
            column_keys: batch.tables.column_keys.clone(),
            column_ordinals: batch.tables.column_ordinals.clone(),
        },
        table: batch.table.clone(),
        ids: texts(&batch.ids),
        commit_timestamps: texts(&batch.commit_timestamps),
        commit_times: times(&batch.commit_times),
        record_sequences: texts(&batch.record_sequences),
        transaction_ids: texts(&batch.transaction_ids),
        mod_types: texts(&batch.mod_types),
        value_capture_types: texts(&batch.value_capture_types),
        transaction_tags: texts(&batch.transaction_tags),
        is_last: batch.is_last.clone(),
        is_system: batch.is_system.clone(),
        records_in_transaction: batch.records_in_transaction.clone(),
        partitions_in_transaction: batch.partitions_in_transaction.clone(),
        mod_ends: batch.mod_ends.clone(),
        mod_ids: texts(&batch.mod_ids),
        keys: objects(&batch.keys),
        new_values: objects(&batch.new_values),
        old_values: objects(&batch.old_values),
    }
}

fn objects(objects: &HostObjects) -> Objects {
    Objects {
        texts: texts(&objects.texts),
        cell_ends: objects.cell_ends.clone(),
        cell_columns: objects.cell_columns.clone(),
        cell_starts: objects.cell_starts.clone(),
        cell_stops: objects.cell_stops.clone(),
    }
}
