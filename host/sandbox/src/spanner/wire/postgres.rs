//! A record as PostgreSQL returns it: one JSON text with one of three members.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details>, PostgreSQL records; the
//! offset of timestamps as in Cloud Spanner emulator 1.5.28.

use jiff::Timestamp;
use prost_types::Value;
use serde_json::{Map, Value as Json, json};

use super::{
    build::text,
    schema::{UNFAMILIAR, annotated},
};
use crate::{
    clock::rfc3339,
    spanner::{
        history::{Child, Column, DataChange, Entry, Mod},
        script::{Dialect, Wire},
    },
};

/// The value of the one column.
pub(super) fn value(entry: &Entry, wire: &Wire) -> Value {
    let record = match entry {
        Entry::Change(record) => json!({ "data_change_record": change(record) }),
        Entry::Heartbeat(at) => json!({ "heartbeat_record": { "timestamp": instant(*at) } }),
        Entry::Children {
            start,
            sequence,
            children,
        } => {
            let children: Vec<Json> = children.iter().map(|each| child(each, wire)).collect();
            json!({ "child_partitions_record": {
                "start_timestamp": instant(*start),
                "record_sequence": sequence,
                "child_partitions": children,
            } })
        }
        // A stream with immutable key ranges has no such records; the script is checked for it.
        Entry::PartitionStart { .. }
        | Entry::PartitionEvent { .. }
        | Entry::PartitionEnd { .. } => json!({}),
    };
    text(widened(record, wire).to_string())
}

fn change(record: &DataChange) -> Json {
    json!({
        "commit_timestamp": instant(record.commit_timestamp),
        "record_sequence": record.record_sequence,
        "server_transaction_id": record.server_transaction_id,
        "is_last_record_in_transaction_in_partition":
            record.is_last_record_in_transaction_in_partition,
        "table_name": record.table_name,
        "column_types": record.column_types.iter().map(column).collect::<Vec<_>>(),
        "mods": record.mods.iter().map(row).collect::<Vec<_>>(),
        "mod_type": record.mod_type.as_str(),
        "value_capture_type": record.value_capture_type.as_str(),
        "number_of_records_in_transaction": record.number_of_records_in_transaction,
        "number_of_partitions_in_transaction": record.number_of_partitions_in_transaction,
        "transaction_tag": record.transaction_tag,
        "is_system_transaction": record.is_system_transaction,
    })
}

fn column(column: &Column) -> Json {
    json!({
        "name": column.name,
        "type": annotated(&column.r#type, Dialect::Postgres),
        "is_primary_key": column.is_primary_key,
        "ordinal_position": column.ordinal_position,
    })
}

fn row(row: &Mod) -> Json {
    let mut members = Map::new();
    members.insert("keys".to_owned(), Json::Object(row.keys.clone()));
    for (name, values) in [
        ("new_values", &row.new_values),
        ("old_values", &row.old_values),
    ] {
        if let Some(values) = values {
            members.insert(name.to_owned(), Json::Object(values.clone()));
        }
    }
    Json::Object(members)
}

fn child(child: &Child, wire: &Wire) -> Json {
    let parents = if child.parents.is_empty() && wire.null_root_parents {
        json!([null])
    } else {
        json!(child.parents)
    };
    json!({ "token": child.token, "parent_partition_tokens": parents })
}

/// The record with a member that readers have not met in it.
fn widened(mut record: Json, wire: &Wire) -> Json {
    let inner = record
        .as_object_mut()
        .and_then(|outer| outer.values_mut().next());
    if let Some(inner) = inner
        .and_then(Json::as_object_mut)
        .filter(|_| wire.unfamiliar_fields)
    {
        inner.insert(UNFAMILIAR.to_owned(), json!(UNFAMILIAR));
    }
    record
}

fn instant(instant: Timestamp) -> String {
    let text = rfc3339(instant);
    format!("{}+00:00", text.trim_end_matches('Z'))
}
