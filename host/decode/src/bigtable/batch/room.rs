//! Empty columns with room for as much as others hold.

use super::{Dictionary, MutationBatch};
use crate::Texts;
use crate::room::same;

/// An empty batch with room for as much as this one holds. Its dictionary is small and grows by
/// itself.
pub(super) fn like(batch: &MutationBatch) -> MutationBatch {
    MutationBatch {
        table: batch.table.clone(),
        ids: batch.ids.room(),
        row_keys: batch.row_keys.room(),
        is_garbage_collection: same(&batch.is_garbage_collection),
        source_cluster_ids: batch.source_cluster_ids.room(),
        commit_timestamps: batch.commit_timestamps.room(),
        commit_times: batch.commit_times.room(),
        tie_breakers: same(&batch.tie_breakers),
        low_watermarks: batch.low_watermarks.room(),
        entry_ends: same(&batch.entry_ends),
        families: Texts::default(),
        entry_kinds: same(&batch.entry_kinds),
        entry_families: same(&batch.entry_families),
        qualifiers: batch.qualifiers.room(),
        timestamps_micros: same(&batch.timestamps_micros),
        values: batch.values.room(),
        has_addend: same(&batch.has_addend),
        addends: same(&batch.addends),
        range_starts_micros: same(&batch.range_starts_micros),
        range_ends_micros: same(&batch.range_ends_micros),
        dictionary: Dictionary::default(),
    }
}
