//! Values of parameters and keys: their types, and what is sent of them.
//!
//! What is sent is the encoding of `google.spanner.v1.TypeCode`.

use acequia_host::config::{Environment, KeySet, Parameter, ReadOperation, ScalarType, SqlType};
use serde_json::{Value, json};

use crate::support::{of_batch, read_batch_in};

fn read(operation: &str) -> Result<ReadOperation, String> {
    let lines =
        format!("database: projects/p/instances/i/databases/d\nread-operation: {operation}");
    read_batch_in(Environment::default(), &lines).map(|config| of_batch(Ok(config)).read_operation)
}

fn param(value: &str) -> Result<(SqlType, Value), String> {
    let operation = format!("{{ query: {{ sql: SELECT @a, params: {{ a: {value} }} }} }}");
    let told = |refusal: String| refusal.replace("read-operation.query.params.", "");
    match read(&operation).map_err(told)? {
        ReadOperation::Query(query) => {
            let [Parameter { r#type, value, .. }] = query.params.as_slice() else {
                panic!("{query:?}")
            };
            Ok((*r#type, value.json().clone()))
        }
        ReadOperation::Table(table) => panic!("{table:?}"),
    }
}

fn part(value: &str) -> Result<Value, String> {
    let operation =
        format!("{{ table: {{ name: T, columns: [a], key-set: {{ keys: [[{value}]] }} }} }}");
    let told = |refusal: String| refusal.replace("read-operation.table.key-set.keys[0]", "");
    match read(&operation).map_err(told)? {
        ReadOperation::Table(table) => match table.key_set {
            KeySet::Some { keys, .. } => Ok(keys[0][0].json().clone()),
            KeySet::All => panic!("all"),
        },
        ReadOperation::Query(query) => panic!("{query:?}"),
    }
}

#[test]
fn a_value_that_is_of_one_type_says_it_by_itself() {
    let scalar = |of, json| Ok((SqlType::Scalar(of), json));
    assert_eq!(param("true"), scalar(ScalarType::Bool, json!(true)));
    assert_eq!(param("-5"), scalar(ScalarType::Int64, json!("-5")));
    assert_eq!(
        param("9223372036854775807"),
        scalar(ScalarType::Int64, json!("9223372036854775807"))
    );
    assert_eq!(param("text"), scalar(ScalarType::String, json!("text")));
    assert_eq!(param("'5'"), scalar(ScalarType::String, json!("5")));
    assert_eq!(
        param("[1, 2]"),
        Ok((SqlType::Array(ScalarType::Int64), json!(["1", "2"])))
    );
    assert_eq!(
        param("[a, b]"),
        Ok((SqlType::Array(ScalarType::String), json!(["a", "b"])))
    );
}

#[test]
fn a_value_that_may_be_of_two_types_is_refused_with_both() {
    for (value, one, other) in [
        ("1.5", "FLOAT64, value: …", "NUMERIC, value: '…'"),
        ("2026-01-31", "DATE, value: …", "STRING, value: …"),
        (
            "2026-01-31T12:00:00Z",
            "TIMESTAMP, value: …",
            "STRING, value: …",
        ),
    ] {
        let refusal = param(value).unwrap_err();
        let expected = format!("write {{ type: {one} }} or {{ type: {other} }}");
        assert!(refusal.ends_with(&expected), "{refusal}");
    }
}

#[test]
fn nothing_and_no_elements_have_no_type() {
    for (value, message) in [
        (
            "null",
            "a: has no value, and so no type; write { type: STRING, value: null }, with the type \
             that is meant",
        ),
        (
            "[]",
            "a: is empty, and so of no type; write { type: ARRAY<INT64>, value: […] }, with the type \
             that is meant",
        ),
        (
            "[1, b]",
            "a: has values of several types; write { type: ARRAY<INT64>, value: […] }, with the type \
             that is meant",
        ),
        (
            "18446744073709551615",
            "a: is no INT64; write { type: NUMERIC, value: … } if that is meant",
        ),
    ] {
        assert_eq!(param(value).unwrap_err(), message);
    }
}

#[test]
fn a_value_of_a_type_is_sent_as_the_service_encodes_it() {
    for (of, value, sent) in [
        ("BOOL", "false", json!(false)),
        ("INT64", "5", json!("5")),
        ("INT64", "'-5'", json!("-5")),
        ("FLOAT64", "1.5", json!(1.5)),
        ("FLOAT64", "2", json!(2)),
        ("FLOAT32", "NaN", json!("NaN")),
        ("FLOAT64", "-Infinity", json!("-Infinity")),
        ("NUMERIC", "'1.50'", json!("1.50")),
        (
            "NUMERIC",
            "18446744073709551615",
            json!("18446744073709551615"),
        ),
        ("PG_NUMERIC", "NaN", json!("NaN")),
        ("STRING", "2026-01-31", json!("2026-01-31")),
        ("BYTES", "bWFkZQ==", json!("bWFkZQ==")),
        ("DATE", "2026-01-31", json!("2026-01-31")),
        (
            "TIMESTAMP",
            "2026-01-31T13:00:00.123456789+01:00",
            json!("2026-01-31T12:00:00.123456789Z"),
        ),
        ("JSON", "'{\"a\":1}'", json!("{\"a\":1}")),
        ("JSON", "{ a: [1, null] }", json!("{\"a\":[1,null]}")),
        ("PG_JSONB", "true", json!("true")),
        (
            "UUID",
            "00000000-0000-4000-8000-000000000000",
            json!("00000000-0000-4000-8000-000000000000"),
        ),
        ("INTERVAL", "P1Y2M3DT4H", json!("P1Y2M3DT4H")),
        ("INT64", "null", json!(null)),
        ("ARRAY<INT64>", "[]", json!([])),
        ("ARRAY<INT64>", "[1, null]", json!(["1", null])),
        ("ARRAY<NUMERIC>", "null", json!(null)),
    ] {
        let (_, json) = param(&format!("{{ type: {of}, value: {value} }}")).unwrap();
        assert_eq!(json, sent, "{of} {value}");
    }
}

#[test]
fn a_value_of_another_type_is_refused_and_not_shown() {
    for (of, value) in [
        ("BOOL", "'true'"),
        ("INT64", "1.5"),
        ("INT64", "9223372036854775808"),
        ("FLOAT64", "hunter2"),
        ("NUMERIC", "1.5"),
        ("NUMERIC", "NaN"),
        ("STRING", "5"),
        ("BYTES", "hunter2"),
        ("DATE", "2026-02-30"),
        ("TIMESTAMP", "2026-01-31 12:00:00"),
        ("JSON", "hunter2"),
        ("UUID", "hunter2"),
        ("INTERVAL", "hunter2"),
        ("INT64", "[1]"),
        ("ARRAY<INT64>", "1"),
        ("ARRAY<INT64>", "[1, hunter2]"),
    ] {
        let refusal = param(&format!("{{ type: {of}, value: {value} }}")).unwrap_err();
        assert!(refusal.starts_with("a.value"), "{of} {value}: {refusal}");
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
}

#[test]
fn a_number_is_a_numeric_only_in_quotes_where_it_has_a_fraction() {
    assert_eq!(
        param("{ type: NUMERIC, value: 0.1 }").unwrap_err(),
        "a.value: expected a NUMERIC, a whole number, or decimal digits in quotes such as '1.50', \
         found a number"
    );
}

#[test]
fn a_type_that_there_is_not_is_suggested() {
    for (text, message) in [
        ("int64", "did you mean INT64?, or ARRAY<…> of one"),
        ("ARRAY<STRNG>", "did you mean STRING?, or ARRAY<…> of one"),
    ] {
        let refusal = param(&format!("{{ type: {text}, value: 1 }}")).unwrap_err();
        assert!(refusal.ends_with(message), "{refusal}");
    }
    assert_eq!(
        param("{ value: 1 }").unwrap_err(),
        "a.type: is missing; a type such as INT64 or ARRAY<STRING> is required"
    );
    assert_eq!(
        param("{ type: INT64, valu: 1 }").unwrap_err(),
        "a.value: is missing; a value of that type is required\n\
         a.valu: unknown option; did you mean value?"
    );
}

#[test]
fn a_part_of_a_key_is_sent_alike_for_every_type_that_it_may_be_of() {
    for (value, sent) in [
        ("5", json!("5")),
        ("true", json!(true)),
        ("null", json!(null)),
        ("2026-01-31", json!("2026-01-31")),
        ("2026-01-31T12:00:00Z", json!("2026-01-31T12:00:00Z")),
        ("bWFkZQ==", json!("bWFkZQ==")),
        ("{ type: FLOAT64, value: 5 }", json!(5)),
        (
            "{ type: TIMESTAMP, value: 2026-01-31T13:00:00+01:00 }",
            json!("2026-01-31T12:00:00Z"),
        ),
    ] {
        assert_eq!(part(value), Ok(sent), "{value}");
    }
}

#[test]
fn a_part_of_a_key_that_would_be_sent_in_two_ways_is_refused() {
    let decimal = part("1.5").unwrap_err();
    assert!(
        decimal.starts_with("[0]: may be a FLOAT64 or a NUMERIC; "),
        "{decimal}"
    );
    let instant = part("2026-01-31T13:00:00+01:00").unwrap_err();
    assert!(
        instant.starts_with("[0]: may be a TIMESTAMP or a STRING; "),
        "{instant}"
    );
    assert_eq!(
        part("{ type: ARRAY<INT64>, value: [1] }").unwrap_err(),
        "[0]: no part of a key is an array"
    );
}
