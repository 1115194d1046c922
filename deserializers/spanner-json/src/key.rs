//! The key of an output: the primary key as a JSON object.

use acequia_guest::spanner::{Cell, DataChange, Mod, Object};
use acequia_guest::{Failure, json};

/// A row without a primary key cannot be told from another.
pub(crate) fn check(row: &Mod<'_>) -> Result<(), Failure> {
    match row.keys() {
        Object::Members(_) => Ok(()),
        Object::Absent | Object::Null => Err(Failure::malformed(format!(
            "modification {} has no keys",
            row.index()
        ))),
    }
}

/// Appends the key of a row: members sorted by column name, no white space.
pub(crate) fn write(out: &mut Vec<u8>, row: &Mod<'_>) {
    out.push(b'{');
    let mut cells = row.keys().cells();
    match (cells.next(), cells.next()) {
        (None, _) => {}
        (Some(only), None) => write_member(out, &only),
        (Some(first), Some(second)) => {
            let mut sorted: Vec<Cell<'_>> = [first, second].into_iter().chain(cells).collect();
            sorted.sort_unstable_by_key(Cell::name);
            for (place, cell) in sorted.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_member(out, cell);
            }
        }
    }
    out.push(b'}');
}

/// Appends the key of a record of one row. Several rows have no key in common.
pub(crate) fn write_single(out: &mut Vec<u8>, change: &DataChange<'_>) {
    let mut rows = change.mods();
    if let (Some(row), None) = (rows.next(), rows.next()) {
        write(out, &row);
    }
}

fn write_member(out: &mut Vec<u8>, cell: &Cell<'_>) {
    json::string(out, cell.name());
    out.push(b':');
    out.extend_from_slice(cell.bytes());
}
