//! The value of an output, appended to the buffer of the batch.

use acequia_guest::bigtable::{Change, Entry, Input, Mutation};
use acequia_guest::json;

use crate::encoding::Encoding;

/// One mutation with all its entries.
pub(crate) fn write_mutation(out: &mut Vec<u8>, mutation: &Mutation<'_>, encoding: Encoding) {
    out.extend_from_slice(b"{\"id\":");
    json::string(out, mutation.id());
    write_fields(out, mutation, encoding);
    out.extend_from_slice(b",\"entries\":[");
    for entry in mutation.entries() {
        if entry.index > 0 {
            out.push(b',');
        }
        write_entry(out, &entry, encoding);
    }
    out.extend_from_slice(b"]}");
}

/// One entry with the fields of its mutation.
pub(crate) fn write_entry_alone(
    out: &mut Vec<u8>,
    mutation: &Mutation<'_>,
    entry: &Entry<'_>,
    encoding: Encoding,
) {
    out.extend_from_slice(b"{\"id\":");
    json::string(out, &format!("{}#{}", mutation.id(), entry.index));
    write_fields(out, mutation, encoding);
    out.extend_from_slice(b",\"entry\":");
    write_entry(out, entry, encoding);
    out.push(b'}');
}

fn write_fields(out: &mut Vec<u8>, mutation: &Mutation<'_>, encoding: Encoding) {
    out.extend_from_slice(b",\"table\":");
    json::string(out, mutation.table());
    out.extend_from_slice(b",\"row_key\":");
    encoding.write(out, mutation.row_key());
    out.extend_from_slice(b",\"mutation_type\":");
    out.extend_from_slice(if mutation.is_garbage_collection() {
        b"\"garbage_collection\""
    } else {
        b"\"user\""
    });
    out.extend_from_slice(b",\"source_cluster_id\":");
    json::string(out, mutation.source_cluster_id());
    out.extend_from_slice(b",\"commit_timestamp\":");
    json::string(out, mutation.commit_timestamp());
    out.extend_from_slice(b",\"tie_breaker\":");
    json::integer(out, i64::from(mutation.tie_breaker()));
    out.extend_from_slice(b",\"estimated_low_watermark\":");
    json::string(out, mutation.estimated_low_watermark());
}

fn write_entry(out: &mut Vec<u8>, entry: &Entry<'_>, encoding: Encoding) {
    let kind: &[u8] = match entry.change {
        Change::SetCell { .. } => b"set_cell",
        Change::DeleteCells { .. } => b"delete_cells",
        Change::DeleteFamily => b"delete_family",
        Change::AddToCell { .. } => b"add_to_cell",
        Change::MergeToCell { .. } => b"merge_to_cell",
    };
    out.extend_from_slice(b"{\"kind\":\"");
    out.extend_from_slice(kind);
    out.extend_from_slice(b"\",\"family\":");
    json::string(out, entry.family);
    write_change(out, &entry.change, encoding);
    out.push(b'}');
}

/// The members that only this kind of entry has.
fn write_change(out: &mut Vec<u8>, change: &Change<'_>, encoding: Encoding) {
    match *change {
        Change::SetCell {
            qualifier,
            timestamp_micros,
            value,
        } => {
            write_cell(out, qualifier, timestamp_micros, encoding);
            out.extend_from_slice(b",\"value\":");
            encoding.write(out, value);
        }
        Change::DeleteCells {
            qualifier,
            start_micros,
            end_micros,
        } => {
            write_qualifier(out, qualifier, encoding);
            out.extend_from_slice(b",\"start_timestamp_micros\":");
            json::integer(out, start_micros);
            out.extend_from_slice(b",\"end_timestamp_micros\":");
            match end_micros {
                Some(end_micros) => json::integer(out, end_micros),
                None => out.extend_from_slice(b"null"),
            }
        }
        Change::DeleteFamily => {}
        Change::AddToCell {
            qualifier,
            timestamp_micros,
            input,
        }
        | Change::MergeToCell {
            qualifier,
            timestamp_micros,
            input,
        } => {
            write_cell(out, qualifier, timestamp_micros, encoding);
            out.extend_from_slice(b",\"input\":");
            match input {
                Input::Number(number) => json::integer(out, number),
                Input::Bytes(bytes) => encoding.write(out, bytes),
            }
        }
    }
}

fn write_cell(out: &mut Vec<u8>, qualifier: &[u8], timestamp_micros: i64, encoding: Encoding) {
    write_qualifier(out, qualifier, encoding);
    out.extend_from_slice(b",\"timestamp_micros\":");
    json::integer(out, timestamp_micros);
}

fn write_qualifier(out: &mut Vec<u8>, qualifier: &[u8], encoding: Encoding) {
    out.extend_from_slice(b",\"qualifier\":");
    encoding.write(out, qualifier);
}
