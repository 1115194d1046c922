//! What the export macros call for Bigtable. No author does.

use super::{Batch, Deserializer, Mutations, RecordFilter};
use crate::glue::{Outputs, all_failed, each};
use crate::output::{Failure, Output};
use crate::state::NOT_CONFIGURED;
use crate::{Control, ControlOutput};

/// Deserializes a batch mutation by mutation.
pub fn deserialize<T: Deserializer>(guest: Option<&T>, mutations: &Mutations) -> Outputs {
    let records = mutations.ids.ends.len();
    let Some(guest) = guest else {
        return all_failed(records, &Failure::other(NOT_CONFIGURED));
    };
    let batch = match Batch::open(mutations) {
        Ok(batch) => batch,
        Err(error) => return all_failed(records, &Failure::malformed(error.to_string())),
    };
    each(batch.iter(), room(mutations), |mutation, out| {
        guest.deserialize(&mutation, out)
    })
}

/// Hands over a control record. A guest that is not configured has nothing to say.
pub fn control<T: Deserializer>(guest: Option<&T>, event: &Control) -> Vec<ControlOutput> {
    guest.map(|guest| guest.control(event)).unwrap_or_default()
}

/// Asks mutation by mutation.
///
/// # Errors
///
/// The first error of the filter, or what is wrong with the batch.
pub fn keep<T: RecordFilter>(guest: &T, mutations: &Mutations) -> Result<Vec<u8>, String> {
    let batch = Batch::open(mutations).map_err(|error| error.to_string())?;
    batch
        .iter()
        .map(|mutation| guest.keep(&mutation).map(u8::from))
        .collect()
}

/// An output per mutation, whose value holds the mutation's bytes in Base64.
fn room(mutations: &Mutations) -> Output {
    let columns = [
        &mutations.row_keys,
        &mutations.qualifiers,
        &mutations.values,
    ];
    let bytes = columns.iter().map(|column| column.bytes.len());
    Output::with_room(
        mutations.ids.ends.len(),
        mutations.row_keys.bytes.len(),
        bytes.sum::<usize>() / 3 * 4 + mutations.ids.bytes.len(),
    )
}
