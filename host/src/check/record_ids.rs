//! Whether consumers can drop what comes again.

use super::Topic;
use super::findings::Findings;
use crate::guest::{About, RecordIds};

/// Looks for ids in values, each with the id of the record that it was made of.
pub(super) fn look<'a>(
    role: &str,
    about: &About,
    values: impl Iterator<Item = (&'a str, &'a [u8])>,
    findings: &mut Findings,
) {
    let Some(mut ids) = RecordIds::of(about) else {
        findings.ok(
            Topic::Components,
            format!("{role} writes no record id: consumers cannot drop repeats"),
        );
        return;
    };
    for (id, value) in values {
        ids.look(id, value);
    }
    match ids.complaint() {
        Some(complaint) => findings.warning(
            Topic::Components,
            format!("{role}: {complaint}"),
            "let it write the id there, or declare no place for it (with_record_id in the SDK)",
        ),
        None => findings.ok(
            Topic::Components,
            format!("{role} writes the record id at {}", ids.pointer()),
        ),
    }
}
