//! A recording of Bigtable fed to components.

use acequia_host::config::GuestRef;
use acequia_host::replay::{Lines, Replay, ReplayError, Unit, replay};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two mutations and a gap: a cell of a row whose key is no text, and the end of a family.
const RECORDING: &str = r#"{"format":"acequia-recording","version":1,"shape":"bigtable-mutations"}
{"mutation":{"table":"orders","row_key":{"base64":"/w=="},"source_cluster_id":"c1","commit_timestamp":"2026-01-02T03:04:05Z","entries":[{"kind":"set_cell","family":"state","qualifier":"q","timestamp_micros":1000,"value":"v"},{"kind":"set_cell","family":"state","qualifier":"","timestamp_micros":1000,"value":""}]}}
{"gap":{"id":"gap/a/b","lost_from":"a","resumed_at":"b","reason":"c"}}
{"mutation":{"table":"orders","row_key":"r","mutation_type":"garbage_collection","commit_timestamp":"2026-01-02T03:04:06Z","entries":[{"kind":"delete_family","family":"old"}]}}
"#;

async fn fed(component: &str, parameters: &str) -> Result<(Vec<Value>, String, Unit), ReplayError> {
    let folder = TempDir::new().unwrap();
    let recording = folder.path().join("recording.ndjson");
    std::fs::write(&recording, RECORDING).unwrap();
    let what = Replay {
        recording,
        component: GuestRef::of_argument(component, Some(parameters)).unwrap(),
        batch_records: None,
    };
    let mut lines = Lines::default();
    let summary = replay(&what, &mut lines).await?;
    let outputs = lines.outputs.iter();
    let outputs = outputs.map(|line| serde_json::from_str(line).unwrap());
    Ok((outputs.collect(), summary.to_string(), summary.counts.unit))
}

#[tokio::test]
async fn the_built_in_json_is_that_of_bigtable() {
    let (outputs, summary, _) = fed("builtin:json", r#"{"granularity":"entry"}"#)
        .await
        .unwrap();
    let ids: Vec<&Value> = outputs
        .iter()
        .map(|output| &output["value"]["id"])
        .collect();
    assert_eq!(
        ids,
        [
            "2026-01-02T03:04:05.000000Z/0/c1//w==#0",
            "2026-01-02T03:04:05.000000Z/0/c1//w==#1",
            "gap/a/b",
            "2026-01-02T03:04:06.000000Z/0//cg==#0",
        ]
    );
    assert_eq!(outputs[0]["key_base64"], "/w==");
    assert_eq!(outputs[3]["key"], "r");
    assert!(
        summary.starts_with(
            "json 0.1.0 (bigtable-deserializer, pure)\n\
             2 records in 2 batches and a control record: 2 came out, 0 did not\n"
        ),
        "{summary}"
    );
}

#[tokio::test]
async fn a_names_filter_is_asked_for_every_family_and_qualifier() {
    let lists = r#"{"family-exclude-list":["old"],"qualifier-include-list":["state:"]}"#;
    let (outputs, summary, unit) = fed("builtin:names", lists).await.unwrap();
    assert_eq!(
        outputs,
        [
            json!({"family": "old", "keep": false, "qualifiers": {}}),
            json!({"family": "state", "keep": true, "qualifiers": {"": true, "cQ==": false}}),
        ]
    );
    assert_eq!(unit, Unit::Family);
    assert!(
        summary.contains("2 families: 1 came out, 1 did not"),
        "{summary}"
    );
}

#[tokio::test]
async fn a_component_of_spanner_is_refused() {
    let shapes = crate::replayed::guest("shapes");
    let error = fed(&shapes, "{}").await.unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(
        error.text().contains("here mutations of Bigtable are read"),
        "{}",
        error.text()
    );
}
