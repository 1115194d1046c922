//! The committed seeds of rows, and what becomes of them when bytes change or are missing.

use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{ChangeBatch, ReadRecords};
use bytes::Bytes;

use crate::corpus::{BASE_BYTES, GROWTH_MAX, is_good, seeds, stream, with_damage};
use crate::spanner::rows::drive::{Position, Reader, table};

/// Reads frames to their end or to the first error; whether there was none.
fn read(frames: &[Bytes]) -> bool {
    let mut batch = RowBatch::default();
    let origin = acequia_decode::spanner::RowOrigin {
        table: "T".to_owned(),
        ..table()
    };
    // Every other column is dropped, so that both ways are taken.
    let keep = |name: &str| name.len() % 2 == 1;
    let mut reader = Reader::new(origin.clone(), &Position::default())
        .unwrap()
        .keep(keep);
    let pushed = |frame: &Bytes| reader.push(&mut batch, frame.clone()).is_ok();
    let is_read = frames.iter().all(pushed) && reader.finish().is_ok();
    let sent: usize = frames.iter().map(Bytes::len).sum();
    assert!(batch.bytes() <= BASE_BYTES + GROWTH_MAX * sent);
    assert_eq!(batch.cells.len(), batch.rows() * batch.columns());
    // What was pending at the last token is what an assembler takes.
    assert!(Reader::new(origin, &reader.position).is_ok());
    let mut records = ChangeBatch::default();
    if ReadRecords::default().append(&mut records, &batch).is_ok() {
        assert_eq!(records.records(), batch.rows());
    }
    is_read
}

#[test]
fn frames_of_rows_are_read_or_refused() {
    for (path, seed) in seeds("spanner/rows") {
        assert_eq!(read(&stream(&seed)), is_good(&path), "{}", path.display());
        with_damage(&seed, |bytes| {
            read(&stream(bytes));
        });
    }
}

#[test]
fn frames_of_change_records_are_rows_too() {
    for (_, seed) in seeds("spanner/frames") {
        read(&stream(&seed));
    }
}
