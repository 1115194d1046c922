//! Recordings of Bigtable: what is written comes back equal, and what is written by hand is read.

use std::collections::BTreeMap;
use std::path::Path;

use acequia_decode::bigtable::{Entry, Input, Mutation, MutationBatch};
use acequia_host::batch::{Batch, Shape};
use acequia_host::recording::{Reader, Recorded, WriteError, Writer};
use serde_json::{Value, json};

const HEADER: &str = r#"{"format":"acequia-recording","version":1,"shape":"bigtable-mutations"}"#;

/// Every kind of entry, with texts, bytes that are none, and numbers.
const ENTRIES: [Entry<'_>; 7] = [
    Entry::SetCell {
        family: "state",
        qualifier: b"paid",
        timestamp_micros: 1_778_241_600_123_000,
        value: b"\xff\x00",
    },
    Entry::DeleteCells {
        family: "state",
        qualifier: b"\xfb",
        range_start_micros: 1,
        range_end_micros: 2,
    },
    Entry::DeleteCells {
        family: "state",
        qualifier: b"",
        range_start_micros: 0,
        range_end_micros: 0,
    },
    Entry::DeleteFamily { family: "old" },
    Entry::AddToCell {
        family: "sums",
        qualifier: b"total",
        timestamp_micros: 0,
        input: Input::Number(i64::MIN),
    },
    Entry::AddToCell {
        family: "sums",
        qualifier: b"distinct",
        timestamp_micros: 0,
        input: Input::Bytes(b"7"),
    },
    Entry::MergeToCell {
        family: "sums",
        qualifier: b"distinct",
        timestamp_micros: 5,
        input: Input::Bytes(br#"{"base64":"/w=="}"#),
    },
];

fn batch() -> MutationBatch {
    let mut batch = MutationBatch::of_table("orders");
    let commit = "2026-05-08T12:00:00.123456Z".parse().unwrap();
    let low_watermark = "2026-05-08T11:59:58Z".parse().unwrap();
    for (row_key, source_cluster_id, entries) in [
        (&b"order#7"[..], Some("c1"), &ENTRIES[..]),
        (b"\xfb\xff\x00", None, &ENTRIES[3..4]),
        (b"empty", Some("c2"), &[]),
    ] {
        let mutation = Mutation {
            row_key,
            source_cluster_id,
            commit,
            tie_breaker: -1,
            low_watermark,
        };
        batch.push(&mutation, entries.iter().copied()).unwrap();
    }
    batch
}

fn read(text: &str) -> Vec<Recorded> {
    let reader = Reader::over(text.as_bytes(), Path::new("cases")).unwrap();
    assert_eq!(reader.shape(), Shape::Bigtable);
    reader.map(Result::unwrap).collect()
}

fn refused(line: &str) -> String {
    let text = format!("{HEADER}\n{line}");
    let mut reader = Reader::over(text.as_bytes(), Path::new("cases")).unwrap();
    reader.next().unwrap().unwrap_err().to_string()
}

/// A mutation by hand with other members.
fn mutation(others: Value) -> String {
    let mut mutation = json!({
        "table": "T", "row_key": "r", "source_cluster_id": "c",
        "commit_timestamp": "2026-01-02T03:04:05Z", "entries": [],
    });
    for (name, value) in others.as_object().unwrap() {
        mutation[name] = value.clone();
    }
    json!({ "mutation": mutation }).to_string()
}

#[test]
fn what_is_written_comes_back_equal_in_every_column() {
    let batch = Batch::from(batch());
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, Shape::Bigtable, &BTreeMap::new()).unwrap();
    writer.batch(&batch).unwrap();
    writer.batch(&batch).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * (3 + 1));
    let part = Recorded::Batch(Box::new(batch));
    assert_eq!(read(&text), [part.clone(), part]);
}

