//! Rows in a batch.

use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::RowOrigin;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;

use crate::spanner::frames::{encode, list, null, of, structs, text};
use crate::spanner::rows::drive::{Position, Reader, query, rows, table, texts};
use crate::spanner::rows::frames::{columns, first, more, things};

#[test]
fn a_row_that_is_malformed_leaves_the_batch_as_it_was() {
    let metadata = columns([
        ("a", of(TypeCode::Int64)),
        ("s", structs([("x", of(TypeCode::Bool))])),
    ]);
    let mut reader = Reader::new(query(), &Position::default()).unwrap();
    let mut batch = RowBatch::default();
    reader
        .push(&mut batch, encode(&first(&metadata, [text("1"), list([])])))
        .unwrap();
    let before = batch.clone();
    let error = reader.push(&mut batch, encode(&more([text("2"), list([list([])])])));
    let error = error.unwrap_err();
    assert_eq!(error.path(), "rows[1].s[0]");
    assert!(batch == before);
}

#[test]
fn a_batch_has_rows_of_one_partition() {
    let frame = encode(&first(&things(), [text("1"), text("x")]));
    let mut batch = rows(table(), &[first(&things(), [text("0"), text("x")])]);
    let other = RowOrigin {
        partition: "Things/1".to_owned(),
        ..table()
    };
    let mut reader = Reader::new(other.clone(), &Position::default()).unwrap();
    let error = reader.push(&mut batch, frame.clone()).unwrap_err();
    assert_eq!(error.what(), "a batch of rows of one partition");
    let taken = batch.take();
    assert_eq!((taken.rows(), batch.rows()), (1, 0));
    let mut reader = Reader::new(other, &Position::default()).unwrap();
    reader.push(&mut batch, frame).unwrap();
    assert_eq!(batch.partition, "Things/1");
    assert_eq!(batch.columns(), 2);
    batch.clear();
    assert!(batch == RowBatch::default());
}

#[test]
fn selected_rows_keep_their_ids_keys_and_cells() {
    let values = ["1", "2", "3"]
        .into_iter()
        .flat_map(|key| [text(key), null()]);
    let batch = rows(table(), &[first(&things(), values)]);
    let selected = batch.select([2, 7, 0]);
    assert_eq!(texts(&selected.keys), [r#"{"k":"3"}"#, r#"{"k":"1"}"#]);
    assert_eq!(texts(&selected.cells), [r#""3""#, "null", r#""1""#, "null"]);
    assert!(batch.select(0..3) == batch);
}

#[test]
fn what_is_shown_of_a_batch_is_its_size() {
    let batch = rows(table(), &[first(&things(), [text("1"), text("secret")])]);
    let shown = format!("{batch:?}");
    assert!(shown.starts_with("RowBatch { rows: 1, columns: 2, bytes: "));
}
