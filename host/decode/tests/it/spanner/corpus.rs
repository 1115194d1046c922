//! The committed seeds, and what becomes of them when bytes change or are missing: an answer or an
//! error, never a panic, and no more memory than the input stands for.

use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan};
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use prost_types::Value;

use crate::corpus::{BASE_BYTES, GROWTH_MAX, is_good, seeds, stream, with_damage};
use crate::spanner::frames::{
    data, encode, envelope, frame, google_sql_type, modification, of, text,
};

const SHAPES: [Shape; 3] = [Shape::GoogleSql, Shape::PostgresJson, Shape::MutableProto];

/// Reads frames to their end or to the first error; whether there was none.
fn read(shape: Shape, frames: &[Bytes]) -> bool {
    let mut batch = ChangeBatch::default();
    let mut assembler = Assembler::new(shape, Options::default());
    let is_read = frames
        .iter()
        .all(|frame| assembler.push(frame.clone()).is_ok() && drain(&mut assembler, &mut batch));
    let sent: usize = frames.iter().map(Bytes::len).sum();
    assert!(batch.bytes() <= BASE_BYTES + GROWTH_MAX * sent);
    assert_eq!(
        batch.mod_ids.len(),
        batch.mod_ends.last().map_or(0, |&end| end as usize)
    );
    is_read && assembler.finish().is_ok()
}

fn drain(assembler: &mut Assembler, batch: &mut ChangeBatch) -> bool {
    loop {
        match assembler.next(batch, &mut |_, _, _| false) {
            Ok(Step::Empty) => return true,
            Ok(Step::Unplanned(described)) => {
                // Every other column is dropped, so that both ways to copy an object are taken.
                let columns = (0..described.columns.len()).map(|index| index % 2 == 0);
                let plan = TablePlan {
                    table: true,
                    columns: columns.collect(),
                };
                assembler.plan(described.id, plan).unwrap();
            }
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn one(
    column: googleapis_tonic_google_spanner_v1::google::spanner::v1::Type,
    row: Value,
) -> Vec<Bytes> {
    vec![encode(&frame(column, [row]))]
}

#[test]
fn frames_are_read_or_refused() {
    for (path, seed) in seeds("spanner/frames") {
        let readings = SHAPES.map(|shape| read(shape, &stream(&seed)));
        assert_eq!(
            readings.contains(&true),
            is_good(&path),
            "{}",
            path.display()
        );
        for shape in SHAPES {
            with_damage(&seed, |bytes| {
                read(shape, &stream(bytes));
            });
        }
    }
}

#[test]
fn objects_are_read_or_refused() {
    let read = |bytes: &[u8]| {
        let record = data([modification("{}", &String::from_utf8_lossy(bytes), "null")]);
        let row = envelope(vec![record], vec![], vec![]);
        read(Shape::GoogleSql, &one(google_sql_type(), row))
    };
    for (path, seed) in seeds("spanner/objects") {
        assert_eq!(read(&seed), is_good(&path), "{}", path.display());
        with_damage(&seed, |bytes| {
            read(bytes);
        });
    }
}

#[test]
fn json_rows_are_read_or_refused() {
    let read = |bytes: &[u8]| {
        let row = text(String::from_utf8_lossy(bytes));
        read(Shape::PostgresJson, &one(of(TypeCode::Json), row))
    };
    for (path, seed) in seeds("spanner/json") {
        assert_eq!(read(&seed), is_good(&path), "{}", path.display());
        with_damage(&seed, |bytes| {
            read(bytes);
        });
    }
}
