//! JSON rows of PostgreSQL databases.

use acequia_decode::Malformed;
use acequia_decode::spanner::{ChildPartition, Shape, Step};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use serde_json::{Value, json};

use crate::spanner::drive::{Read, read_all};
use crate::spanner::frames::{encode, frame, of, text};

fn read(row: &str) -> Result<Vec<Read>, Malformed> {
    let row = frame(of(TypeCode::Json), [text(row)]);
    read_all(Shape::PostgresJson, [encode(&row)])
}

fn record() -> Value {
    json!({
        "commit_timestamp": "2026-11-30T20:41:00.120+00:00",
        "record_sequence": "00000001",
        "server_transaction_id": "txn",
        "table_name": "t",
        "column_types": [
            {"name": "k", "type": {"code": "INT64"}, "is_primary_key": true, "ordinal_position": 1},
        ],
        "mods": [{"keys": {"k": "1"}, "new_values": null}],
        "number_of_records_in_transaction": 3,
    })
}

fn data(record: &Value) -> Result<Value, Malformed> {
    let reads = read(&json!({ "data_change_record": record }).to_string())?;
    match reads.as_slice() {
        [Read::Record(record)] => Ok(record.clone()),
        other => panic!("one record, not {other:?}"),
    }
}

#[test]
fn a_commit_timestamp_becomes_one_that_can_be_sent_back() {
    let found = data(&record()).unwrap();
    assert_eq!(found["commit"], "2026-11-30T20:41:00.120Z");
    assert_eq!(found["id"], "2026-11-30T20:41:00.120Z/txn/00000001");
}

#[test]
fn types_are_objects_and_counts_are_numbers() {
    let found = data(&record()).unwrap();
    assert_eq!(
        found["columns"],
        json!([["k", "{\"code\":\"INT64\"}", true, 1]])
    );
    assert_eq!(found["records"], 3);
}

#[test]
fn absent_and_null_objects_are_told_apart() {
    let found = data(&record()).unwrap();
    assert_eq!(found["mods"][0]["new"], json!(["null", []]));
    assert_eq!(found["mods"][0]["old"], json!(["", []]));
}

#[test]
fn a_heartbeat_and_children_are_read() {
    let at = "2026-11-30T20:41:00Z".parse().unwrap();
    let found = read(r#"{"heartbeat_record":{"timestamp":"2026-11-30T20:41:00+00:00"}}"#);
    assert_eq!(found, Ok(vec![Read::Step(Step::Heartbeat(at))]));
    let row = json!({
        "child_partitions_record": {
            "start_timestamp": "2026-11-30T20:41:00+00:00",
            "record_sequence": "1",
            "child_partitions": [{"token": "a", "parent_partition_tokens": [null, "b"]}],
        },
    });
    let children = Step::Children {
        start: at,
        sequence: "1".to_owned(),
        partitions: vec![ChildPartition {
            token: "a".to_owned(),
            parents: vec!["b".to_owned()],
        }],
    };
    assert_eq!(read(&row.to_string()), Ok(vec![Read::Step(children)]));
}

#[test]
fn a_row_has_exactly_one_record() {
    let heartbeat = r#""heartbeat_record":{"timestamp":"2026-11-30T20:41:00Z"}"#;
    assert!(
        read(&format!(
            "{{{heartbeat},\"data_change_record\":null,\"added\":1}}"
        ))
        .is_ok()
    );
    for row in [
        "{}",
        r#"{"added":{}}"#,
        &format!("{{{heartbeat},{heartbeat}}}"),
        &format!("{{{heartbeat},\"child_partitions_record\":{{}}}}"),
        &format!("{{{heartbeat}}} x"),
        "[]",
        "",
    ] {
        assert!(read(row).is_err(), "{row}");
    }
}

#[test]
fn a_member_of_a_record_may_stand_in_it_once() {
    let row = format!(
        "{{\"data_change_record\":{}}}",
        record()
            .to_string()
            .replacen('{', "{\"table_name\":\"u\",", 1)
    );
    let error = read(&row).unwrap_err();
    assert_eq!(error.what(), "each member once");
}

#[test]
fn a_record_needs_its_identity() {
    for name in [
        "commit_timestamp",
        "record_sequence",
        "server_transaction_id",
        "table_name",
    ] {
        let mut record = record();
        record[name] = Value::Null;
        let error = data(&record).unwrap_err();
        assert_eq!(error.path(), format!("data_change_record.{name}"));
    }
}
