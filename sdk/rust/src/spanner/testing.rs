//! Batches of change records made by hand, for the native unit tests of a guest.
//!
//! ```
//! use acequia_guest::spanner::testing::{Change, Row, Values, batch};
//!
//! let changes = batch(&[Change {
//!     table: "Singers",
//!     mods: &[Row {
//!         keys: Values::Members(&[("SingerId", "\"1\"")]),
//!         ..Row::default()
//!     }],
//!     ..Change::default()
//! }]);
//! assert_eq!(changes.table.len(), 1);
//! ```

use super::{Changes, Column, Deserializer, glue};
use crate::bindings::plugin::acequia::connector::types::Times;
use crate::bindings::spanner_deserialize::acequia::connector::spanner::{Objects, Tables};
pub use crate::testing::Outcome;
use crate::testing::{count, empty_texts, outcomes, push_text};

/// A change record. The default has empty texts, no columns and no rows.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each field is what the view of its name shows")]
pub struct Change<'a> {
    pub id: &'a str,
    pub table: &'a str,
    pub columns: &'a [Column<'a>],
    pub commit_timestamp: &'a str,
    pub commit_time: (i64, u32),
    pub record_sequence: &'a str,
    pub server_transaction_id: &'a str,
    pub mod_type: &'a str,
    pub value_capture_type: &'a str,
    pub transaction_tag: &'a str,
    pub is_last_record_in_transaction_in_partition: bool,
    pub is_system_transaction: bool,
    pub number_of_records_in_transaction: i64,
    pub number_of_partitions_in_transaction: i64,
    pub mods: &'a [Row<'a>],
}

/// One modification. The default has no objects.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each field is what the view of its name shows")]
pub struct Row<'a> {
    pub id: &'a str,
    pub keys: Values<'a>,
    pub new_values: Values<'a>,
    pub old_values: Values<'a>,
}

/// An object of a modification.
#[derive(Clone, Copy, Debug, Default)]
pub enum Values<'a> {
    /// The source sent no such object.
    #[default]
    Absent,
    /// The source sent a null.
    Null,
    /// The names and JSON values of the members. A name that is no column of the record is in the
    /// text and gives no cell.
    Members(&'a [(&'a str, &'a str)]),
}

/// A batch of these records, one table entry for each.
#[must_use]
pub fn batch(records: &[Change<'_>]) -> Changes {
    let mut changes = empty();
    for record in records {
        push(&mut changes, record);
    }
    changes
}

/// Runs a deserializer over a batch as the exported component does: outputs first, then failures.
pub fn deserialize<T: Deserializer>(guest: &T, changes: &Changes) -> Vec<Outcome> {
    outcomes(&glue::deserialize(Some(guest), changes))
}

fn push(changes: &mut Changes, record: &Change<'_>) {
    changes.table.push(count(changes.tables.column_ends.len()));
    push_table(&mut changes.tables, record);
    push_text(&mut changes.ids, record.id);
    push_text(&mut changes.commit_timestamps, record.commit_timestamp);
    changes.commit_times.seconds.push(record.commit_time.0);
    changes.commit_times.nanos.push(record.commit_time.1);
    push_text(&mut changes.record_sequences, record.record_sequence);
    push_text(&mut changes.transaction_ids, record.server_transaction_id);
    push_text(&mut changes.mod_types, record.mod_type);
    push_text(&mut changes.value_capture_types, record.value_capture_type);
    push_text(&mut changes.transaction_tags, record.transaction_tag);
    let is_last = record.is_last_record_in_transaction_in_partition;
    changes.is_last.push(u8::from(is_last));
    changes
        .is_system
        .push(u8::from(record.is_system_transaction));
    changes
        .records_in_transaction
        .push(record.number_of_records_in_transaction);
    changes
        .partitions_in_transaction
        .push(record.number_of_partitions_in_transaction);
    for row in record.mods {
        push_text(&mut changes.mod_ids, row.id);
        push_object(&mut changes.keys, row.keys, record.columns);
        push_object(&mut changes.new_values, row.new_values, record.columns);
        push_object(&mut changes.old_values, row.old_values, record.columns);
    }
    changes.mod_ends.push(count(changes.mod_ids.ends.len()));
}

fn push_table(tables: &mut Tables, record: &Change<'_>) {
    push_text(&mut tables.names, record.table);
    for column in record.columns {
        push_text(&mut tables.column_names, column.name);
        push_text(&mut tables.column_types, column.type_json);
        tables.column_keys.push(u8::from(column.is_primary_key));
        tables.column_ordinals.push(column.ordinal_position);
    }
    tables.column_ends.push(count(tables.column_keys.len()));
}

fn push_object(objects: &mut Objects, values: Values<'_>, columns: &[Column<'_>]) {
    let mut text = Vec::new();
    let base = objects.texts.bytes.len();
    match values {
        Values::Absent => {}
        Values::Null => text.extend_from_slice(b"null"),
        Values::Members(members) => {
            text.push(b'{');
            for (index, (name, json)) in members.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                crate::json::string(&mut text, name);
                text.push(b':');
                let start = base + text.len();
                text.extend_from_slice(json.as_bytes());
                if let Some(place) = columns.iter().position(|column| column.name == *name) {
                    objects.cell_columns.push(count(place));
                    objects.cell_starts.push(count(start));
                    objects.cell_stops.push(count(base + text.len()));
                }
            }
            text.push(b'}');
        }
    }
    objects.texts.bytes.extend_from_slice(&text);
    objects.texts.ends.push(count(objects.texts.bytes.len()));
    objects.cell_ends.push(count(objects.cell_columns.len()));
}

fn empty() -> Changes {
    Changes {
        tables: Tables {
            names: empty_texts(),
            column_ends: Vec::new(),
            column_names: empty_texts(),
            column_types: empty_texts(),
            column_keys: Vec::new(),
            column_ordinals: Vec::new(),
        },
        table: Vec::new(),
        ids: empty_texts(),
        commit_timestamps: empty_texts(),
        commit_times: Times {
            seconds: Vec::new(),
            nanos: Vec::new(),
        },
        record_sequences: empty_texts(),
        transaction_ids: empty_texts(),
        mod_types: empty_texts(),
        value_capture_types: empty_texts(),
        transaction_tags: empty_texts(),
        is_last: Vec::new(),
        is_system: Vec::new(),
        records_in_transaction: Vec::new(),
        partitions_in_transaction: Vec::new(),
        mod_ends: Vec::new(),
        mod_ids: empty_texts(),
        keys: empty_objects(),
        new_values: empty_objects(),
        old_values: empty_objects(),
    }
}

fn empty_objects() -> Objects {
    Objects {
        texts: empty_texts(),
        cell_ends: Vec::new(),
        cell_columns: Vec::new(),
        cell_starts: Vec::new(),
        cell_stops: Vec::new(),
    }
}
