//! What the export macros call for Spanner. No author does.

use super::{Batch, Changes, Deserializer, RecordFilter};
use crate::glue::{Outputs, all_failed, each};
use crate::output::{Failure, Output};
use crate::state::NOT_CONFIGURED;
use crate::{Control, ControlOutput};

/// Deserializes a batch record by record.
pub fn deserialize<T: Deserializer>(guest: Option<&T>, changes: &Changes) -> Outputs {
    let records = changes.table.len();
    let Some(guest) = guest else {
        return all_failed(records, &Failure::other(NOT_CONFIGURED));
    };
    let batch = match Batch::open(changes) {
        Ok(batch) => batch,
        Err(error) => return all_failed(records, &Failure::malformed(error.to_string())),
    };
    each(batch.iter(), room(changes), |change, out| {
        guest.deserialize(&change, out)
    })
}

/// Hands over a control record. A guest that is not configured has nothing to say.
pub fn control<T: Deserializer>(guest: Option<&T>, event: &Control) -> Vec<ControlOutput> {
    guest.map(|guest| guest.control(event)).unwrap_or_default()
}

/// Asks record by record.
///
/// # Errors
///
/// The first error of the filter, or what is wrong with the batch.
pub fn keep<T: RecordFilter>(guest: &T, changes: &Changes) -> Result<Vec<u8>, String> {
    let batch = Batch::open(changes).map_err(|error| error.to_string())?;
    batch
        .iter()
        .map(|change| guest.keep(&change).map(u8::from))
        .collect()
}

/// An output per modification, whose value holds what the modification's objects hold.
fn room(changes: &Changes) -> Output {
    let objects = [&changes.keys, &changes.new_values, &changes.old_values];
    let bytes = objects.iter().map(|objects| objects.texts.bytes.len());
    Output::with_room(
        changes.mod_ids.ends.len(),
        changes.keys.texts.bytes.len(),
        bytes.sum::<usize>() + changes.mod_ids.bytes.len(),
    )
}
