//! The questions to Spanner: whether the read can be planned.

use super::Topic;
use super::findings::Findings;
use crate::config::SpannerBatch;

/// Asks the service.
pub(super) fn look(batch: &SpannerBatch, findings: &mut Findings) {
    findings.warning(
        Topic::Source,
        format!("{} was not asked", batch.database),
        "nothing: this version does not ask yet whether a read can be planned",
    );
}
