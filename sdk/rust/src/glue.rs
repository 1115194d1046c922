//! What the export macros of all sources call. No author does.

use crate::output::{Failure, Output};

pub use crate::bindings::plugin::acequia::connector::types::Outputs;
pub use crate::state::State;

/// Turns records one by one into outputs or a failure.
pub(crate) fn each<R>(
    records: impl Iterator<Item = R>,
    mut out: Output,
    deserialize: impl Fn(R, &mut Output) -> Result<(), Failure>,
) -> Outputs {
    for (index, record) in records.enumerate() {
        let mark = out.begin(index);
        if let Err(failure) = deserialize(record, &mut out) {
            out.fail(&mark, failure);
        }
    }
    out.finish()
}

/// The same failure for every record of a batch.
pub(crate) fn all_failed(records: usize, failure: &Failure) -> Outputs {
    let fail = |_record, _out: &mut Output| Err(failure.clone());
    each(0..records, Output::default(), fail)
}
