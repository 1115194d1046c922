//! The value of an output.
//!
//! Everything is appended to the buffer of the batch; what the source encoded is copied unread.

use acequia_guest::spanner::{DataChange, Mod, Object};
use acequia_guest::{Failure, json};

/// One row change.
pub(crate) fn write_mod(
    out: &mut Vec<u8>,
    change: &DataChange<'_>,
    row: &Mod<'_>,
    column_types: bool,
) {
    write_head(out, row.id(), change);
    write_objects(out, row, true);
    write_transaction(out, change);
    out.extend_from_slice(b",\"mod_index\":");
    // A record's modifications are counted in 32 bits.
    json::integer(out, i64::try_from(row.index()).unwrap_or(i64::MAX));
    write_tail(out, change, column_types);
}

/// One record with all its rows.
pub(crate) fn write_record(out: &mut Vec<u8>, change: &DataChange<'_>, column_types: bool) {
    write_head(out, change.id(), change);
    out.extend_from_slice(b",\"mods\":[");
    for row in change.mods() {
        out.extend_from_slice(if row.index() == 0 { b"{" } else { b",{" });
        write_objects(out, &row, false);
        out.push(b'}');
    }
    out.push(b']');
    write_transaction(out, change);
    write_tail(out, change, column_types);
}

/// A column without a type has nothing to write.
pub(crate) fn check_column_types(change: &DataChange<'_>) -> Result<(), Failure> {
    match change.columns().find(|column| column.type_json.is_empty()) {
        None => Ok(()),
        Some(column) => Err(Failure::malformed(format!(
            "the column `{}` of `{}` has no type",
            column.name,
            change.table()
        ))),
    }
}

fn write_head(out: &mut Vec<u8>, id: &str, change: &DataChange<'_>) {
    out.extend_from_slice(b"{\"id\":");
    json::string(out, id);
    out.extend_from_slice(b",\"table_name\":");
    json::string(out, change.table());
    out.extend_from_slice(b",\"mod_type\":");
    json::string(out, change.mod_type());
}

/// The three objects of a row; one that the source did not send leaves no trace.
fn write_objects(out: &mut Vec<u8>, row: &Mod<'_>, mut follows: bool) {
    let objects: [(&[u8], Object<'_>); 3] = [
        (b"\"keys\":", row.keys()),
        (b"\"new_values\":", row.new_values()),
        (b"\"old_values\":", row.old_values()),
    ];
    for (name, object) in &objects {
        let Some(text) = object.bytes() else {
            continue;
        };
        if follows {
            out.push(b',');
        }
        follows = true;
        out.extend_from_slice(name);
        out.extend_from_slice(text);
    }
}

fn write_transaction(out: &mut Vec<u8>, change: &DataChange<'_>) {
    out.extend_from_slice(b",\"commit_timestamp\":");
    json::string(out, change.commit_timestamp());
    out.extend_from_slice(b",\"record_sequence\":");
    json::string(out, change.record_sequence());
    out.extend_from_slice(b",\"server_transaction_id\":");
    json::string(out, change.server_transaction_id());
}

fn write_tail(out: &mut Vec<u8>, change: &DataChange<'_>, column_types: bool) {
    out.extend_from_slice(b",\"is_last_record_in_transaction_in_partition\":");
    json::boolean(out, change.is_last_record_in_transaction_in_partition());
    out.extend_from_slice(b",\"number_of_records_in_transaction\":");
    json::integer(out, change.number_of_records_in_transaction());
    out.extend_from_slice(b",\"number_of_partitions_in_transaction\":");
    json::integer(out, change.number_of_partitions_in_transaction());
    out.extend_from_slice(b",\"transaction_tag\":");
    json::string(out, change.transaction_tag());
    out.extend_from_slice(b",\"is_system_transaction\":");
    json::boolean(out, change.is_system_transaction());
    out.extend_from_slice(b",\"value_capture_type\":");
    json::string(out, change.value_capture_type());
    if column_types {
        write_column_types(out, change);
    }
    out.push(b'}');
}

fn write_column_types(out: &mut Vec<u8>, change: &DataChange<'_>) {
    out.extend_from_slice(b",\"column_types\":[");
    for (place, column) in change.columns().enumerate() {
        out.extend_from_slice(if place == 0 { b"{" } else { b",{" });
        out.extend_from_slice(b"\"name\":");
        json::string(out, column.name);
        out.extend_from_slice(b",\"type\":");
        out.extend_from_slice(column.type_json.as_bytes());
        out.extend_from_slice(b",\"is_primary_key\":");
        json::boolean(out, column.is_primary_key);
        out.extend_from_slice(b",\"ordinal_position\":");
        json::integer(out, column.ordinal_position);
        out.push(b'}');
    }
    out.push(b']');
}
