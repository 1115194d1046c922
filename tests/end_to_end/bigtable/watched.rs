//! What a run tells of itself over HTTP while it runs.

use std::time::Duration;

use acequia_sandbox::bigtable::history::{KeyRange, Live};
use acequia_sandbox::bigtable::{Fault, History, Sandbox, Script};
use acequia_sandbox::{Clock, Until, What};
use serde_json::{Value, json};

use super::super::place::Place;
use super::super::shop::after;
use super::rows::{now, paid};
use crate::admin::metrics::samples;
use crate::admin::run;

/// Whether an id is one of a partition of this range; behind the range stands a number.
fn is_of(id: &Value, range: &str) -> bool {
    let id = id.as_str().unwrap();
    id.rsplit_once('#').is_some_and(|(of, _)| of == range)
}

fn partition<'a>(status: &'a Value, range: &str) -> Option<&'a Value> {
    let list = status["partitions"]["list"].as_array().unwrap();
    list.iter().find(|it| is_of(&it["token"], range))
}

/// Two halves that merge while the second of them is silent.
fn half_merged(start: jiff::Timestamp) -> Sandbox {
    let history = History::starting_at(start)
        .partitions(&["m"])
        .write(after(start, 10), "a", [paid()])
        .merge(after(start, 500), "m")
        .write(after(start, 1_000), "z", [paid()])
        .build()
        .unwrap();
    Sandbox::start(Script {
        clock: Clock::StartingAt(start),
        faults: vec![Fault::on_range(KeyRange::new("m", ""), 0, What::Stall)],
        ..Script::new(history)
    })
    .unwrap()
}

#[tokio::test]
async fn partitions_are_told_as_ranges_and_a_merge_as_one_that_waits_for_tokens() {
    let start = now();
    let sandbox = half_merged(start);
    let mut place = Place::of_table(&sandbox, start);
    place.set("stall-after-heartbeats", json!(6));
    let asked = run::start(&mut place).await;
    let merging = |status: &Value| {
        partition(status, "[*, *)").is_some_and(|it| it["waits"]["for"] == "tokens")
    };
    let status = asked.status_when("merging", merging).await;
    assert_eq!(status["source"]["table"], sandbox.table());
    assert_eq!(partition(&status, "[m, *)").unwrap()["state"], "open");
    let whole = partition(&status, "[*, *)").unwrap();
    assert_eq!(whole["state"], "waiting");
    let parents = whole["parents"].as_array().unwrap();
    assert!(
        parents.len() == 1 && is_of(&parents[0], "[*, m)"),
        "{whole}"
    );
    // The silent half is opened again, closed, and brings the other token.
    let merged = |status: &Value| {
        status["totals"]["outputs"] == 2
            && partition(status, "[*, *)").is_some_and(|it| it["state"] == "open")
    };
    let status = asked.status_when("merged", merged).await;
    assert_eq!(status["totals"]["merges"], 1);
    assert_eq!(status["partitions"]["unfinished"], 1);
    assert_eq!(status["totals"]["tokenless_restarts"], 0);
}

#[tokio::test]
async fn the_backlog_and_the_clients_streams_are_measured() {
    let start = now();
    let live = Live {
        rate: 200.0,
        split_every: Some(Duration::from_millis(500)),
        merge_every: None,
        move_every: None,
        partitions_first: 1,
        partitions_max: 4,
        until: Until::Elapsed(Duration::from_secs(3)),
        ..Live::default()
    };
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(3, live))
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("max-concurrent-streams", json!(8));
    place.set("backlog-replication-adjustment", json!("0s"));
    place.set("export-client-metrics", json!(true));
    let asked = run::start(&mut place).await;
    let split = |status: &Value| {
        let partitions = &status["partitions"];
        status["totals"]["splits"] == 3
            && partitions["backlog_bytes"].is_u64()
            && partitions["open"] == 4
    };
    let status = asked.status_when("split", split).await;
    let list = status["partitions"]["list"].as_array().unwrap();
    assert!(list.iter().all(|it| it.get("backlog_bytes").is_some()));

    let samples = samples(&asked.get("/metrics").await.body);
    let of = |beginning: &str| {
        let mut series = samples
            .iter()
            .filter(|(name, _)| name.starts_with(beginning));
        series.next().map(|(_, value)| *value)
    };
    assert!(of("acequia_backlog_bytes").is_some(), "{samples:#?}");
    assert!(of("acequia_partition_backlog_bytes{partition=\"[").is_some());
    let generate = "method=\"GenerateInitialChangeStreamPartitions\"";
    let read = "method=\"ReadChangeStream\"";
    let operations = |method: &str, code: &str| {
        of(&format!(
            "acequia_client_operations_total{{{method},code=\"{code}\"}}"
        ))
    };
    assert_eq!(operations(generate, "OK"), Some(1.0));
    // An operation ends with its stream: three have ended, closed by the service, and four are open.
    assert_eq!(operations(read, "OK"), Some(3.0));
    assert_eq!(operations(read, "CANCELLED"), None);
    let attempts = format!("acequia_client_attempts_total{{{read},code=\"OK\"}}");
    assert_eq!(of(&attempts), Some(7.0));
    for series in ["first_response_seconds", "application_seconds"] {
        let count = format!("acequia_client_{series}_count{{{read}}}");
        assert!(of(&count) >= Some(3.0), "{count}: {samples:#?}");
    }
}
