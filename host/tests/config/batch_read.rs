//! What a snapshot reads: a query, or rows of a table by their keys.

use acequia_host::config::{
    Environment, KeyBound, KeySet, QueryOperation, ReadOperation, SpannerBatch, SqlValue,
    TableOperation,
};
use serde_json::{Value, json};

use crate::support::{of_batch, read_batch, read_batch_in};

fn read(operation: &str) -> Result<SpannerBatch, String> {
    let lines =
        format!("database: projects/p/instances/i/databases/d\nread-operation: {operation}");
    read_batch_in(Environment::default(), &lines).map(|config| of_batch(Ok(config)))
}

#[track_caller]
fn query(operation: &str) -> QueryOperation {
    match read(operation).unwrap().read_operation {
        ReadOperation::Query(query) => query,
        ReadOperation::Table(table) => panic!("{table:?}"),
    }
}

#[track_caller]
fn table(members: &str) -> TableOperation {
    match read(&format!("{{ table: {{ {members} }} }}"))
        .unwrap()
        .read_operation
    {
        ReadOperation::Table(table) => table,
        ReadOperation::Query(query) => panic!("{query:?}"),
    }
}

#[track_caller]
fn refused(operation: &str, expected: &str) {
    let refusal = read(operation).unwrap_err();
    assert_eq!(refusal, expected, "{operation}");
}

fn shown(parts: &[SqlValue]) -> Value {
    parts.iter().map(|part| part.json().clone()).collect()
}

