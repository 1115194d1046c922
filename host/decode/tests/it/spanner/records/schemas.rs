//! Tables in a batch, and records that are known already.

use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step, TablePlan};
use prost_types::Value;
use prost_types::value::Kind;

use crate::spanner::frames::{
    data, encode, envelope, frame, google_sql_type, list, modification, text,
};

/// A record of a table that has a column of this type.
fn record(table: &str, of: &str) -> Value {
    let mut record = data([modification("{}", r#"{"a":1}"#, "{}")]);
    if let Some(Kind::ListValue(fields)) = &mut record.kind {
        let column = list([
            text("a"),
            text(of),
            crate::spanner::frames::flag(false),
            text("1"),
        ]);
        fields.values[4] = text(table);
        fields.values[5] = list([column]);
    }
    record
}

/// A stream of these records in an assembler.
fn stream(records: Vec<Value>) -> Assembler {
    let mut assembler = Assembler::new(Shape::GoogleSql, Options::default());
    let row = envelope(records, vec![], vec![]);
    assembler
        .push(encode(&frame(google_sql_type(), [row])))
        .unwrap();
    assembler
}

/// Reads the next record and answers for it; the number of questions.
fn next(assembler: &mut Assembler, batch: &mut ChangeBatch) -> usize {
    for questions in 0.. {
        match assembler.next(batch, &mut |_, _, _| false).unwrap() {
            Step::Unplanned(described) => {
                let plan = TablePlan {
                    table: true,
                    columns: vec![true; described.columns.len()],
                };
                assembler.plan(described.id, plan).unwrap();
            }
            Step::Record(_) => return questions,
            other => panic!("a record, not {other:?}"),
        }
    }
    unreachable!("a question is asked once")
}

#[test]
fn a_table_is_asked_about_once_and_stands_in_a_batch_once() {
    let tables = ["T", "U", "T", "U", "T"];
    let mut assembler = stream(tables.map(|table| record(table, "{}")).to_vec());
    let mut batch = ChangeBatch::default();
    let questions = tables.map(|_| next(&mut assembler, &mut batch));
    assert_eq!(questions, [1, 1, 0, 0, 0]);
    assert_eq!(batch.table, [0, 1, 0, 1, 0]);
    assert_eq!(batch.tables.names.bytes(), b"TU");
}

#[test]
fn a_column_that_changed_makes_the_table_a_second_one() {
    let mut assembler = stream(vec![record("T", "{}"), record("T", "{\"code\":\"JSON\"}")]);
    let mut batch = ChangeBatch::default();
    assert_eq!(next(&mut assembler, &mut batch), 1);
    assert_eq!(next(&mut assembler, &mut batch), 1);
    assert_eq!(batch.table, [0, 1]);
    assert_eq!(batch.tables.names.bytes(), b"TT");
}

#[test]
fn a_new_batch_describes_its_tables_anew() {
    let mut assembler = stream(vec![record("T", "{}"), record("T", "{}")]);
    let mut batch = ChangeBatch::default();
    next(&mut assembler, &mut batch);
    let first = batch.take();
    assert!(batch.is_empty());
    assert_eq!(next(&mut assembler, &mut batch), 0);
    assert_eq!(batch.tables, first.tables);
    batch.clear();
    assert_eq!((batch.records(), batch.bytes()), (0, 0));
}

#[test]
fn streams_that_share_a_batch_do_not_share_tables() {
    let mut batch = ChangeBatch::default();
    next(&mut stream(vec![record("T", "{}")]), &mut batch);
    next(&mut stream(vec![record("U", "{}")]), &mut batch);
    assert_eq!(batch.table, [0, 1]);
    assert_eq!(batch.tables.names.bytes(), b"TU");
}

#[test]
fn a_covered_record_touches_nothing_and_asks_nothing() {
    let mut assembler = stream(vec![record("T", "{}"), record("T", "{}")]);
    let mut batch = ChangeBatch::default();
    let mut asked = Vec::new();
    let step = assembler.next(&mut batch, &mut |at, transaction, sequence| {
        asked.push((at.to_string(), transaction.to_owned(), sequence.to_owned()));
        true
    });
    assert_eq!(step, Ok(Step::Covered));
    assert_eq!(batch.bytes(), 0);
    let expected = ("2026-11-30T20:41:00.5Z", "txn", "00000001");
    let expected = (
        expected.0.to_owned(),
        expected.1.to_owned(),
        expected.2.to_owned(),
    );
    assert_eq!(asked, [expected]);
    assert_eq!(next(&mut assembler, &mut batch), 1);
    assert_eq!(batch.records(), 1);
}

#[test]
fn tables_past_the_limit_are_asked_about_again() {
    let many = 1100;
    let names = (0..many).map(|index| format!("T{index}"));
    let records: Vec<_> = names.map(|name| record(&name, "{}")).collect();
    let last = records.last().cloned();
    let records = records
        .iter()
        .cloned()
        .chain(last)
        .chain([records[0].clone()]);
    let mut assembler = stream(records.collect());
    let mut batch = ChangeBatch::default();
    for _ in 0..many {
        assert_eq!(next(&mut assembler, &mut batch), 1);
    }
    assert_eq!(
        next(&mut assembler, &mut batch),
        0,
        "the newest is remembered"
    );
    assert_eq!(
        next(&mut assembler, &mut batch),
        1,
        "the oldest is forgotten"
    );
}
