//! The deserializer of Bigtable, native.

use acequia_bigtable_json_deserializer::Json;
use acequia_decode::bigtable::MutationBatch;
use acequia_guest::bigtable::{Deserializer as _, Mutations, glue};

use super::{Native, WHAT, blobs, texts, times};
use crate::Failed;

pub(super) fn native(batch: &MutationBatch) -> Result<Native, Failed> {
    let json =
        Json::configure("{}").map_err(|_errors| Failed::new(WHAT, "it is not configured"))?;
    let mutations = mutations(batch);
    Ok(Box::new(move || glue::deserialize(Some(&json), &mutations)))
}

/// A host's batch as a guest gets it.
fn mutations(batch: &MutationBatch) -> Mutations {
    Mutations {
        table: batch.table.clone(),
        ids: texts(&batch.ids),
        row_keys: blobs(&batch.row_keys),
        is_garbage_collection: batch.is_garbage_collection.clone(),
        source_cluster_ids: texts(&batch.source_cluster_ids),
        commit_timestamps: texts(&batch.commit_timestamps),
        commit_times: times(&batch.commit_times),
        tie_breakers: batch.tie_breakers.clone(),
        low_watermarks: texts(&batch.low_watermarks),
        entry_ends: batch.entry_ends.clone(),
        families: texts(&batch.families),
        entry_kinds: batch.entry_kinds.clone(),
        entry_families: batch.entry_families.clone(),
        qualifiers: blobs(&batch.qualifiers),
        timestamps_micros: batch.timestamps_micros.clone(),
        values: blobs(&batch.values),
        has_addend: batch.has_addend.clone(),
        addends: batch.addends.clone(),
        range_starts_micros: batch.range_starts_micros.clone(),
        range_ends_micros: batch.range_ends_micros.clone(),
    }
}