#[test]
fn a_query_is_a_text_or_a_text_with_parameters() {
    let short = query("{ query: SELECT OrderId FROM Orders }");
    assert_eq!(short.sql, "SELECT OrderId FROM Orders");
    assert_eq!(short.params, []);
    let long = query("{ query: { sql: SELECT @b - @a, params: { b: 2, a: 1 } } }");
    let names: Vec<_> = long
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn a_query_may_have_several_lines() {
    let block = query(
        "\n  query:\n    sql: |\n      SELECT OrderId\n      FROM Orders\n    params: { _p1: text }",
    );
    assert_eq!(block.sql, "SELECT OrderId\nFROM Orders");
}

#[test]
fn a_blank_query_is_refused() {
    refused(
        "{ query: { sql: ' ' } }",
        "read-operation.query.sql: must not be blank",
    );
    refused("{ query: '' }", "read-operation.query: must not be blank");
}

#[test]
fn names_of_parameters_have_no_sign_before_them() {
    let path = "read-operation.query.params";
    for (name, message) in [
        ("'@least'", ".@least: is named without the @; write least"),
        ("$1", ".$1: is named without the $; write p1"),
        (
            "1a",
            ".1a: is no name of a parameter: it must be at most 128 letters, digits and underscores, \
             and not begin with a digit; p1 is the name of $1",
        ),
    ] {
        refused(
            &format!("{{ query: {{ sql: SELECT 1, params: {{ {name}: 1 }} }} }}"),
            &format!("{path}{message}"),
        );
    }
    refused(
        "{ query: { sql: SELECT 1, params: { a: 1, a: 2 } } }",
        &format!("{path}.a: is given twice"),
    );
}

#[test]
fn a_query_and_a_table_are_not_read_together() {
    refused(
        "{ query: SELECT 1, table: { name: Orders, columns: [OrderId] } }",
        "read-operation: has both query and table; write one of them: { query: { sql: SQL } } or \
         { table: { name: TABLE, columns: [COLUMN] } }",
    );
    refused(
        "SELECT 1",
        "read-operation: expected { query: { sql: SQL } } or { table: { name: TABLE, columns: \
         [COLUMN] } }, found a text",
    );
}

#[test]
fn a_table_is_read_whole_with_its_columns() {
    let orders = table("name: Orders, columns: [OrderId, Total]");
    assert_eq!(orders.table, "Orders");
    assert_eq!(orders.index, None);
    assert_eq!(orders.columns, ["OrderId", "Total"]);
    assert_eq!(orders.key_set, KeySet::All);
    let by_customer = table("name: sales.Orders, index: ByCustomer, columns: [a], keySet: all");
    assert_eq!(by_customer.index.unwrap(), "ByCustomer");
}

#[test]
fn columns_are_named_at_least_one_and_each_once() {
    let path = "read-operation.table.columns";
    refused(
        "{ table: { name: Orders } }",
        &format!("{path}: is missing; a list of names is required"),
    );
    refused(
        "{ table: { name: Orders, columns: [] } }",
        &format!("{path}: names no column; name at least one"),
    );
    refused(
        "{ table: { name: Orders, columns: [a, ' ', a] } }",
        &format!("{path}[1]: must not be blank\n{path}[2]: a is named twice"),
    );
}

#[test]
fn keys_are_lists_of_their_parts() {
    let orders = table("name: T, columns: [a], key-set: { keys: [[1, x], [-2, null]] }");
    let KeySet::Some { keys, ranges } = orders.key_set else {
        panic!("{:?}", orders.key_set)
    };
    assert_eq!(ranges, []);
    let keys: Vec<_> = keys.iter().map(|key| shown(key)).collect();
    assert_eq!(keys, [json!(["1", "x"]), json!(["-2", null])]);
}

#[test]
fn ranges_have_a_start_and_an_end_that_belong_to_them_or_not() {
    let orders = table(
        "name: T, columns: [a], \
         key-set: { ranges: [{ start-closed: [], endOpen: [5] }, { start-open: [5], end-closed: [7, a] }] }",
    );
    let KeySet::Some { keys, ranges } = orders.key_set else {
        panic!("{:?}", orders.key_set)
    };
    assert_eq!(keys, Vec::<Vec<SqlValue>>::new());
    let told = |bound: &KeyBound| match bound {
        KeyBound::Closed(parts) => ("closed", shown(parts)),
        KeyBound::Open(parts) => ("open", shown(parts)),
    };
    let ranges: Vec<_> = ranges
        .iter()
        .map(|range| [told(&range.start), told(&range.end)])
        .collect();
    assert_eq!(
        ranges,
        [
            [("closed", json!([])), ("open", json!(["5"]))],
            [("open", json!(["5"])), ("closed", json!(["7", "a"]))],
        ]
    );
}

#[test]
fn a_range_has_one_start_and_one_end() {
    let path = "read-operation.table.key-set.ranges[0]";
    refused(
        "{ table: { name: T, columns: [a], key-set: { ranges: [{ start-closed: [1] }] } } }",
        &format!(
            "{path}.end-closed: is missing; a range needs end-closed or end-open, and [] reaches as \
             far as there are keys"
        ),
    );
    refused(
        "{ table: { name: T, columns: [a], key-set: { ranges: [{ start-closed: [1], start-open: [1], \
         end-open: [2] }] } } }",
        &format!("{path}.start-open: cannot be combined with start-closed; keep one"),
    );
}

#[test]
fn keys_are_whole_and_some_row_is_named() {
    let path = "read-operation.table.key-set";
    let refused_set = |keys: &str, expected: &str| {
        refused(
            &format!("{{ table: {{ name: T, columns: [a], key-set: {keys} }} }}"),
            expected,
        );
    };
    refused_set(
        "{ keys: [[1, 2], [3]] }",
        &format!("{path}.keys[1]: must have as many parts as the first key, 2, and has 1"),
    );
    refused_set(
        "{ keys: [[]] }",
        &format!("{path}.keys[0]: is empty; a key has at least one part"),
    );
    refused_set(
        "{ keys: [1] }",
        &format!(
            "{path}.keys[0]: expected a key, which is a list of its parts, such as [1], found a \
             number"
        ),
    );
    for nothing in ["{}", "{ keys: [], ranges: [] }"] {
        refused_set(
            nothing,
            &format!("{path}: names no row; write all, or keys or ranges with at least one"),
        );
    }
}

#[test]
fn a_checkpoint_is_bound_to_what_is_read() {
    let names = |operation: &str| {
        let lines =
            format!("database: projects/p/instances/i/databases/d\nread-operation: {operation}");
        let config = read_batch_in(Environment::default(), &lines).unwrap();
        config.source.names()
    };
    assert_eq!(
        names("{ table: { name: T, index: I, columns: [a, b] } }"),
        [
            ("database", "projects/p/instances/i/databases/d".to_owned()),
            ("table", "T".to_owned()),
            ("index", "I".to_owned()),
            ("columns", "a, b".to_owned()),
            ("key-set", "all".to_owned()),
        ]
    );
    let parameter = |value: &str| {
        names(&format!(
            "{{ query: {{ sql: SELECT @a, params: {{ a: {value} }} }} }}"
        ))
    };
    assert_eq!(parameter("alice")[1], ("query", "SELECT @a".to_owned()));
    assert_ne!(parameter("alice"), parameter("bob"));
    assert!(!format!("{:?}", parameter("alice")).contains("alice"));
    let keys = |keys: &str| {
        names(&format!(
            "{{ table: {{ name: T, columns: [a], key-set: {keys} }} }}"
        ))
    };
    assert_ne!(keys("{ keys: [[1]] }"), keys("{ keys: [[2]] }"));
    assert_ne!(
        keys("{ ranges: [{ start-closed: [1], end-open: [2] }] }"),
        keys("{ ranges: [{ start-open: [1], end-open: [2] }] }")
    );
}

#[test]
fn a_checkpoint_is_bound_to_a_timestamp_that_is_given() {
    let names = |bound: &str| {
        let config = read_batch(&format!("timestamp-bound: {bound}")).unwrap();
        config.source.names()
    };
    let given = ("read-timestamp", "2026-01-31T12:00:00Z".to_owned());
    assert!(names("{ read-timestamp: 2026-01-31T12:00:00Z }").contains(&given));
    assert_eq!(names("strong"), names("{ exact-staleness: 1m }"));
}
