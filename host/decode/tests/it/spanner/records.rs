//! Records of each shape, by example.

mod filters;
mod malformed;
mod mutable;
mod postgres;
mod schemas;

use acequia_decode::spanner::{ChildPartition, Shape, Step};

use crate::spanner::drive::{Read, read_all};
use crate::spanner::frames::{
    data, encode, envelope, frame, google_sql_type, list, modification, null, text,
};

fn google_sql(row: prost_types::Value) -> Result<Vec<Read>, acequia_decode::Malformed> {
    read_all(Shape::GoogleSql, [encode(&frame(google_sql_type(), [row]))])
}

#[test]
fn a_data_change_record_fills_every_column() {
    let record = data([modification(r#"{"k":"1"}"#, r#"{"a":"x","b":null}"#, "{}")]);
    let found = google_sql(envelope(vec![record], vec![], vec![])).unwrap();
    let expected = serde_json::json!({
        "id": "2026-11-30T20:41:00.5Z/txn/00000001",
        "commit": "2026-11-30T20:41:00.5Z",
        "seconds": 1_796_071_260,
        "nanos": 500_000_000,
        "sequence": "00000001",
        "transaction": "txn",
        "last": 1,
        "table": "T",
        "columns": [
            ["k", "{\"code\":\"INT64\"}", true, 1],
            ["a", "{\"code\":\"STRING\"}", false, 2],
            ["b", "{\"code\":\"BOOL\"}", false, 3],
        ],
        "mod_type": "UPDATE",
        "capture": "OLD_AND_NEW_VALUES",
        "tag": "tag",
        "system": 0,
        "records": 2,
        "partitions": 1,
        "mods": [{
            "id": "2026-11-30T20:41:00.5Z/txn/00000001/0",
            "keys": ["{\"k\":\"1\"}", [["k", "\"1\""]]],
            "new": ["{\"a\":\"x\",\"b\":null}", [["a", "\"x\""], ["b", "null"]]],
            "old": ["{}", []],
        }],
        "dropped": 0,
    });
    assert_eq!(found, [Read::Record(expected)]);
}

#[test]
fn empty_arrays_and_nulls_are_the_same() {
    let heartbeat = list([text("2026-11-30T20:41:00Z")]);
    let expected = [Read::Step(Step::Heartbeat(
        "2026-11-30T20:41:00Z".parse().unwrap(),
    ))];
    for nothing in [list([]), null()] {
        let envelope = list([nothing.clone(), list([heartbeat.clone()]), nothing]);
        assert_eq!(google_sql(list([envelope])).unwrap(), expected);
    }
}

#[test]
fn the_parent_of_a_root_s_child_may_be_null_or_missing() {
    let start = "2026-11-30T20:41:00Z";
    let child = |token: &str, parents| list([text(token), parents]);
    let children = list([
        text(start),
        text("00000001"),
        list([
            child("one", list([])),
            child("two", list([null()])),
            child("three", null()),
            child("four", list([text("one"), null(), text("two")])),
        ]),
    ]);
    let partition = |token: &str, parents: &[&str]| ChildPartition {
        token: token.to_owned(),
        parents: parents.iter().map(|&parent| parent.to_owned()).collect(),
    };
    let expected = Step::Children {
        start: start.parse().unwrap(),
        sequence: "00000001".to_owned(),
        partitions: vec![
            partition("one", &[]),
            partition("two", &[]),
            partition("three", &[]),
            partition("four", &["one", "two"]),
        ],
    };
    let found = google_sql(envelope(vec![], vec![], vec![children]));
    assert_eq!(found, Ok(vec![Read::Step(expected)]));
}
