//! Batches of change records, laid out by hand as `wit/spanner.wit` says.

use acequia_decode::spanner::{ChangeBatch, Objects};
use acequia_host::batch::Batch;

/// One record per value, each with one row: `{"id":"<index>"}` as its key, and `{"v":"<value>"}`
/// as its new values.
pub(crate) fn batch<'a>(values: impl IntoIterator<Item = &'a str>) -> Batch {
    changes(values).into()
}

/// The change records of [`batch`].
pub(crate) fn changes<'a>(values: impl IntoIterator<Item = &'a str>) -> ChangeBatch {
    let mut batch = ChangeBatch::default();
    push_table(&mut batch);
    for (index, value) in values.into_iter().enumerate() {
        push_record(&mut batch, index, value);
    }
    batch
}

/// The id of a record of [`batch`].
pub(crate) fn id(index: usize) -> String {
    format!("2026-01-02T03:04:05Z/tx{index}/00000000")
}

fn push_table(batch: &mut ChangeBatch) {
    let tables = &mut batch.tables;
    tables.names.push(b"things");
    for (name, json, key) in [
        ("id", r#"{"code":"INT64"}"#, 1),
        ("v", r#"{"code":"STRING"}"#, 0),
    ] {
        tables.column_names.push(name.as_bytes());
        tables.column_types.push(json.as_bytes());
        tables.column_keys.push(key);
        tables.column_ordinals.push(i64::from(2 - key));
    }
    tables.column_ends.push(2);
}

fn push_record(batch: &mut ChangeBatch, index: usize, value: &str) {
    batch.table.push(0);
    batch.ids.push(id(index).as_bytes());
    batch.commit_timestamps.push(b"2026-01-02T03:04:05Z");
    batch.commit_times.seconds.push(1_767_323_045);
    batch.commit_times.nanos.push(0);
    batch.record_sequences.push(b"00000000");
    batch.transaction_ids.push(format!("tx{index}").as_bytes());
    batch.mod_types.push(b"INSERT");
    batch.value_capture_types.push(b"NEW_VALUES");
    batch.transaction_tags.push(b"");
    batch.is_last.push(1);
    batch.is_system.push(0);
    batch.records_in_transaction.push(1);
    batch.partitions_in_transaction.push(1);
    batch.mod_ids.push(format!("{}/0", id(index)).as_bytes());
    push_object(&mut batch.keys, 0, "id", &format!("\"{index}\""));
    push_object(&mut batch.new_values, 1, "v", &format!("\"{value}\""));
    batch.old_values.texts.push(b"");
    batch.old_values.cell_ends.push(0);
    batch.mod_ends.push(u32::try_from(index + 1).unwrap());
}

/// An object of one member.
fn push_object(objects: &mut Objects, column: u32, name: &str, json: &str) {
    let stop = objects.texts.bytes().len() + format!("{{\"{name}\":{json}").len();
    objects
        .texts
        .push(format!("{{\"{name}\":{json}}}").as_bytes());
    objects.cell_columns.push(column);
    objects
        .cell_starts
        .push(u32::try_from(stop - json.len()).unwrap());
    objects.cell_stops.push(u32::try_from(stop).unwrap());
    objects
        .cell_ends
        .push(u32::try_from(objects.cell_columns.len()).unwrap());
}
