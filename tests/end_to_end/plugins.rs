//! Components that users bring: filters by value, deserializers of other authors, hostile ones.

use std::io::{Write as _, stderr};
use std::time::Duration;

use acequia_sandbox::spanner::history::{RowChange, shop};
use acequia_sandbox::spanner::{History, Sandbox};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::guests::{guest, hostile};
use super::place::{Place, values};
use super::process::{self, Ended};
use super::shop::{after, an_hour_ago, customer, serve};
use super::truth;
use crate::folder;

const ROWS: u64 = 10;

/// Customers 1 to 10, of whom the fourth is marked.
fn history(start: Timestamp) -> History {
    let mut history = History::starting_at(start).partition("a");
    for number in 1..=ROWS {
        let marked = json!({ "CustomerId": "4", "Name": "poison", "City": null });
        let row = match number {
            4 => RowChange::insert(&shop::customers(), marked),
            _ => customer(number),
        };
        history = history.commit(after(start, i64::try_from(number).unwrap()), "a", [row]);
    }
    history.build().unwrap()
}

fn place() -> (Sandbox, Place) {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let place = Place::new(&sandbox, start, after(start, 60_000));
    (sandbox, place)
}

/// The ids of the records of the rows that `wanted` lets through.
fn record_ids(sandbox: &Sandbox, wanted: impl Fn(u64) -> bool) -> Vec<String> {
    let numbered = (1..).zip(sandbox.committed());
    let wanted = numbered.filter(|(number, _)| wanted(*number));
    wanted
        .map(|(_, row)| row.id().strip_suffix("/0").unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_record_filter_removes_records_by_their_values_and_the_run_goes_on_behind_them() {
    let (sandbox, mut place) = place();
    place.set("record-filter", guest("keep-even", &json!({})));
    let report = place.run().await.unwrap();
    assert_eq!(report.tally.filtered(), ROWS / 2);
    let even = |row: &acequia_sandbox::spanner::history::Committed| {
        let number: u64 = row.keys["CustomerId"].as_str().unwrap().parse().unwrap();
        number.is_multiple_of(2)
    };
    let committed: Vec<_> = sandbox.committed().into_iter().filter(even).collect();
    assert_eq!(committed.len(), 5);
    truth::check(&place, &committed);
}

#[tokio::test]
async fn a_deserializer_from_another_workspace_is_used_by_its_path_beside_the_configuration() {
    let (sandbox, mut place) = place();
    let built = folder::find("third-party").unwrap();
    std::fs::copy(built, place.path("mine.wasm")).unwrap();
    place.set("deserializer", json!({ "path": "./mine.wasm" }));
    place.run().await.unwrap();
    let expected: Vec<String> = sandbox
        .committed()
        .iter()
        .map(|row| {
            format!(
                "{}\tINSERT\tCustomers\t{}",
                row.id(),
                row.keys["CustomerId"]
            )
        })
        .collect();
    assert_eq!(place.lines(), expected);
}

#[tokio::test]
async fn a_deserializer_in_python_is_used_by_its_path() {
    let Some(path) = folder::find("python") else {
        writeln!(
            stderr(),
            "skipped: there is no python.wasm (componentize-py could not be had)"
        )
        .unwrap();
        return;
    };
    let (sandbox, mut place) = place();
    place.set("deserializer", json!({ "path": path }));
    place.run().await.unwrap();
    let ids: Vec<String> = sandbox.committed().iter().map(|row| row.id()).collect();
    let found: Vec<String> = place
        .values()
        .iter()
        .map(|value| truth::text(value, "id").to_owned())
        .collect();
    assert_eq!(found, ids);
}

async fn with(deserializer: Value, pipeline: Value) -> (Sandbox, Place, Ended) {
    let (sandbox, mut place) = place();
    place.set("deserializer", deserializer);
    place.set("pipeline", pipeline);
    let ended = process::run(&place.config()).await;
    (sandbox, place, ended)
}

#[tokio::test]
async fn a_trap_under_fail_ends_the_run_with_1_and_names_the_record() {
    let (sandbox, _place, ended) = with(hostile("poison-trap"), json!({})).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let id = record_ids(&sandbox, |number| number == 4).remove(0);
    let said = format!("hostile failed on record {id}: trap");
    assert!(ended.stderr.contains(&said), "{said}: {}", ended.stderr);
    assert!(
        !ended.stderr.contains("poison"),
        "a value of the row is in the log"
    );
}

#[tokio::test]
async fn a_trap_under_skip_costs_one_record_and_is_counted() {
    let pipeline = json!({ "on-failure": "skip" });
    let (sandbox, place, ended) = with(hostile("poison-trap"), pipeline).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines(), record_ids(&sandbox, |number| number != 4));
    assert!(ended.stderr.contains("1 skipped"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_trap_under_dead_letter_keeps_the_record_whole() {
    let pipeline = json!({ "on-failure": "dead-letter" });
    let (sandbox, place, ended) = with(hostile("poison-trap"), pipeline).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines(), record_ids(&sandbox, |number| number != 4));
    assert!(ended.stderr.contains("1 dead letters"), "{}", ended.stderr);
    let letters = values(&place.lines_of("out.dead-letter.ndjson"));
    let [letter] = letters.as_slice() else {
        panic!("{letters:?}");
    };
    assert_eq!(letter["id"], record_ids(&sandbox, |number| number == 4)[0]);
    assert_eq!(
        (&letter["component"], &letter["kind"]),
        (&json!("hostile"), &json!("trap"))
    );
    let row = &letter["raw"]["mods"][0];
    assert_eq!(row["keys"], json!({ "CustomerId": "4" }));
    assert_eq!(row["new_values"], json!({ "Name": "poison", "City": null }));
}

/// Every call fails, so every record does, each in the way of its mode.
#[tokio::test]
async fn every_way_to_answer_wrongly_costs_the_records_and_not_the_stream() {
    for (mode, kind) in [
        ("trap", "trap"),
        ("keys-short", "answer"),
        ("values-long", "answer"),
        ("ends-past", "answer"),
        ("ends-decrease", "answer"),
        ("source-range", "answer"),
        ("failure-range", "answer"),
        ("both", "answer"),
        ("bad-utf8-values", "answer"),
        ("long-failure", "other"),
    ] {
        let (sandbox, mut place) = place();
        place.set("deserializer", hostile(mode));
        place.set("pipeline", json!({ "on-failure": "dead-letter" }));
        let report = place
            .run()
            .await
            .unwrap_or_else(|failure| panic!("{mode}: {failure}"));
        assert_eq!(report.tally.dead_letters(), ROWS, "{mode}");
        assert!(place.lines().is_empty(), "{mode}");
        let letters = values(&place.lines_of("out.dead-letter.ndjson"));
        let ids: Vec<&str> = letters
            .iter()
            .map(|letter| truth::text(letter, "id"))
            .collect();
        assert_eq!(ids, record_ids(&sandbox, |_| true), "{mode}");
        assert!(
            letters.iter().all(|letter| letter["kind"] == kind),
            "{mode}: {}",
            letters[0]
        );
        let longest = letters
            .iter()
            .map(|letter| truth::text(letter, "message").len())
            .max();
        assert!(
            longest.unwrap() < 64 << 10,
            "{mode}: the message is not cut"
        );
    }
}

#[tokio::test]
async fn a_guest_that_does_not_return_is_stopped_and_its_record_is_skipped() {
    let pipeline = json!({ "on-failure": "skip", "guest-timeout": "200ms" });
    let (sandbox, place, ended) = with(hostile("poison-spin"), pipeline).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines(), record_ids(&sandbox, |number| number != 4));
}

#[tokio::test]
async fn a_guest_that_eats_memory_is_stopped_at_its_limit() {
    let pipeline = json!({ "on-failure": "dead-letter", "guest-memory-bytes-max": "8MiB" });
    let (_sandbox, place, ended) = with(hostile("memory"), pipeline).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let letters = values(&place.lines_of("out.dead-letter.ndjson"));
    assert_eq!(letters.len() as u64, ROWS);
    assert!(
        letters.iter().all(|letter| letter["kind"] == "memory"),
        "{}",
        letters[0]
    );
}

#[tokio::test]
async fn a_guest_that_floods_the_log_is_cut_short_and_its_records_pass() {
    let (sandbox, place, ended) = with(hostile("log-flood"), json!({})).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines(), record_ids(&sandbox, |_| true));
    assert!(
        ended.stderr.lines().count() < 2000,
        "{} lines",
        ended.stderr.lines().count()
    );
}

/// What is wrong with a component is told before anything is read, and counts as configuration.
async fn refused(deserializer: Value, said: &[&str]) {
    let (sandbox, mut place) = place();
    place.set("deserializer", deserializer);
    place.set("pipeline", json!({ "guest-timeout": "500ms" }));
    let ended = tokio::time::timeout(Duration::from_secs(60), process::run(&place.config())).await;
    let ended = ended.unwrap();
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    for said in said {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    assert_eq!(sandbox.stats().requests.len(), 0, "nothing was read");
    assert!(!place.path("state").exists() || place.lines().is_empty());
}

const DESERIALIZER: &str = "spanner-change-stream.deserializer";

#[tokio::test]
async fn a_component_that_refuses_its_parameters_is_told_with_every_path() {
    let paths = [
        "spanner-change-stream.deserializer.config.mode: is bad on purpose",
        "spanner-change-stream.deserializer.config.other[1]: is bad too",
    ];
    refused(hostile("bad-configure"), &paths).await;
}

#[tokio::test]
async fn a_component_of_another_contract_is_refused_with_what_is_missing() {
    let missing = "acequia:connector";
    refused(guest("wrong-world", &json!({})), &[DESERIALIZER, missing]).await;
}

#[tokio::test]
async fn a_component_of_another_purpose_is_refused() {
    let is = "it is a Spanner record filter";
    refused(guest("keep-even", &json!({})), &[DESERIALIZER, is]).await;
}

#[tokio::test]
async fn a_component_with_another_digest_is_refused() {
    let mut pinned = hostile("honest");
    pinned["sha256"] = json!("0".repeat(64));
    refused(pinned, &["spanner-change-stream.deserializer", "sha256"]).await;
}

#[tokio::test]
async fn a_component_that_is_not_there_is_refused() {
    refused(
        json!({ "path": "./nowhere.wasm" }),
        &[DESERIALIZER, "nowhere.wasm"],
    )
    .await;
}

#[tokio::test]
async fn a_component_that_fails_while_it_is_configured_is_refused() {
    for mode in ["trap-in-configure", "spin-in-configure"] {
        refused(hostile(mode), &[DESERIALIZER]).await;
    }
}

#[tokio::test]
async fn an_id_that_the_deserializer_does_not_write_is_refused_if_it_is_asked_for() {
    let (_sandbox, mut place) = place();
    place.set("record-id-field", json!("/elsewhere"));
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    for said in ["spanner-change-stream.record-id-field", "/elsewhere", "/id"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}