#[test]
fn bytes_are_texts_where_they_are_utf8_and_objects_where_they_are_not() {
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, Shape::Bigtable, &BTreeMap::new()).unwrap();
    writer.batch(&batch().into()).unwrap();
    let lines: Vec<Value> = std::str::from_utf8(&bytes)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = &lines[1]["mutation"];
    assert_eq!(first["row_key"], "order#7");
    assert_eq!(first["entries"][0]["value"], json!({"base64": "/wA="}));
    assert_eq!(first["entries"][2]["end_timestamp_micros"], Value::Null);
    assert_eq!(first["entries"][4]["input"], i64::MIN);
    assert_eq!(first["entries"][5]["input"], "7");
    assert_eq!(first["entries"][6]["input"], r#"{"base64":"/w=="}"#);
    let second = &lines[2]["mutation"];
    assert_eq!(second["row_key"], json!({"base64": "+/8A"}));
    assert_eq!(second["mutation_type"], "garbage_collection");
    assert_eq!(second["source_cluster_id"], "");
}

#[test]
fn what_is_the_rule_may_be_left_out() {
    let line = mutation(json!({ "entries": [{
        "kind": "delete_cells", "family": "f", "qualifier": "q",
    }] }));
    let parts = read(&format!("{HEADER}\n\n{line}"));
    let [Recorded::Batch(batch)] = parts.as_slice() else {
        panic!("{parts:?}");
    };
    let Batch::Bigtable(batch) = batch.as_ref() else {
        panic!("{batch:?}");
    };
    let text = |texts: &acequia_decode::Texts| String::from_utf8(texts.bytes().to_vec()).unwrap();
    assert_eq!(text(&batch.ids), "2026-01-02T03:04:05.000000Z/0/c/cg==");
    assert_eq!(text(&batch.low_watermarks), "2026-01-02T03:04:05.000000Z");
    assert_eq!(batch.is_garbage_collection, [0]);
    assert!(batch.entries_of(0).eq([Entry::DeleteCells {
        family: "f",
        qualifier: b"q",
        range_start_micros: 0,
        range_end_micros: 0,
    }]));
}

#[test]
fn batches_can_be_cut_anew() {
    let lines = [HEADER.to_owned(), mutation(json!({})), mutation(json!({}))].join("\n");
    let reader = Reader::over(lines.as_bytes(), Path::new("cases")).unwrap();
    let cut = reader.with_batch_records(1.try_into().unwrap());
    assert_eq!(cut.count(), 2);
}

#[test]
fn a_line_that_is_no_mutation_is_refused_with_the_reason() {
    for (others, reason) in [
        (
            json!({ "source_cluster_id": "" }),
            "a mutation of a user has a source_cluster_id",
        ),
        (
            json!({ "mutation_type": "garbage_collection" }),
            "one of garbage collection has none",
        ),
        (
            json!({ "commit_timestamp": "2026-01-02T03:04:05.0000001Z" }),
            "is no RFC 3339 instant of whole microseconds",
        ),
        (
            json!({ "row_key": {"base64": "/w"} }),
            "must be standard Base64 with padding",
        ),
        (json!({ "row_key": 7 }), "a text or {\"base64\":…}"),
        (json!({ "row": "r" }), "unknown field `row`"),
        (
            json!({ "entries": [{"kind": "delete_row", "family": "f"}] }),
            "unknown variant `delete_row`",
        ),
    ] {
        let said = refused(&mutation(others));
        assert!(
            said.starts_with("cases, line 2: ") && said.contains(reason),
            "{said}"
        );
    }
}

#[test]
fn records_of_another_shape_are_refused() {
    let table = r#"{"table":{"name":"T","columns":[]}}"#;
    let said = refused(table);
    assert!(said.contains("there are mutations of Bigtable"), "{said}");

    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, Shape::Spanner, &BTreeMap::new()).unwrap();
    let error = writer.batch(&batch().into()).unwrap_err();
    assert!(matches!(error, WriteError::OtherShape { .. }), "{error}");
}

#[test]
fn a_batch_is_of_one_table() {
    let lines = [
        HEADER.to_owned(),
        mutation(json!({})),
        mutation(json!({ "table": "U" })),
    ];
    let text = lines.join("\n");
    let mut reader = Reader::over(text.as_bytes(), Path::new("cases")).unwrap();
    let said = reader.next().unwrap().unwrap_err().to_string();
    assert!(said.contains("is of the table \"T\""), "{said}");
}
