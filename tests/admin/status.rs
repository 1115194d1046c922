//! The status: every split and merge, counts, health.

use std::collections::BTreeSet;

use acequia_sandbox::spanner::History;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::run;
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::{after, an_hour_ago, customer, serve};

/// `a` splits into `b` and `c`, these merge into `d`, and `d` moves to `e`, which never ends.
fn history(start: jiff::Timestamp) -> History {
    History::starting_at(start)
        .partition("a")
        .commit(after(start, 10), "a", [customer(1), customer(2)])
        .split(after(start, 100), "a", &["b", "c"])
        .commit(after(start, 150), "b", [customer(3)])
        .commit(after(start, 160), "c", [customer(4)])
        .merge(after(start, 200), &["b", "c"], "d")
        .commit(after(start, 250), "d", [customer(5)])
        .moved(after(start, 300), "d", "e")
        .commit(after(start, 350), "e", [customer(6)])
        .build()
        .unwrap()
}

fn ends(status: &Value) -> BTreeSet<(String, Vec<String>)> {
    let finished = status["history"]["list"].as_array().unwrap().iter();
    let unfinished = status["partitions"]["list"].as_array().unwrap().iter();
    let named = |partition: &Value| {
        let parents = partition["parents"].as_array().unwrap().iter();
        let parents = parents.map(|parent| parent.as_str().unwrap().to_owned());
        (
            partition["token"].as_str().unwrap().to_owned(),
            parents.collect(),
        )
    };
    finished.chain(unfinished).map(named).collect()
}

#[tokio::test]
async fn every_split_merge_and_move_that_happened_is_told_with_who_follows_whom() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let read = |status: &Value| status["totals"]["outputs"] == 6 && status["totals"]["moves"] == 1;
    let status = asked.status_when("read", read).await;

    assert_eq!(status["totals"]["splits"], 1);
    assert_eq!(status["totals"]["merges"], 1);
    assert_eq!(status["totals"]["records"], 5);
    let expected = [
        ("", vec![]),
        ("a", vec![""]),
        ("b", vec!["a"]),
        ("c", vec!["a"]),
        ("d", vec!["b", "c"]),
        ("e", vec!["d"]),
    ];
    let expected: BTreeSet<_> = expected
        .into_iter()
        .map(|(token, parents): (&str, Vec<&str>)| {
            let parents = parents.into_iter().map(str::to_owned).collect();
            (token.to_owned(), parents)
        })
        .collect();
    assert_eq!(ends(&status), expected);
    let finished = &status["history"]["list"][1];
    assert_eq!(finished["token"], "a");
    assert_eq!(finished["end"], json!(after(start, 100).to_string()));
    assert_eq!(status["partitions"]["unfinished"], 1);
    assert_eq!(status["name"], "orders");
    assert_eq!(status["source"]["change-stream"], "ShopStream");
}

#[tokio::test]
async fn guests_sink_and_checkpoint_are_told_with_their_costs() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let saved =
        |status: &Value| status["totals"]["outputs"] == 6 && status["checkpoint"].is_object();
    let status = asked.status_when("saved", saved).await;

    let guests = status["guests"].as_array().unwrap();
    let of = |role: &str| guests.iter().find(|guest| guest["role"] == role).unwrap();
    assert_eq!(of("names-filter")["name"], "names");
    let json = of("deserializer");
    assert_eq!(
        (&json["name"], &json["records"]),
        (&json!("json"), &json!(5))
    );
    assert!(json["calls"].as_u64().unwrap() >= 1);
    assert!(json["memory_bytes"].as_u64().unwrap() >= 64 << 10);
    assert_eq!(json["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(status["sink"]["kind"], "file");
    assert!(status["sink"]["batches"].as_u64().unwrap() >= 1);
    assert!(status["checkpoint"]["bytes"].as_u64().unwrap() > 100);
}

#[tokio::test]
async fn health_and_readiness_are_told_apart_and_a_drain_is_not_ready() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    asked
        .status_when("ready", |status| status["ready"] == true)
        .await;
    assert_eq!(asked.get("/healthz").await.code, 200);
    let ready = asked.get("/readyz").await;
    assert_eq!((ready.code, ready.body.as_str()), (200, "ready\n"));
    asked.running.signal(Signal::TERM);
    assert_eq!(asked.running.ended().await.code, Some(0));
}

#[tokio::test]
async fn a_position_near_the_end_of_the_retention_degrades_and_does_not_kill() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    place.set("heartbeat-interval", json!("5m"));
    // An hour of 65 minutes is used up where the last partition says nothing.
    place.set("absent-retention-fallback", json!("65m"));
    let asked = run::start(&mut place).await;
    let status = asked
        .status_when("read", |status| status["totals"]["outputs"] == 6)
        .await;
    let headroom = status["headroom_seconds"].as_f64().unwrap();
    let retention_is_short = headroom < 390.0;
    let ready = asked.get("/readyz").await;
    assert_eq!(ready.code, 200);
    assert_eq!(
        ready.body.contains("degraded"),
        retention_is_short,
        "{}",
        ready.body
    );
    assert_eq!(asked.get("/healthz").await.code, 200);
}
