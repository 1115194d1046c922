//! Mutations as large as Bigtable takes them.

use acequia_decode::bigtable::{Assembler, MutationBatch, Options, Step};
use bytes::Bytes;

use super::drive::answer;
use super::frames::{data, ended, first, more, set};

/// Entries that a request for one row may have.
///
/// Source: google/bigtable/v2/bigtable.proto, `MutateRowRequest.mutations`.
const ENTRIES: usize = 100_000;
const ENTRIES_OF_A_MESSAGE: usize = 100;

/// A mutation that sets as many cells, each in a column of its own, in messages of 100.
fn messages() -> Vec<Bytes> {
    let cells: Vec<_> = (0..ENTRIES)
        .map(|index| set("f", format!("q{index}").as_bytes(), b"value"))
        .collect();
    let mut messages: Vec<_> = cells
        .chunks(ENTRIES_OF_A_MESSAGE)
        .map(|cells| more(cells.iter().cloned()))
        .collect();
    messages[0] = first(messages[0].chunks.clone());
    let last = messages.pop().unwrap();
    messages.push(ended(last));
    messages.into_iter().map(data).collect()
}

fn entries(batch: &MutationBatch) {
    assert_eq!(batch.entry_ends, [ENTRIES as u32]);
    assert_eq!(batch.values.bytes().len(), ENTRIES * b"value".len());
    let last = format!("q{}", ENTRIES - 1);
    assert_eq!(batch.qualifiers.get(ENTRIES - 1), Some(last.as_bytes()));
}

#[test]
fn a_mutation_of_100_000_entries_is_read_whole() {
    let mut assembler = Assembler::new(Options::default());
    let mut batch = MutationBatch::default();
    let frames = messages();
    for frame in &frames {
        assert_eq!(assembler.next(&mut batch), Ok(Step::Empty));
        assembler.push(frame.clone()).unwrap();
    }
    let Step::Mutation(mark) = assembler.next(&mut batch).unwrap() else {
        panic!("a mutation");
    };
    assert_eq!(
        mark.bytes,
        frames.iter().map(Bytes::len).sum::<usize>() as u64
    );
    entries(&batch);
}

#[test]
fn a_mutation_with_more_columns_than_are_remembered_is_asked_about_once() {
    let mut assembler = Assembler::new(Options {
        filter_names: true,
        ..Options::default()
    });
    let mut batch = MutationBatch::default();
    for frame in messages() {
        assembler.push(frame).unwrap();
    }
    let Step::Unplanned(names) = assembler.next(&mut batch).unwrap() else {
        panic!("a question");
    };
    assert_eq!(names.columns[0].qualifiers.len(), ENTRIES);
    assembler.plan(&answer(&names, |_, _| true)).unwrap();
    assert!(matches!(assembler.next(&mut batch), Ok(Step::Mutation(_))));
    entries(&batch);
}

#[test]
fn a_mutation_has_a_limit() {
    // 33 messages of 16 MiB are more than 512 MiB. They are one frame, whose memory they share.
    let value = vec![0; 16 << 20];
    let mut assembler = Assembler::new(Options::default());
    assembler.push(data(first([set("f", b"q", b"")]))).unwrap();
    let frame = data(more([set("f", b"q", &value)]));
    let pushed = (0..33).map(|_| assembler.push(frame.clone()));
    let error = pushed.collect::<Result<Vec<()>, _>>().unwrap_err();
    assert_eq!(error.what(), "a mutation of at most 512 MiB");
}
