//! A recording fed to components.

use std::path::{Path, PathBuf};

use acequia_host::config::GuestRef;
use acequia_host::replay::{Expected, Lines, Replay, ReplayError, Summary, replay};
use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../../../tests/guests/folder.rs"]
mod folder;

/// Customers 1 to 5; the third is marked.
fn recording(folder: &Path) -> PathBuf {
    let mut lines = vec![
        json!({"format": "acequia-recording", "version": 1, "shape": "spanner-changes"}),
        json!({"table": {"name": "Customers", "columns": [
            {"name": "Id", "type": {"code": "INT64"}, "is_primary_key": true},
            {"name": "Name", "type": {"code": "STRING"}},
            {"name": "Secret", "type": {"code": "STRING"}},
        ]}}),
    ];
    for number in 1..=5 {
        let name = if number == 3 { "poison" } else { "Ada" };
        lines.push(json!({"change": {
            "table": "Customers", "mod_type": "INSERT",
            "mods": [{"keys": {"Id": number.to_string()}, "new_values": {"Name": name}}],
            "commit_timestamp": format!("2026-01-02T03:04:0{number}Z"),
            "record_sequence": "00000000", "server_transaction_id": "tx",
        }}));
    }
    let gap = json!({"id": "gap/a/b", "lost_from": "a", "resumed_at": "b", "reason": "c"});
    lines.insert(4, json!({"gap": gap}));
    let path = folder.join("recording.ndjson");
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

#[derive(Debug)]
struct Replayed {
    lines: Lines,
    summary: Summary,
}

async fn fed(component: &str, parameters: &str) -> Result<Replayed, ReplayError> {
    let folder = TempDir::new().unwrap();
    let what = Replay {
        recording: recording(folder.path()),
        component: GuestRef::of_argument(component, Some(parameters)).unwrap(),
        batch_records: None,
    };
    let mut lines = Lines::default();
    let summary = replay(&what, &mut lines).await?;
    Ok(Replayed { lines, summary })
}

pub(crate) fn guest(name: &str) -> String {
    folder::find(name).unwrap().display().to_string()
}

fn id(number: u32) -> String {
    format!("2026-01-02T03:04:0{number}Z/tx/00000000")
}

fn values(lines: &[String]) -> Vec<Value> {
    lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn a_deserializer_gets_every_record_and_every_gap_in_order() {
    let replayed = fed("builtin:json", "{}").await.unwrap();
    let outputs = values(&replayed.lines.outputs);
    let sources: Vec<&Value> = outputs.iter().map(|output| &output["source"]).collect();
    assert_eq!(sources, [&id(1), &id(2), "gap/a/b", &id(3), &id(4), &id(5)]);
    assert_eq!(outputs[0]["key"], json!({"Id": "1"}));
    assert_eq!(outputs[0]["value"]["new_values"], json!({"Name": "Ada"}));
    assert_eq!(outputs[0]["value"]["id"], format!("{}/0", id(1)));
    assert!(replayed.lines.failures.is_empty());

    let summary = replayed.summary;
    assert_eq!(
        (
            summary.counts.fed,
            summary.counts.batches,
            summary.counts.controls
        ),
        (5, 2, 1)
    );
    assert_eq!(summary.cost.calls, 3, "two batches and a gap");
    assert!(summary.cost.memory_bytes > 0 && summary.cost.p99 >= summary.cost.p50);
    assert!(summary.to_string().starts_with("json 0.1.0 (spanner-deserializer, pure)\n5 records in 2 batches and a control record: 5 came out, 0 did not\n"));
}

#[tokio::test]
async fn a_record_at_fault_is_a_failure_and_its_trap_is_counted() {
    let replayed = fed(&guest("hostile"), r#"{"mode":"poison-trap"}"#)
        .await
        .unwrap();
    assert_eq!(replayed.lines.outputs.len(), 4);
    let failures = values(&replayed.lines.failures);
    assert_eq!(failures.len(), 1);
    assert_eq!(
        (&failures[0]["source"], &failures[0]["failure"]),
        (&json!(id(3)), &json!("trap"))
    );
    // The batch of records 3 to 5, and the record alone.
    assert_eq!(
        (replayed.summary.cost.traps, replayed.summary.counts.failed),
        (2, 1)
    );
}

#[tokio::test]
async fn a_key_that_is_not_utf8_is_shown_in_base64_and_never_as_a_text() {
    let replayed = fed(&guest("hostile"), r#"{"mode":"byte-keys"}"#)
        .await
        .unwrap();
    let outputs = values(&replayed.lines.outputs);
    assert_eq!(outputs.len(), 5);
    for output in &outputs {
        // Source: RFC 4648, section 4: 0xff is 63 and, padded with zeros, 48.
        assert_eq!(output["key_base64"], "/w==");
        assert_eq!(output.get("key"), None);
    }
}

#[tokio::test]
async fn several_outputs_of_a_record_have_its_id_and_their_own_topics() {
    let replayed = fed(&guest("shapes"), r#"{"mode":"fan-out"}"#)
        .await
        .unwrap();
    let outputs = values(&replayed.lines.outputs);
    let of_first: Vec<&Value> = outputs
        .iter()
        .filter(|output| output["source"] == id(1))
        .collect();
    let topics: Vec<Option<&Value>> = of_first.iter().map(|output| output.get("topic")).collect();
    assert_eq!(topics, [Some(&json!("first")), None, Some(&json!("third"))]);
}

#[tokio::test]
async fn values_that_no_sink_of_lines_takes_or_that_lack_their_id_are_warned_about() {
    let of = async |mode: &str| {
        let parameters = json!({ "mode": mode }).to_string();
        fed(&guest("shapes"), &parameters).await.unwrap().summary
    };
    let [without_id] = of("name").await.warnings.try_into().unwrap();
    let said = "5 of 5 values do not hold the id of their record at /id";
    assert!(without_id.starts_with(said), "{without_id}");
    assert!(
        without_id.contains("the first of them is not JSON"),
        "{without_id}"
    );
    let summary = of("two-lines").await;
    let last = summary.to_string();
    let last = last.lines().last().unwrap();
    assert!(
        last.starts_with("warning: 5 of 5 values hold a line break"),
        "{last}"
    );
    assert_eq!(summary.warnings.len(), 1);
    // Each of several values of one record has an id of its own.
    assert_eq!(of("fan-out").await.warnings, Vec::<String>::new());
    let built_in = fed("builtin:json", "{}").await.unwrap();
    assert_eq!(built_in.summary.warnings, Vec::<String>::new());
}

#[tokio::test]
async fn a_record_filter_is_known_by_its_exports_and_gives_verdicts() {
    let replayed = fed(&guest("keep-even"), "{}").await.unwrap();
    let verdicts = values(&replayed.lines.outputs);
    let expected: Vec<Value> = (1..=5)
        .map(|number| json!({"source": id(number), "keep": number % 2 == 0}))
        .collect();
    assert_eq!(verdicts, expected);
    assert_eq!(
        (
            replayed.summary.counts.passed,
            replayed.summary.counts.failed
        ),
        (2, 3)
    );
}

#[tokio::test]
async fn a_names_filter_is_asked_for_every_name_outside_the_key() {
    let replayed = fed(
        "builtin:names",
        r#"{"column-exclude-list":["Customers\\.Secret"]}"#,
    )
    .await;
    assert_eq!(
        replayed.unwrap().lines.outputs,
        [r#"{"table":"Customers","keep":true,"columns":{"Name":true,"Secret":false}}"#]
    );
}

#[tokio::test]
async fn a_component_that_cannot_be_used_is_refused_with_the_reason() {
    for (component, parameters, said) in [
        (
            "builtin:yaml",
            "{}",
            "there is no built-in yaml; there are json, names".to_owned(),
        ),
        (
            "nowhere.wasm",
            "{}",
            "nowhere.wasm cannot be read".to_owned(),
        ),
        (
            "builtin:json",
            r#"{"granularity":"row"}"#,
            "--parameters.granularity: must be".to_owned(),
        ),
        (
            &guest("wrong-world"),
            "{}",
            "is of no world: build it against one of names-filter".to_owned(),
        ),
    ] {
        let error = fed(component, parameters).await.unwrap_err();
        assert!(error.text().contains(&said), "{said}: {}", error.text());
        assert_eq!(error.exit_code(), 2);
    }
    for parameters in ["[]", "{", "1"] {
        let problem = GuestRef::of_argument("builtin:json", Some(parameters)).unwrap_err();
        assert_eq!(problem.path, "--parameters");
    }
}

#[tokio::test]
async fn what_came_out_is_compared_with_what_is_expected() {
    let folder = TempDir::new().unwrap();
    let expected = Expected::of(folder.path().join("expected"));
    let plain = fed("builtin:json", "{}").await.unwrap().lines;
    let missing = expected.compare(&plain).unwrap_err().to_string();
    assert!(
        missing.ends_with("outputs.ndjson is not there; --bless writes it"),
        "{missing}"
    );

    expected.bless(&plain).unwrap();
    assert!(expected.compare(&plain).unwrap().is_empty());

    let other = fed("builtin:json", r#"{"column-types":true}"#)
        .await
        .unwrap()
        .lines;
    let differences = expected.compare(&other).unwrap();
    let [difference] = differences.as_slice() else {
        panic!("one file differs: {differences:?}");
    };
    let told = difference.to_string();
    assert!(
        told.contains("outputs.ndjson differs") && told.contains("\n      1 - "),
        "{told}"
    );
    assert!(told.contains("column_types"), "{told}");
}
