//! The decoder under test, driven as a host drives it, and what it gave in a form to compare.

use acequia_decode::spanner::{
    Assembler, ChangeBatch, Described, Kept, Objects, Options, RecordMark, Shape, Step, TablePlan,
};
use acequia_decode::{Malformed, Texts};
use bytes::Bytes;
use serde_json::{Value, json};

/// One thing that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read {
    /// A data change record that is in the batch.
    Record(Value),
    /// Any other step.
    Step(Step),
}

/// Which columns of which tables pass.
pub(crate) type Keep = fn(table: &str, column: &str) -> bool;

/// The answer to a question, by a rule.
pub(crate) fn answer(described: &Described, keep: Keep) -> TablePlan {
    let columns = described.columns.iter();
    TablePlan {
        table: keep(&described.table, ""),
        columns: columns.map(|name| keep(&described.table, name)).collect(),
    }
}

/// Everything that the frames hold.
pub(crate) fn read(
    shape: Shape,
    options: Options,
    keep: Keep,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<Vec<Read>, Malformed> {
    let mut batch = ChangeBatch::default();
    read_into(&mut batch, shape, options, keep, frames)
}

/// The same into a batch that the caller wants to see.
pub(crate) fn read_into(
    batch: &mut ChangeBatch,
    shape: Shape,
    options: Options,
    keep: Keep,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<Vec<Read>, Malformed> {
    let mut assembler = Assembler::new(shape, options);
    let mut found = Vec::new();
    for frame in frames {
        assembler.push(frame)?;
        loop {
            match assembler.next(batch, &mut |_, _, _| false)? {
                Step::Empty => break,
                Step::Unplanned(described) => {
                    let plan = answer(&described, keep);
                    assembler.plan(described.id, plan).unwrap();
                }
                Step::Record(mark) if mark.kept == Kept::Appended => {
                    found.push(Read::Record(record(batch, &mark)));
                }
                step => found.push(Read::Step(step)),
            }
        }
    }
    assembler.finish()?;
    Ok(found)
}

/// A short way to read frames without a filter.
pub(crate) fn read_all(
    shape: Shape,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<Vec<Read>, Malformed> {
    read(shape, Options::default(), |_, _| true, frames)
}

/// The last record of a batch.
fn record(batch: &ChangeBatch, mark: &RecordMark) -> Value {
    let row = batch.records() - 1;
    let mods = match row {
        0 => 0..batch.mod_ends[0],
        _ => batch.mod_ends[row - 1]..batch.mod_ends[row],
    };
    let table = batch.table[row] as usize;
    let mods = mods.map(|index| {
        let index = index as usize;
        json!({
            "id": at(&batch.mod_ids, index),
            "keys": object(batch, table, &batch.keys, index),
            "new": object(batch, table, &batch.new_values, index),
            "old": object(batch, table, &batch.old_values, index),
        })
    });
    json!({
        "id": at(&batch.ids, row),
        "commit": at(&batch.commit_timestamps, row),
        "seconds": batch.commit_times.seconds[row],
        "nanos": batch.commit_times.nanos[row],
        "sequence": at(&batch.record_sequences, row),
        "transaction": at(&batch.transaction_ids, row),
        "last": batch.is_last[row],
        "table": at(&batch.tables.names, table),
        "columns": columns(batch, table),
        "mod_type": at(&batch.mod_types, row),
        "capture": at(&batch.value_capture_types, row),
        "tag": at(&batch.transaction_tags, row),
        "system": batch.is_system[row],
        "records": batch.records_in_transaction[row],
        "partitions": batch.partitions_in_transaction[row],
        "mods": mods.collect::<Vec<_>>(),
        "dropped": mark.cells_dropped,
    })
}

fn at(texts: &Texts, index: usize) -> &str {
    std::str::from_utf8(texts.get(index).unwrap()).unwrap()
}

fn column_range(batch: &ChangeBatch, table: usize) -> std::ops::Range<usize> {
    let ends = &batch.tables.column_ends;
    let start = if table == 0 { 0 } else { ends[table - 1] };
    start as usize..ends[table] as usize
}

fn columns(batch: &ChangeBatch, table: usize) -> Vec<Value> {
    let tables = &batch.tables;
    let column = |index| {
        json!([
            at(&tables.column_names, index),
            at(&tables.column_types, index),
            tables.column_keys[index] == 1,
            tables.column_ordinals[index],
        ])
    };
    column_range(batch, table).map(column).collect()
}

/// An object: its text and its cells by column name.
fn object(batch: &ChangeBatch, table: usize, objects: &Objects, index: usize) -> Value {
    let first_column = column_range(batch, table).start;
    let start = if index == 0 {
        0
    } else {
        objects.cell_ends[index - 1]
    };
    let cells = start as usize..objects.cell_ends[index] as usize;
    let cell = |cell: usize| {
        let column = first_column + objects.cell_columns[cell] as usize;
        let span = objects.cell_starts[cell] as usize..objects.cell_stops[cell] as usize;
        let value = std::str::from_utf8(&objects.texts.bytes()[span]).unwrap();
        json!([at(&batch.tables.column_names, column), value])
    };
    json!([
        at(&objects.texts, index),
        cells.map(cell).collect::<Vec<_>>()
    ])
}
