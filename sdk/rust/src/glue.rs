//! What the export macros call. No author does.

use crate::batch::Batch;
use crate::output::{Failure, Output};
use crate::{Changes, Control, ControlOutput, Deserializer, RecordFilter};

pub use crate::bindings::plugin::acequia::connector::types::Outputs;
pub use crate::state::State;

/// Deserializes a batch record by record.
pub fn deserialize<T: Deserializer>(guest: Option<&T>, changes: &Changes) -> Outputs {
    let Some(guest) = guest else {
        return all_failed(changes, &Failure::other(crate::state::NOT_CONFIGURED));
    };
    let batch = match Batch::open(changes) {
        Ok(batch) => batch,
        Err(error) => return all_failed(changes, &Failure::malformed(error.to_string())),
    };
    let mut out = Output::with_room_for(changes);
    for change in batch.iter() {
        let mark = out.begin(change.index());
        if let Err(failure) = guest.deserialize(&change, &mut out) {
            out.fail(&mark, failure);
        }
    }
    out.finish()
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

fn all_failed(changes: &Changes, failure: &Failure) -> Outputs {
    let mut out = Output::default();
    for index in 0..changes.table.len() {
        let mark = out.begin(index);
        out.fail(&mark, failure.clone());
    }
    out.finish()
}
