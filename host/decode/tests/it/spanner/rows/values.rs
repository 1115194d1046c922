//! What one row becomes: its values by their types, its key, its id.

use acequia_decode::spanner::{KeyJson, RowAssembler, RowOrigin, RowStart};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{Type, TypeCode};
use prost_types::Value;

use crate::spanner::frames::{array, flag, list, null, number, of, struct_type, structs, text};
use crate::spanner::rows::drive::{expected, query, rows, table, texts};
use crate::spanner::rows::frames::{columns, first, things};

/// The JSON of one value of one column.
fn cell(column: Type, value: Value) -> String {
    let batch = rows(query(), &[first(&columns([("", column)]), [value])]);
    texts(&batch.cells)[0].to_owned()
}

#[test]
fn a_row_of_a_table_has_its_key_and_an_id_of_it() {
    let frames = [first(&things(), [text("1"), text("x"), text("2"), null()])];
    let batch = rows(table(), &frames);
    assert_eq!(batch.table, "Things");
    assert_eq!(batch.read_timestamp, "2026-11-30T20:41:00.5Z");
    assert_eq!(batch.partition, "Things/0");
    assert_eq!(texts(&batch.column_names), ["k", "a"]);
    let types = [r#"{"code":"INT64"}"#, r#"{"code":"STRING"}"#];
    assert_eq!(texts(&batch.column_types), types);
    assert_eq!(batch.column_keys, [1, 0]);
    assert_eq!(texts(&batch.keys), [r#"{"k":"1"}"#, r#"{"k":"2"}"#]);
    let ids = [
        r#"2026-11-30T20:41:00.5Z/Things/{"k":"1"}"#,
        r#"2026-11-30T20:41:00.5Z/Things/{"k":"2"}"#,
    ];
    assert_eq!(texts(&batch.ids), ids);
    assert_eq!(texts(&batch.cells), [r#""1""#, r#""x""#, r#""2""#, "null"]);
}

/// A key of many types, and what the emulator sends as `keys` when the row is inserted.
#[test]
fn the_key_is_the_one_of_a_change_record() {
    let nasty = "q\"b\\s/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f}\u{2028}\u{e9}\u{1f600}<>&'";
    let metadata = columns([
        ("bb", of(TypeCode::String)),
        ("a", of(TypeCode::Int64)),
        ("Zed", of(TypeCode::Float64)),
        ("f32", of(TypeCode::Float32)),
        ("byt", of(TypeCode::Bytes)),
        ("d", of(TypeCode::Date)),
        ("n", of(TypeCode::Numeric)),
        ("bo", of(TypeCode::Bool)),
        ("\u{e9}", of(TypeCode::String)),
    ]);
    let values = [
        text("plain"),
        text("12"),
        number(1.5e-7),
        number(f64::from(1.5e-7_f32)),
        text("AP8="),
        text("2026-01-02"),
        text("1.5"),
        flag(true),
        text(nasty),
    ];
    let key = ["bb", "a", "Zed", "f32", "byt", "d", "n", "bo", "\u{e9}"];
    let origin = RowOrigin {
        key: key.map(str::to_owned).to_vec(),
        ..table()
    };
    let batch = rows(origin.clone(), &[first(&metadata, values.clone())]);
    let sent = "{\"Zed\":1.5e-07,\"a\":\"12\",\"bb\":\"plain\",\"bo\":true,\"byt\":\"AP8=\",\
                \"d\":\"2026-01-02\",\"f32\":1.500000053056283e-07,\"n\":\"1.5\",\
                \"\u{e9}\":\"q\\\"b\\\\s/\\b\\f\\n\\r\\t\\u0001\\u001f\u{7f}\u{2028}\u{e9}\u{1f600}<>&'\"}";
    assert_eq!(texts(&batch.keys), [sent]);
    let jsonb = RowOrigin {
        key_json: KeyJson::Jsonb,
        ..origin
    };
    let batch = rows(jsonb, &[first(&metadata, values)]);
    assert!(texts(&batch.keys)[0].starts_with("{\"a\": \"12\", \"d\": \"2026-01-02\", "));
}

#[test]
fn a_table_without_its_whole_key_is_numbered_like_a_query() {
    let origin = RowOrigin {
        key: vec!["k".to_owned(), "not read".to_owned()],
        ..table()
    };
    let batch = rows(origin, &[first(&things(), [text("1"), text("x")])]);
    assert_eq!(texts(&batch.keys), [""]);
    assert_eq!(texts(&batch.ids), ["2026-11-30T20:41:00.5Z/c0ffee/0"]);
    assert_eq!(batch.column_keys, [1, 0]);
}

#[test]
fn columns_of_a_query_may_be_unnamed_and_named_twice() {
    let metadata = columns([
        ("", of(TypeCode::Int64)),
        ("a", of(TypeCode::Bool)),
        ("a", of(TypeCode::Bool)),
    ]);
    let frames = [first(&metadata, [text("1"), flag(true), flag(false)])];
    let batch = rows(query(), &frames);
    assert_eq!(texts(&batch.column_names), ["", "a", "a"]);
    assert_eq!(texts(&batch.cells), [r#""1""#, "true", "false"]);
}

#[test]
fn values_are_encoded_as_in_change_records() {
    for (code, value, json) in [
        (
            TypeCode::Int64,
            text("9007199254740993"),
            r#""9007199254740993""#,
        ),
        (TypeCode::Numeric, text("1.50"), r#""1.50""#),
        (TypeCode::Bytes, text("AP8="), r#""AP8=""#),
        (TypeCode::Float64, number(1e21), "1e+21"),
        (TypeCode::Float64, text("-Infinity"), r#""-Infinity""#),
        (
            TypeCode::Float32,
            number(f64::from(0.1_f32)),
            "0.10000000149011612",
        ),
        (TypeCode::Json, text(r#"{"a":1}"#), r#""{\"a\":1}""#),
        (TypeCode::Bool, flag(false), "false"),
    ] {
        assert_eq!(cell(of(code), value.clone()), json);
        let in_array = cell(array(of(code)), list([value, null()]));
        assert_eq!(in_array, format!("[{json},null]"));
        assert_eq!(cell(array(of(code)), null()), "null");
    }
}

#[test]
fn a_struct_is_an_object_in_the_order_of_its_fields() {
    let pair = [
        ("b", of(TypeCode::Int64)),
        ("a", structs([("x", of(TypeCode::Bool))])),
    ];
    let column = structs(pair);
    let inner = list([list([flag(true)]), null()]);
    let value = list([list([text("1"), inner]), null(), list([null(), null()])]);
    let json = r#"[{"b":"1","a":[{"x":true},null]},null,{"b":null,"a":null}]"#;
    assert_eq!(cell(column, value), json);
    let empty = Type {
        struct_type: Some(struct_type([])),
        ..of(TypeCode::Struct)
    };
    assert_eq!(cell(array(empty), list([list([])])), "[{}]");
}

#[test]
fn a_struct_keeps_fields_without_a_name_and_named_alike() {
    let fields = ["", "a", "a"].map(|name| (name, of(TypeCode::Int64)));
    let value = list([list([text("1"), text("2"), text("3")])]);
    assert_eq!(
        cell(structs(fields), value),
        r#"[{"":"1","a":"2","a":"3"}]"#
    );
}

#[test]
fn a_struct_has_a_value_for_each_field() {
    let metadata = columns([("s", structs([("a", of(TypeCode::Int64))]))]);
    for (values, what) in [
        (list([]), "a value for each field"),
        (list([null(), null()]), "a field for each value"),
        (text("a"), "a list"),
    ] {
        let frames = [first(&metadata, [list([values])])];
        assert_eq!(expected(query(), &frames), what);
    }
    let frames = [first(&metadata, [text("no list")])];
    assert_eq!(expected(query(), &frames), "a list");
}

#[test]
fn types_nest_as_deep_as_is_documented_and_no_deeper() {
    let deep = |levels: usize| {
        let nested = (0..levels).fold(of(TypeCode::String), |of, _| structs([("s", of)]));
        columns([("c", nested)])
    };
    // 15 levels of structs are 30 with their arrays.
    assert!(rows(query(), &[first(&deep(15), [null()])]).rows() == 1);
    let frames = [first(&deep(16), [])];
    assert_eq!(expected(query(), &frames), "at most 32 levels of types");
}

#[test]
fn a_read_timestamp_gets_its_z() {
    let origin = |at: &str| RowOrigin {
        read_timestamp: at.to_owned(),
        ..table()
    };
    let frames = [first(&things(), [text("1"), null()])];
    let batch = rows(origin("2026-11-30T20:41:00+00:00"), &frames);
    assert_eq!(batch.read_timestamp, "2026-11-30T20:41:00Z");
    let error = RowAssembler::new(origin("now"), RowStart::default()).unwrap_err();
    assert_eq!(error.path(), "read_timestamp");
}
