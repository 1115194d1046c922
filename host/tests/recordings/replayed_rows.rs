//! A recording of rows fed to components.

use acequia_host::config::GuestRef;
use acequia_host::replay::{Lines, Replay, Unit, replay};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two rows of a table, a gap, and a row of a query.
const RECORDING: &str = r#"{"format":"acequia-recording","version":1,"shape":"rows"}
{"table":{"name":"T","columns":[{"name":"Id","type":{"code":"INT64"},"is_primary_key":true},{"name":"V","type":{"code":"STRING"}}]}}
{"row":{"table":"T","read_timestamp":"2026-01-31T12:00:00Z","partition":"T/0","key":{"Id":"1"},"values":["1","a"]}}
{"row":{"table":"T","read_timestamp":"2026-01-31T12:00:00Z","partition":"T/0","key":{"Id":"2"},"values":["2",null]}}
{"gap":{"id":"gap/a/b","lost_from":"a","resumed_at":"b","reason":"c"}}
{"table":{"as":"query","name":"","columns":[{"name":"","type":{"code":"BOOL"}}]}}
{"row":{"table":"query","read_timestamp":"2026-01-31T12:00:00Z","partition":"query/0","id":"2026-01-31T12:00:00Z/5f/0","values":[true]}}
"#;

async fn fed(component: &str, parameters: &str) -> (Vec<Value>, String, Unit) {
    let folder = TempDir::new().unwrap();
    let recording = folder.path().join("recording.ndjson");
    std::fs::write(&recording, RECORDING).unwrap();
    let what = Replay {
        recording,
        component: GuestRef::of_argument(component, Some(parameters)).unwrap(),
        batch_records: None,
    };
    let mut lines = Lines::default();
    let summary = replay(&what, &mut lines).await.unwrap();
    let outputs = lines.outputs.iter();
    let outputs = outputs.map(|line| serde_json::from_str(line).unwrap());
    (outputs.collect(), summary.to_string(), summary.counts.unit)
}

#[tokio::test]
async fn the_built_in_json_is_that_of_rows_and_writes_the_ids_that_it_promises() {
    let (outputs, summary, _) = fed("builtin:json", r#"{"metadata":true}"#).await;
    let values: Vec<&Value> = outputs.iter().map(|output| &output["value"]).collect();
    let metadata = |mut row: Value, id: &str, partition: &str| {
        row["_id"] = json!(id);
        row["_read_timestamp"] = json!("2026-01-31T12:00:00Z");
        row["_partition"] = json!(partition);
        row
    };
    let id = |id| format!(r#"2026-01-31T12:00:00Z/T/{{"Id":"{id}"}}"#);
    assert_eq!(
        values,
        [
            &metadata(json!({"Id": "1", "V": "a"}), &id(1), "T/0"),
            &metadata(json!({"Id": "2", "V": null}), &id(2), "T/0"),
            &json!({
                "_id": "gap/a/b", "_control": "gap", "_lost_from": "a", "_resumed_at": "b",
                "_reason": "c",
            }),
            &metadata(json!({"_1": true}), "2026-01-31T12:00:00Z/5f/0", "query/0"),
        ]
    );
    assert_eq!(outputs[0]["key"], json!({"Id": "1"}));
    assert!(outputs[3].get("key").is_none());
    assert!(
        summary.starts_with(
            "json 0.1.0 (rows-deserializer, pure)\n\
             3 records in 2 batches and a control record: 3 came out, 0 did not\n"
        ) && !summary.contains("do not hold the id"),
        "{summary}"
    );
}

#[tokio::test]
async fn a_record_filter_sees_every_batch() {
    let place = crate::replayed::guest("keep-even-rows");
    let folder = TempDir::new().unwrap();
    let recording = folder.path().join("recording.ndjson");
    let (table, _query) = RECORDING.split_once("{\"gap\"").unwrap();
    std::fs::write(&recording, table).unwrap();
    let what = Replay {
        recording,
        component: GuestRef::of_argument(&place, None).unwrap(),
        batch_records: None,
    };
    let mut lines = Lines::default();
    let summary = replay(&what, &mut lines).await.unwrap();
    assert_eq!((summary.counts.passed, summary.counts.failed), (1, 1));
}

#[tokio::test]
async fn a_names_filter_is_asked_for_every_table_and_its_columns_that_are_not_of_the_key() {
    let lists = r#"{"column-exclude-list":[".*\\.V"]}"#;
    let (outputs, _, unit) = fed("builtin:names", lists).await;
    assert_eq!(
        outputs,
        [json!({"table": "T", "keep": true, "columns": {"V": false}})]
    );
    assert_eq!(unit, Unit::Table);
}
