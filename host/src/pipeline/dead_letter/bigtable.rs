//! A row mutation as JSON: the line that a recording has for it.

use acequia_decode::bigtable::MutationBatch;

use crate::recording::Mutation;

/// Bytes are texts where they are UTF-8, and `{"base64":…}` where they are not.
pub(super) fn raw(batch: &MutationBatch, record: usize) -> String {
    serde_json::to_string(&Mutation::of(batch, record)).unwrap_or_default()
}
