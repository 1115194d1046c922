//! A batch of some of another's mutations.

use acequia_decode::bigtable::MutationBatch;

use super::columns::{as_u32, push, push_time, push_value, span};

/// Copies the mutations at `indices`, in that order. The families are copied whole, so that their
/// indices stay; an index past the batch is left out.
pub(super) fn select(
    batch: &MutationBatch,
    indices: impl IntoIterator<Item = usize>,
) -> MutationBatch {
    let mut selected = MutationBatch::of_table(&batch.table);
    selected.families.clone_from(&batch.families);
    for index in indices {
        if index < batch.mutations() {
            push_mutation(&mut selected, batch, index);
        }
    }
    selected
}

fn push_mutation(to: &mut MutationBatch, from: &MutationBatch, index: usize) {
    push_value(&mut to.ids, &from.ids, index);
    push_value(&mut to.row_keys, &from.row_keys, index);
    push(
        &mut to.is_garbage_collection,
        &from.is_garbage_collection,
        index,
    );
    push_value(&mut to.source_cluster_ids, &from.source_cluster_ids, index);
    push_value(&mut to.commit_timestamps, &from.commit_timestamps, index);
    push_time(&mut to.commit_times, &from.commit_times, index);
    push(&mut to.tie_breakers, &from.tie_breakers, index);
    push_value(&mut to.low_watermarks, &from.low_watermarks, index);
    for entry in span(&from.entry_ends, index) {
        push_entry(to, from, entry);
    }
    to.entry_ends.push(as_u32(to.entry_kinds.len()));
}

fn push_entry(to: &mut MutationBatch, from: &MutationBatch, entry: usize) {
    push(&mut to.entry_kinds, &from.entry_kinds, entry);
    push(&mut to.entry_families, &from.entry_families, entry);
    push_value(&mut to.qualifiers, &from.qualifiers, entry);
    push(&mut to.timestamps_micros, &from.timestamps_micros, entry);
    push_value(&mut to.values, &from.values, entry);
    push(&mut to.has_addend, &from.has_addend, entry);
    push(&mut to.addends, &from.addends, entry);
    push(
        &mut to.range_starts_micros,
        &from.range_starts_micros,
        entry,
    );
    push(&mut to.range_ends_micros, &from.range_ends_micros, entry);
}

#[cfg(test)]
mod tests {
    use acequia_decode::bigtable::{Entry, Input, Mutation};

    use super::*;

    const ENTRIES: [Entry<'_>; 3] = [
        Entry::SetCell {
            family: "f",
            qualifier: b"\xff",
            timestamp_micros: 1_000,
            value: b"v",
        },
        Entry::DeleteFamily { family: "g" },
        Entry::AddToCell {
            family: "g",
            qualifier: b"sum",
            timestamp_micros: 0,
            input: Input::Number(7),
        },
    ];

    /// The first has one entry, the second none, the third all three.
    fn batch() -> MutationBatch {
        let mut batch = MutationBatch::of_table("T");
        for (row_key, entries) in [(b"\x00", 1), (b"b", 0), (b"c", 3)] {
            let mutation = Mutation {
                row_key,
                source_cluster_id: Some("c1"),
                commit: jiff::Timestamp::UNIX_EPOCH,
                tie_breaker: 0,
                low_watermark: jiff::Timestamp::UNIX_EPOCH,
            };
            let entries = ENTRIES.iter().take(entries).copied();
            batch.push(&mutation, entries).unwrap();
        }
        batch
    }

    #[test]
    fn a_selected_mutation_keeps_its_entries() {
        let selected = select(&batch(), [2, 0]);
        assert_eq!(selected.table, "T");
        assert_eq!(selected.row_keys.bytes(), b"c\x00");
        assert_eq!(selected.entry_ends, [3, 4]);
        assert!(selected.entries_of(0).eq(ENTRIES));
        assert!(selected.entries_of(1).eq(ENTRIES.into_iter().take(1)));
    }

    #[test]
    fn selecting_every_mutation_changes_nothing() {
        assert!(select(&batch(), 0..3) == batch());
        assert_eq!(select(&batch(), [0, 7]).mutations(), 1);
    }
}
