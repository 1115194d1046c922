//! Streams that have a name: what the service documents, and what it must not send.

use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{RowAssembler, RowStart, RowStep, WrongPlan};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;

use crate::spanner::frames::{array, encode, list, of, structs, text};
use crate::spanner::rows::drive::{Position, Reader, expected, query, rows, table, texts};
use crate::spanner::rows::frames::{chunked, columns, first, more, things, with_token};

#[test]
fn a_value_seven_lists_deep_goes_on_across_frames_and_processes() {
    // Each array of structs is two lists.
    let inner = structs([("c", array(of(TypeCode::String)))]);
    let column = structs([("a", structs([("b", inner)]))]);
    let metadata = columns([("k", column)]);
    let deep = |part: &str| (0..7).fold(text(part), |value, _| list([value]));
    let frames = [
        chunked(first(&metadata, [deep("one ")])),
        chunked(with_token(more([deep("two ")]), "inside")),
        chunked(more([deep("")])),
        more([]),
        more([deep("three")]),
    ];
    let whole = rows(query(), &frames);
    let json = r#"[{"a":[{"b":[{"c":["one two three"]}]}]}]"#;
    assert_eq!(texts(&whole.cells), [json]);
    let mut reader = Reader::new(query(), &Position::default()).unwrap();
    for frame in &frames[..2] {
        reader
            .push(&mut RowBatch::default(), encode(frame))
            .unwrap();
    }
    let mut batch = RowBatch::default();
    let mut reader = Reader::new(query(), &reader.position).unwrap();
    reader
        .push(&mut batch, encode(&first(&metadata, [])))
        .unwrap();
    for frame in &frames[2..] {
        reader.push(&mut batch, encode(frame)).unwrap();
    }
    reader.finish().unwrap();
    assert!(batch == whole);
}

#[test]
fn rows_end_anywhere_in_a_frame() {
    let row = |key: &str| [text(key), text("x")];
    let values: Vec<_> = ["1", "2", "3"].into_iter().flat_map(row).collect();
    let whole = rows(table(), &[first(&things(), values.clone())]);
    for cut in 0..=values.len() {
        let (head, tail) = values.split_at(cut);
        let frames = [first(&things(), head.to_vec()), more(tail.to_vec())];
        assert!(rows(table(), &frames) == whole, "cut at {cut}");
    }
}

#[test]
fn metadata_may_be_sent_again_but_no_other() {
    let again = first(&things(), [text("x")]);
    let frames = [first(&things(), [text("1")]), again];
    assert_eq!(rows(table(), &frames).rows(), 1);
    let other = columns([("k", of(TypeCode::Int64)), ("b", of(TypeCode::String))]);
    let frames = [first(&things(), [text("1")]), first(&other, [text("x")])];
    let what = "the row type that was sent before";
    assert_eq!(expected(table(), &frames), what);
}

#[test]
fn a_stream_without_rows_is_legal_and_one_without_columns_is_not() {
    assert_eq!(rows(table(), &[first(&things(), []), more([])]).rows(), 0);
    assert_eq!(rows(table(), &[]).rows(), 0);
    let frames = [first(&columns([]), [])];
    assert_eq!(expected(table(), &frames), "1 to 4096 columns");
    let what = "metadata before the first value";
    assert_eq!(expected(table(), &[more([text("1")])]), what);
}

#[test]
fn a_stream_does_not_end_inside_a_row() {
    let frames = [first(&things(), [text("1")])];
    assert_eq!(expected(table(), &frames), "the rest of a row");
    let frames = [chunked(first(&things(), [text("1")]))];
    assert_eq!(expected(table(), &frames), "the rest of a chunked value");
}

#[test]
fn a_stream_has_the_rows_that_are_known() {
    let start = RowStart {
        skip: 2,
        ..RowStart::default()
    };
    let mut assembler = RowAssembler::new(table(), start).unwrap();
    let frame = first(&things(), [text("1"), text("x")]);
    assembler.push(encode(&frame)).unwrap();
    let mut batch = RowBatch::default();
    assert_eq!(assembler.next(&mut batch), Ok(RowStep::Covered));
    assert_eq!(assembler.next(&mut batch), Ok(RowStep::Empty));
    assert!(batch.is_empty());
    let error = assembler.finish().unwrap_err();
    assert_eq!(error.what(), "all rows that are known already");
}

#[test]
fn rows_are_numbered_on_from_where_a_stream_goes_on() {
    let start = RowStart {
        row: 40,
        skip: 1,
        ..RowStart::default()
    };
    let mut assembler = RowAssembler::new(query(), start).unwrap();
    let row = [text("1"), text("x")];
    let frame = first(&things(), [row.clone(), row].concat());
    assembler.push(encode(&frame)).unwrap();
    let mut batch = RowBatch::default();
    assert_eq!(assembler.next(&mut batch), Ok(RowStep::Covered));
    assembler.plan(vec![true, true]).unwrap();
    assert!(matches!(
        assembler.next(&mut batch),
        Ok(RowStep::Row { .. })
    ));
    assert_eq!(texts(&batch.ids), ["2026-11-30T20:41:00.5Z/c0ffee/41"]);
}

#[test]
fn a_token_comes_after_the_rows_that_were_complete_at_it_and_once() {
    let row = [text("1"), text("x")];
    let mut assembler = RowAssembler::new(query(), RowStart::default()).unwrap();
    // Three frames before anything is read: the second repeats the token, the third has none.
    for frame in [
        with_token(first(&things(), row.clone()), "t"),
        with_token(more(row.clone()), "t"),
        more(row),
    ] {
        assembler.push(encode(&frame)).unwrap();
    }
    assembler.plan(vec![true, true]).unwrap();
    let mut batch = RowBatch::default();
    let mut steps = std::iter::from_fn(|| Some(assembler.next(&mut batch).unwrap()));
    let row = RowStep::Row {
        bytes: 6,
        cells_dropped: 0,
    };
    let token = RowStep::Token {
        token: "t".into(),
        carry: Vec::new(),
    };
    let expected = [&row, &token, &row, &row, &RowStep::Empty];
    for step in expected {
        assert_eq!(steps.next().as_ref(), Some(step));
    }
}

#[test]
fn a_plan_answers_the_columns_outside_the_key_once() {
    let mut assembler = RowAssembler::new(table(), RowStart::default()).unwrap();
    assert_eq!(assembler.plan(vec![]), Err(WrongPlan::UnknownTable));
    let frame = first(&things(), [text("1"), text("x")]);
    assembler.push(encode(&frame)).unwrap();
    let mut batch = RowBatch::default();
    let columns = vec!["a".to_owned()];
    assert_eq!(
        assembler.next(&mut batch),
        Ok(RowStep::Unplanned { columns })
    );
    let wrong = WrongPlan::ColumnCount {
        answers: 2,
        columns: 1,
    };
    assert_eq!(assembler.plan(vec![true, true]), Err(wrong));
    assembler.plan(vec![false]).unwrap();
    let step = RowStep::Row {
        bytes: 6,
        cells_dropped: 1,
    };
    assert_eq!(assembler.next(&mut batch), Ok(step));
    assert_eq!(texts(&batch.cells), [r#""1""#]);
}

#[test]
fn nothing_is_asked_about_a_key_alone() {
    let mut assembler = RowAssembler::new(table(), RowStart::default()).unwrap();
    let metadata = columns([("k", of(TypeCode::Int64))]);
    assembler
        .push(encode(&first(&metadata, [text("1")])))
        .unwrap();
    let step = assembler.next(&mut RowBatch::default());
    assert!(matches!(step, Ok(RowStep::Row { .. })));
}
