//! The value of an output, appended to the buffer of the batch. Values are copied unread.

use acequia_guest::rows::Row;
use acequia_guest::{Failure, json};

use crate::members::Members;

/// What a value ends with where it is asked for.
const METADATA: [&str; 3] = ["_id", "_read_timestamp", "_partition"];

/// A column that is called as the metadata is would be a second member of that name.
pub(crate) fn check_names(row: &Row<'_>) -> Result<(), Failure> {
    match row.columns().find(|column| METADATA.contains(&column.name)) {
        None => Ok(()),
        Some(column) => Err(Failure::unsupported(format!(
            "the column `{}` is called as a member of the metadata is; name it otherwise in a query, \
             or leave `metadata` out",
            column.name
        ))),
    }
}

/// One row.
pub(crate) fn write(out: &mut Vec<u8>, row: &Row<'_>, members: &Members, metadata: bool) {
    let begin = out.len();
    for (beginning, cell) in members.beginnings().zip(row.cells()) {
        out.extend_from_slice(beginning);
        out.extend_from_slice(cell.json.as_bytes());
    }
    if metadata {
        let values = [row.id(), row.read_timestamp(), row.partition()];
        for (name, value) in METADATA.into_iter().zip(values) {
            out.push(if out.len() == begin { b'{' } else { b',' });
            json::string(out, name);
            out.push(b':');
            json::string(out, value);
        }
    }
    if out.len() == begin {
        out.push(b'{');
    }
    out.push(b'}');
}
