//! Records that lack what a record cannot do without, or that are not what they say.

use acequia_decode::Malformed;
use prost_types::Value;
use prost_types::value::Kind;

use super::google_sql;
use crate::spanner::frames::{data, envelope, flag, list, modification, null, number, text};

/// A good record, one field of which is replaced.
fn with(field: usize, value: Value) -> Result<(), Malformed> {
    let mut record = data([modification(r#"{"k":"1"}"#, "{}", "{}")]);
    if let Some(Kind::ListValue(fields)) = &mut record.kind {
        fields.values[field] = value;
    }
    google_sql(envelope(vec![record], vec![], vec![])).map(|_| ())
}

fn path(field: usize, value: Value) -> String {
    with(field, value).unwrap_err().path().to_owned()
}

#[test]
fn a_record_needs_its_timestamp_its_sequence_its_transaction_and_its_table() {
    for (field, name) in [
        (0, "commit_timestamp"),
        (1, "record_sequence"),
        (2, "server_transaction_id"),
        (4, "table_name"),
    ] {
        assert_eq!(path(field, null()), format!("data_change_record.{name}"));
    }
}

#[test]
fn what_else_is_missing_is_empty() {
    for field in [3, 5, 7, 8, 9, 10, 11, 12] {
        let value = if field == 5 { data_columns() } else { null() };
        assert_eq!(with(field, value), Ok(()), "field {field}");
    }
    assert_eq!(with(6, null()), Ok(()), "no modifications");
}

/// The columns of the good record.
fn data_columns() -> Value {
    match data([]).kind {
        Some(Kind::ListValue(mut fields)) => fields.values.swap_remove(5),
        other => panic!("a struct is a list, not {other:?}"),
    }
}

#[test]
fn a_value_of_another_kind_is_malformed() {
    for (field, value) in [
        (0, text("yesterday")),
        (3, text("true")),
        (4, number(1.0)),
        (5, text("")),
        (6, flag(true)),
        (9, text("many")),
    ] {
        assert!(with(field, value).is_err(), "field {field}");
    }
}

#[test]
fn a_column_that_is_described_twice_is_malformed() {
    let column = || list([text("k"), text("{}"), flag(true), text("1")]);
    assert_eq!(
        path(5, list([column(), column()])),
        "data_change_record.column_types"
    );
}

#[test]
fn the_place_is_a_path_with_indexes() {
    let mods = list([
        modification(r#"{"k":"1"}"#, "{}", "{}"),
        modification(r#"{"k":"1"}"#, r#"{"a":}"#, "{}"),
    ]);
    let error = with(6, mods).unwrap_err();
    assert_eq!(
        error.to_string(),
        "malformed message: expected a JSON value \
         at data_change_record.mods[1].new_values, offset 5"
    );
}

#[test]
fn ids_have_a_limit() {
    assert_eq!(with(2, text("t".repeat(1024))), Ok(()));
    assert_eq!(
        path(2, text("t".repeat(1025))),
        "data_change_record.server_transaction_id"
    );
}

#[test]
fn an_added_kind_of_record_is_not_passed_over() {
    use crate::spanner::frames::{encode, frame, google_sql_type, of};
    use googleapis_tonic_google_spanner_v1::google::spanner::v1::{TypeCode, struct_type::Field};
    let mut column = google_sql_type();
    let record = column.array_element_type.as_mut().unwrap();
    record.struct_type.as_mut().unwrap().fields.push(Field {
        name: "added_record".to_owned(),
        r#type: Some(crate::spanner::frames::array(of(TypeCode::String))),
    });
    let read = |added: Value| {
        let row = list([list([list([]), list([]), null(), added])]);
        let frames = [encode(&frame(column.clone(), [row]))];
        crate::spanner::drive::read_all(acequia_decode::spanner::Shape::GoogleSql, frames)
    };
    assert_eq!(read(list([])), Ok(vec![]));
    assert_eq!(read(null()), Ok(vec![]));
    let what = read(list([text("x")])).unwrap_err().what();
    assert_eq!(what, "a data, heartbeat or child partitions record");
}

#[test]
fn a_failed_record_leaves_the_records_before_it() {
    use acequia_decode::spanner::{ChangeBatch, Options, Shape};
    let good = data([modification(r#"{"k":"1"}"#, r#"{"a":"x"}"#, "{}")]);
    let bad = data([
        modification(r#"{"k":"1"}"#, r#"{"a":"x"}"#, "{}"),
        modification(r#"{"k":"1"}"#, r#"{"a":"x"}"#, r#"{"a":"x","a":1}"#),
    ]);
    let read = |records: Vec<Value>| {
        let row = envelope(records, vec![], vec![]);
        let frame = crate::spanner::frames::frame(crate::spanner::frames::google_sql_type(), [row]);
        let frames = [crate::spanner::frames::encode(&frame)];
        let mut batch = ChangeBatch::default();
        let options = Options::default();
        let keep = |_: &str, _: &str| true;
        let read =
            crate::spanner::drive::read_into(&mut batch, Shape::GoogleSql, options, keep, frames);
        (read.is_ok(), batch)
    };
    let (is_ok, after_good) = read(vec![good.clone()]);
    assert!(is_ok);
    let (is_ok, after_bad) = read(vec![good, bad]);
    assert!(!is_ok);
    assert_eq!(after_bad.bytes(), after_good.bytes());
    assert_eq!(after_bad.old_values, after_good.old_values);
    assert_eq!(after_bad.mod_ids.len(), 1);
}
