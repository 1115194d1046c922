//! A change record as JSON.

use acequia_decode::spanner::{ChangeBatch, Objects};
use serde::Serialize;
use serde_json::value::RawValue;

use super::text;

/// The record with the names that Spanner's documentation gives its fields; values stay the texts
/// that were sent.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/details#data-change-records
#[derive(Serialize)]
struct Raw {
    table_name: String,
    commit_timestamp: String,
    record_sequence: String,
    server_transaction_id: String,
    mod_type: String,
    value_capture_type: String,
    mods: Vec<RawMod>,
}

#[derive(Serialize)]
struct RawMod {
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_values: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_values: Option<Box<RawValue>>,
}

pub(super) fn raw(batch: &ChangeBatch, record: usize) -> String {
    let table = batch
        .table
        .get(record)
        .map_or(usize::MAX, |table| as_index(*table));
    let raw = Raw {
        table_name: text(&batch.tables.names, table),
        commit_timestamp: text(&batch.commit_timestamps, record),
        record_sequence: text(&batch.record_sequences, record),
        server_transaction_id: text(&batch.transaction_ids, record),
        mod_type: text(&batch.mod_types, record),
        value_capture_type: text(&batch.value_capture_types, record),
        mods: mods(batch, record)
            .map(|index| RawMod {
                keys: member(&batch.keys, index),
                new_values: member(&batch.new_values, index),
                old_values: member(&batch.old_values, index),
            })
            .collect(),
    };
    serde_json::to_string(&raw).unwrap_or_default()
}

fn mods(batch: &ChangeBatch, record: usize) -> std::ops::Range<usize> {
    let end = |index: usize| batch.mod_ends.get(index).map_or(0, |end| as_index(*end));
    let start = record.checked_sub(1).map_or(0, end);
    start..end(record)
}

/// A member as it was sent; none where it was not sent.
fn member(objects: &Objects, index: usize) -> Option<Box<RawValue>> {
    RawValue::from_string(text(&objects.texts, index)).ok()
}

fn as_index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
