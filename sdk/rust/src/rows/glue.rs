//! What the export macros call for rows. No author does.

use super::{Batch, Deserializer, RecordFilter, Rows};
use crate::glue::{Outputs, all_failed, each};
use crate::output::{Failure, Output};
use crate::state::NOT_CONFIGURED;
use crate::{Control, ControlOutput};

/// Deserializes a batch row by row.
pub fn deserialize<T: Deserializer>(guest: Option<&T>, rows: &Rows) -> Outputs {
    let records = rows.ids.ends.len();
    let Some(guest) = guest else {
        return all_failed(records, &Failure::other(NOT_CONFIGURED));
    };
    let batch = match Batch::open(rows) {
        Ok(batch) => batch,
        Err(error) => return all_failed(records, &Failure::malformed(error.to_string())),
    };
    each(batch.iter(), room(rows), |row, out| {
        guest.deserialize(&row, out)
    })
}

/// Hands over a control record. A guest that is not configured has nothing to say.
pub fn control<T: Deserializer>(guest: Option<&T>, event: &Control) -> Vec<ControlOutput> {
    guest.map(|guest| guest.control(event)).unwrap_or_default()
}

/// Asks row by row.
///
/// # Errors
///
/// The first error of the filter, or what is wrong with the batch.
pub fn keep<T: RecordFilter>(guest: &T, rows: &Rows) -> Result<Vec<u8>, String> {
    let batch = Batch::open(rows).map_err(|error| error.to_string())?;
    batch
        .iter()
        .map(|row| guest.keep(&row).map(u8::from))
        .collect()
}

/// An output per row, whose value holds the row's values, each after the name of its column.
fn room(rows: &Rows) -> Output {
    let records = rows.ids.ends.len();
    // The quotes of a name, a colon and a comma.
    let punctuation = rows.column_keys.len() * 4;
    let names = rows.column_names.bytes.len() + punctuation;
    Output::with_room(
        records,
        rows.keys.bytes.len(),
        rows.cells.bytes.len() + records.saturating_mul(names),
    )
}
