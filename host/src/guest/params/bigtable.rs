//! Row mutations as the parameter of a call.

use acequia_decode::bigtable::MutationBatch;

use super::{blobs, texts, times};
use crate::guest::bindings::acequia::connector::bigtable;

pub(in crate::guest) fn mutations(batch: &MutationBatch) -> bigtable::Mutations<'_> {
    bigtable::Mutations {
        table: &batch.table,
        ids: texts(&batch.ids),
        row_keys: blobs(&batch.row_keys),
        is_garbage_collection: &batch.is_garbage_collection,
        source_cluster_ids: texts(&batch.source_cluster_ids),
        commit_timestamps: texts(&batch.commit_timestamps),
        commit_times: times(&batch.commit_times),
        tie_breakers: &batch.tie_breakers,
        low_watermarks: texts(&batch.low_watermarks),
        entry_ends: &batch.entry_ends,
        families: texts(&batch.families),
        entry_kinds: &batch.entry_kinds,
        entry_families: &batch.entry_families,
        qualifiers: blobs(&batch.qualifiers),
        timestamps_micros: &batch.timestamps_micros,
        values: blobs(&batch.values),
        has_addend: &batch.has_addend,
        addends: &batch.addends,
        range_starts_micros: &batch.range_starts_micros,
        range_ends_micros: &batch.range_ends_micros,
    }
}
