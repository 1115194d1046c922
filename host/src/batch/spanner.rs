//! A batch of some of another's change records.

use acequia_decode::spanner::{ChangeBatch, Objects};

use super::columns::{as_u32, as_usize, push, push_time, push_value, span};

/// Copies the records at `indices`, in that order. The table dictionary is copied whole, so that
/// its indices stay; an index past the batch is left out.
pub(super) fn select(batch: &ChangeBatch, indices: impl IntoIterator<Item = usize>) -> ChangeBatch {
    let mut selected = ChangeBatch::default();
    selected.tables.clone_from(&batch.tables);
    for index in indices {
        if index < batch.records() {
            push_record(&mut selected, batch, index);
        }
    }
    selected
}

fn push_record(to: &mut ChangeBatch, from: &ChangeBatch, index: usize) {
    push(&mut to.table, &from.table, index);
    push_value(&mut to.ids, &from.ids, index);
    push_value(&mut to.commit_timestamps, &from.commit_timestamps, index);
    push_time(&mut to.commit_times, &from.commit_times, index);
    push_value(&mut to.record_sequences, &from.record_sequences, index);
    push_value(&mut to.transaction_ids, &from.transaction_ids, index);
    push_value(&mut to.mod_types, &from.mod_types, index);
    push_value(
        &mut to.value_capture_types,
        &from.value_capture_types,
        index,
    );
    push_value(&mut to.transaction_tags, &from.transaction_tags, index);
    push(&mut to.is_last, &from.is_last, index);
    push(&mut to.is_system, &from.is_system, index);
    push(
        &mut to.records_in_transaction,
        &from.records_in_transaction,
        index,
    );
    push(
        &mut to.partitions_in_transaction,
        &from.partitions_in_transaction,
        index,
    );
    for row in span(&from.mod_ends, index) {
        push_value(&mut to.mod_ids, &from.mod_ids, row);
        push_object(&mut to.keys, &from.keys, row);
        push_object(&mut to.new_values, &from.new_values, row);
        push_object(&mut to.old_values, &from.old_values, row);
    }
    to.mod_ends.push(as_u32(to.mod_ids.len()));
}

fn push_object(to: &mut Objects, from: &Objects, index: usize) {
    let moved_from = span(from.texts.ends(), index).start;
    let moved_to = to.texts.bytes().len();
    let rebased = |place: &u32| as_u32(as_usize(*place) - moved_from + moved_to);
    let cells = span(&from.cell_ends, index);
    push_value(&mut to.texts, &from.texts, index);
    for cell in cells {
        push(&mut to.cell_columns, &from.cell_columns, cell);
        to.cell_starts
            .extend(from.cell_starts.get(cell).map(rebased));
        to.cell_stops.extend(from.cell_stops.get(cell).map(rebased));
    }
    to.cell_ends.push(as_u32(to.cell_columns.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two records: the first with two modifications of one cell each, the second with one.
    fn batch() -> ChangeBatch {
        let mut batch = ChangeBatch::default();
        let mut mods = 0;
        for (id, keys) in [
            ("a", vec!["{\"K\":1}", "{\"K\":22}"]),
            ("b", vec!["{\"K\":333}"]),
        ] {
            batch.table.push(0);
            batch.ids.push(id.as_bytes());
            batch.mod_types.push(b"INSERT");
            for key in keys {
                let base = batch.keys.texts.bytes().len();
                batch.mod_ids.push(id.as_bytes());
                batch.keys.texts.push(key.as_bytes());
                batch.keys.cell_columns.push(0);
                batch.keys.cell_starts.push(as_u32(base + 5));
                batch.keys.cell_stops.push(as_u32(base + key.len() - 1));
                mods += 1;
                batch.keys.cell_ends.push(mods);
                for objects in [&mut batch.new_values, &mut batch.old_values] {
                    objects.texts.push(b"");
                    objects.cell_ends.push(0);
                }
            }
            batch.mod_ends.push(mods);
        }
        batch
    }

    #[test]
    fn a_selected_record_keeps_its_rows_and_cells() {
        let selected = select(&batch(), [1]);
        assert_eq!(selected.records(), 1);
        assert_eq!(selected.ids.get(0), Some(&b"b"[..]));
        assert_eq!(selected.mod_ends, [1]);
        let cell = as_usize(selected.keys.cell_starts[0])..as_usize(selected.keys.cell_stops[0]);
        assert_eq!(&selected.keys.texts.bytes()[cell], b"333");
    }

    #[test]
    fn selecting_every_record_changes_nothing() {
        let (all, whole) = (select(&batch(), 0..2), batch());
        assert_eq!(all.records(), whole.records());
        assert_eq!(all.mod_ends, whole.mod_ends);
        assert_eq!(all.keys.texts.bytes(), whole.keys.texts.bytes());
        assert_eq!(all.keys.cell_ends, whole.keys.cell_ends);
        assert_eq!(all.keys.cell_starts, whole.keys.cell_starts);
        assert_eq!(all.keys.cell_stops, whole.keys.cell_stops);
        assert_eq!(select(&batch(), [0, 7]).records(), 1);
    }
}
