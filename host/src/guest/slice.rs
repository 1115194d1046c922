//! A part of a batch as a batch of its own, for narrowing a failure down.

use std::ops::Range;

use acequia_decode::{ChangeBatch, Objects, Texts, Times};

/// Copies a range of records. The table dictionary is copied whole, so that its indices stay.
/// Indices past the batch are left out.
pub(super) fn records(batch: &ChangeBatch, range: Range<usize>) -> ChangeBatch {
    let mods = start(&batch.mod_ends, &range)..end(&batch.mod_ends, &range);
    let mut part = ChangeBatch::default();
    part.tables = batch.tables.clone();
    part.table = list(&batch.table, &range);
    part.ids = texts(&batch.ids, &range);
    part.commit_timestamps = texts(&batch.commit_timestamps, &range);
    part.commit_times = Times {
        seconds: list(&batch.commit_times.seconds, &range),
        nanos: list(&batch.commit_times.nanos, &range),
    };
    part.record_sequences = texts(&batch.record_sequences, &range);
    part.transaction_ids = texts(&batch.transaction_ids, &range);
    part.mod_types = texts(&batch.mod_types, &range);
    part.value_capture_types = texts(&batch.value_capture_types, &range);
    part.transaction_tags = texts(&batch.transaction_tags, &range);
    part.is_last = list(&batch.is_last, &range);
    part.is_system = list(&batch.is_system, &range);
    part.records_in_transaction = list(&batch.records_in_transaction, &range);
    part.partitions_in_transaction = list(&batch.partitions_in_transaction, &range);
    part.mod_ends = rebased(&batch.mod_ends, &range, mods.start);
    part.mod_ids = texts(&batch.mod_ids, &mods);
    part.keys = objects(&batch.keys, &mods);
    part.new_values = objects(&batch.new_values, &mods);
    part.old_values = objects(&batch.old_values, &mods);
    part
}

fn objects(whole: &Objects, range: &Range<usize>) -> Objects {
    let cells = start(&whole.cell_ends, range)..end(&whole.cell_ends, range);
    let bytes_before = start(whole.texts.ends(), range);
    Objects {
        texts: texts(&whole.texts, range),
        cell_ends: rebased(&whole.cell_ends, range, cells.start),
        cell_columns: list(&whole.cell_columns, &cells),
        cell_starts: rebased(&whole.cell_starts, &cells, bytes_before),
        cell_stops: rebased(&whole.cell_stops, &cells, bytes_before),
    }
}

fn texts(whole: &Texts, range: &Range<usize>) -> Texts {
    let mut part = Texts::default();
    for text in range.clone().map_while(|index| whole.get(index)) {
        part.push(text);
    }
    part
}

fn list<T: Copy>(whole: &[T], range: &Range<usize>) -> Vec<T> {
    whole.get(range.clone()).unwrap_or_default().to_vec()
}

/// Positions of a range, counted from `before` on.
fn rebased(whole: &[u32], range: &Range<usize>, before: usize) -> Vec<u32> {
    let before = u32::try_from(before).unwrap_or(u32::MAX);
    let part = whole.get(range.clone()).unwrap_or_default();
    part.iter()
        .map(|position| position.saturating_sub(before))
        .collect()
}

/// Where the first of a range of lists begins.
fn start(ends: &[u32], range: &Range<usize>) -> usize {
    range
        .start
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .map_or(0, |&end| end as usize)
}

/// Where the last of a range of lists ends.
fn end(ends: &[u32], range: &Range<usize>) -> usize {
    start(ends, &(range.end..range.end))
}
