//! The decoder under test, driven as a host drives it, and what it gave in a form to compare.

use acequia_decode::bigtable::{
    Assembler, Kept, MutationBatch, MutationMark, Names, NamesPlan, Options, Step,
};
use acequia_decode::{Blobs, Malformed, Texts};
use bytes::Bytes;
use jiff::Timestamp;

/// One thing that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read {
    /// A mutation that is in the batch.
    Mutation(Row),
    /// Any other step.
    Step(Step),
}

/// A mutation of a batch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) row_key: Vec<u8>,
    pub(crate) is_garbage_collection: u8,
    pub(crate) source_cluster_id: String,
    pub(crate) commit_timestamp: String,
    pub(crate) commit_time: (i64, u32),
    pub(crate) tie_breaker: i32,
    pub(crate) low_watermark: String,
    pub(crate) entries: Vec<Cell>,
    pub(crate) token: String,
    pub(crate) dropped: u32,
}

/// An entry of a mutation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    pub(crate) kind: u8,
    pub(crate) family: String,
    pub(crate) qualifier: Vec<u8>,
    pub(crate) timestamp_micros: i64,
    pub(crate) value: Vec<u8>,
    pub(crate) addend: Option<i64>,
    pub(crate) range: (i64, i64),
}

/// Which families (no qualifier) and columns pass.
pub(crate) type Keep = fn(family: &str, qualifier: Option<&[u8]>) -> bool;

/// Everything passes, and nothing is asked.
pub(crate) const EVERYTHING: Option<Keep> = None;

/// The answer to a question, by a rule.
pub(crate) fn answer(names: &Names, keep: Keep) -> NamesPlan {
    let families = names.families.iter();
    let columns = names.columns.iter().map(|columns| {
        let qualifiers = columns.qualifiers.iter();
        let passes = |qualifier: &Vec<u8>| keep(&columns.family, Some(qualifier));
        qualifiers.map(passes).collect()
    });
    NamesPlan {
        families: families.map(|family| keep(family, None)).collect(),
        columns: columns.collect(),
    }
}

/// Everything that the frames hold.
pub(crate) fn read(
    options: Options,
    keep: Option<Keep>,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<Vec<Read>, Malformed> {
    let mut batch = MutationBatch::default();
    read_into(&mut batch, options, keep, frames)
}

/// The same into a batch that the caller wants to see.
pub(crate) fn read_into(
    batch: &mut MutationBatch,
    options: Options,
    keep: Option<Keep>,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<Vec<Read>, Malformed> {
    let mut assembler = Assembler::new(Options {
        filter_names: keep.is_some(),
        ..options
    });
    let mut found = Vec::new();
    for frame in frames {
        assembler.push(frame)?;
        loop {
            match assembler.next(batch)? {
                Step::Empty => break,
                Step::Unplanned(names) => {
                    assembler.plan(&answer(&names, keep.unwrap())).unwrap();
                }
                Step::Mutation(mark) if mark.kept == Kept::Appended => {
                    found.push(Read::Mutation(last_row(batch, &mark)));
                }
                step => found.push(Read::Step(step)),
            }
        }
    }
    assembler.finish()?;
    Ok(found)
}

/// A short way to read frames without a filter.
pub(crate) fn read_all(frames: impl IntoIterator<Item = Bytes>) -> Result<Vec<Read>, Malformed> {
    read(Options::default(), EVERYTHING, frames)
}

/// The only mutation of the frames.
pub(crate) fn read_one(frames: impl IntoIterator<Item = Bytes>) -> Result<Row, Malformed> {
    match read_all(frames)?.as_slice() {
        [Read::Mutation(row)] => Ok(row.clone()),
        other => panic!("one mutation, not {other:?}"),
    }
}

/// The last mutation of a batch.
fn last_row(batch: &MutationBatch, mark: &MutationMark) -> Row {
    let row = batch.mutations() - 1;
    let start = if row == 0 {
        0
    } else {
        batch.entry_ends[row - 1]
    };
    let entries = start as usize..batch.entry_ends[row] as usize;
    let nanos = batch.commit_times.nanos[row] as i32;
    let commit = Timestamp::new(batch.commit_times.seconds[row], nanos);
    assert_eq!(commit.unwrap(), mark.at);
    Row {
        id: text(&batch.ids, row),
        row_key: bytes(&batch.row_keys, row),
        is_garbage_collection: batch.is_garbage_collection[row],
        source_cluster_id: text(&batch.source_cluster_ids, row),
        commit_timestamp: text(&batch.commit_timestamps, row),
        commit_time: (
            batch.commit_times.seconds[row],
            batch.commit_times.nanos[row],
        ),
        tie_breaker: batch.tie_breakers[row],
        low_watermark: text(&batch.low_watermarks, row),
        entries: entries.map(|index| cell(batch, index)).collect(),
        token: mark.token.to_string(),
        dropped: mark.entries_dropped,
    }
}

fn cell(batch: &MutationBatch, index: usize) -> Cell {
    Cell {
        kind: batch.entry_kinds[index],
        family: text(&batch.families, batch.entry_families[index] as usize),
        qualifier: bytes(&batch.qualifiers, index),
        timestamp_micros: batch.timestamps_micros[index],
        value: bytes(&batch.values, index),
        addend: addend(batch, index),
        range: (
            batch.range_starts_micros[index],
            batch.range_ends_micros[index],
        ),
    }
}

/// The number that was added or merged; the column is 0 where there is none.
fn addend(batch: &MutationBatch, index: usize) -> Option<i64> {
    let number = batch.addends[index];
    match batch.has_addend[index] {
        1 => Some(number),
        no => {
            assert_eq!((no, number), (0, 0));
            None
        }
    }
}

fn text(texts: &Texts, index: usize) -> String {
    String::from_utf8(texts.get(index).unwrap().to_vec()).unwrap()
}

fn bytes(blobs: &Blobs, index: usize) -> Vec<u8> {
    blobs.get(index).unwrap().to_vec()
}
