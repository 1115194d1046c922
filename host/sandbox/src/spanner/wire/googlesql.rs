//! A record as GoogleSQL returns it: structs as positional lists, numbers and timestamps as strings,
//! JSON as its text.
//!
//! Source: `google/spanner/v1/type.proto`, `TypeCode`, on how each type is encoded.

use prost_types::Value;

use super::{
    build::{list, null, text, truth},
    schema::UNFAMILIAR,
};
use crate::{
    clock::rfc3339,
    spanner::{
        history::{Child, Column, DataChange, Entry, Mod, Row},
        script::Wire,
    },
};

/// The value of `ChangeRecord`: an array with one struct of three arrays.
pub(super) fn value(entry: &Entry, wire: &Wire) -> Value {
    let layout = Structs { wire };
    let arrays = match entry {
        Entry::Change(record) => [Some(layout.change(record)), None, None],
        Entry::Heartbeat(at) => [None, Some(layout.of([text(rfc3339(*at))])), None],
        Entry::Children {
            start,
            sequence,
            children,
        } => {
            let children = children.iter().map(|child| layout.child(child));
            let fields = [text(rfc3339(*start)), text(sequence), list(children)];
            [None, None, Some(layout.of(fields))]
        }
        // A stream with immutable key ranges has no such records; the script is checked for it.
        Entry::PartitionStart { .. }
        | Entry::PartitionEvent { .. }
        | Entry::PartitionEnd { .. } => [None, None, None],
    };
    let arrays = arrays.map(|record| match record {
        Some(record) => list([record]),
        None if wire.null_for_empty => null(),
        None => list([]),
    });
    list([layout.of(arrays)])
}

struct Structs<'a> {
    wire: &'a Wire,
}

impl Structs<'_> {
    fn of(&self, fields: impl IntoIterator<Item = Value>) -> Value {
        let unfamiliar = self.wire.unfamiliar_fields.then(|| text(UNFAMILIAR));
        list(unfamiliar.into_iter().chain(fields))
    }

    fn change(&self, record: &DataChange) -> Value {
        self.of([
            text(rfc3339(record.commit_timestamp)),
            text(&record.record_sequence),
            text(&record.server_transaction_id),
            truth(record.is_last_record_in_transaction_in_partition),
            text(&record.table_name),
            list(record.column_types.iter().map(|column| self.column(column))),
            list(record.mods.iter().map(|row| self.row(row))),
            text(record.mod_type.as_str()),
            text(record.value_capture_type.as_str()),
            text(record.number_of_records_in_transaction.to_string()),
            text(record.number_of_partitions_in_transaction.to_string()),
            text(&record.transaction_tag),
            truth(record.is_system_transaction),
        ])
    }

    fn column(&self, column: &Column) -> Value {
        self.of([
            text(&column.name),
            text(column.r#type.to_string()),
            truth(column.is_primary_key),
            text(column.ordinal_position.to_string()),
        ])
    }

    fn row(&self, row: &Mod) -> Value {
        let optional = |values: &Option<Row>| values.as_ref().map_or_else(null, json);
        self.of([
            json(&row.keys),
            optional(&row.new_values),
            optional(&row.old_values),
        ])
    }

    fn child(&self, child: &Child) -> Value {
        let parents = child.parents.iter().map(text);
        let nobody = (child.parents.is_empty() && self.wire.null_root_parents).then(null);
        self.of([text(&child.token), list(parents.chain(nobody))])
    }
}

fn json(row: &Row) -> Value {
    text(serde_json::to_string(row).unwrap_or_default())
}
