//! What is done with state that is there, in the words of either builder.

use crate::config::read::{Field, Read, Report, Value};
use crate::config::{ExistingState, checkpoint};

/// Reads the `existing-state` option.
///
/// Source: org.apache.beam.sdk.io.gcp.bigtable.BigtableIO.ExistingPipelineOptions
pub(crate) fn existing_state(field: &Field<'_>, report: &mut Report) -> Read<ExistingState> {
    let Value::Text(text) = &field.node.value else {
        return checkpoint::existing_state(field, report);
    };
    match text.as_str() {
        "RESUME_OR_NEW" => Ok(ExistingState::ResumeOrNew),
        "RESUME_OR_FAIL" => Ok(ExistingState::ResumeOrFail),
        "FAIL_IF_EXISTS" => Ok(ExistingState::FailIfExists),
        "SKIP_CLEANUP" => Err(field.problem(
            report,
            "SKIP_CLEANUP is meant for tests only; to begin anew whatever is there, write new",
        )),
        _ => checkpoint::existing_state(field, report),
    }
}
