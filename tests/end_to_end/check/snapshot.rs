//! A snapshot: whether it can be planned, and for how long its instant can be read.

use std::collections::VecDeque;
use std::time::Duration;

use acequia_sandbox::spanner::batch::SeenBatch;
use acequia_sandbox::spanner::tables::Contents;
use acequia_sandbox::spanner::{Batch, History, Sandbox, Script};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::check;
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::an_hour_ago;

fn customers() -> Contents {
    let rows =
        (1..=40).map(|number: u32| json!({ "CustomerId": number.to_string(), "Name": "Ada" }));
    Contents::of("Customers", rows)
}

/// A database of forty customers, and a place that reads them.
fn forty_customers(adjust: impl FnOnce(&mut Batch)) -> (Sandbox, Place) {
    let mut batch = Batch {
        contents: vec![customers()],
        ..Batch::default()
    };
    adjust(&mut batch);
    let history = History::starting_at(an_hour_ago())
        .partition("p0")
        .build()
        .unwrap();
    let script = Script {
        batch,
        ..Script::new(history)
    };
    let sandbox = Sandbox::start(script).unwrap();
    let mut place = Place::of_rows(&sandbox);
    place.set("read-operation", table(json!(["CustomerId", "Name"])));
    (sandbox, place)
}

fn table(columns: Value) -> Value {
    json!({ "table": { "name": "Customers", "columns": columns } })
}

/// What was asked that reads rows, of all batch calls.
fn reads(calls: VecDeque<SeenBatch>) -> Vec<String> {
    let methods = calls.into_iter().map(|call| call.method.to_string());
    methods
        .filter(|method| method == "StreamingRead" || method == "ExecuteStreamingSql")
        .collect()
}

#[tokio::test]
async fn a_table_is_planned_and_no_row_of_it_is_read() {
    let (sandbox, place) = forty_customers(|_| {});
    let told = check(&place, &sandbox).await;
    assert_eq!(told.code, 0, "{:#}", told.report);
    let seen = told.seen("source", "ok");
    assert!(
        seen.contains("table Customers has 4 partitions at ") && seen.contains("the primary key"),
        "{seen}"
    );
    let source = &told.report["would_read"]["source"];
    assert_eq!(source["partitions"], 4);
    assert_eq!(source["ids_by_key"], true);
    assert_eq!(source["dialect"], "GOOGLE_STANDARD_SQL");
    assert_eq!(reads(sandbox.stats().batch), Vec::<String>::new());
}

#[tokio::test]
async fn without_the_whole_key_among_the_columns_ids_are_of_row_numbers() {
    let (sandbox, mut place) = forty_customers(|_| {});
    place.set("read-operation", table(json!(["Name"])));
    let told = check(&place, &sandbox).await;
    assert_eq!(told.report["would_read"]["source"]["ids_by_key"], false);
    assert!(told.seen("source", "ok").contains("row number"));
}

#[tokio::test]
async fn a_query_that_cannot_be_divided_is_told_with_the_reason_of_the_service() {
    let (sandbox, mut place) = forty_customers(|_| {});
    let query = "SELECT CustomerId FROM Customers ORDER BY CustomerId";
    place.set("read-operation", json!({ "query": query }));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &["the query cannot be planned at ", "not root partitionable"],
        "without ORDER BY",
    );
}

#[tokio::test]
async fn a_table_that_is_not_there_is_named() {
    let (sandbox, mut place) = forty_customers(|_| {});
    let nothing = json!({ "table": { "name": "Nothing", "columns": ["a"] } });
    place.set("read-operation", nothing);
    let told = check(&place, &sandbox).await;
    told.fails("source", &["table Nothing cannot be planned at "], "");
}

#[tokio::test]
async fn a_stale_snapshot_of_a_database_that_keeps_little_is_warned_about() {
    let (sandbox, mut place) = forty_customers(|_| {});
    place.set("timestamp-bound", json!({ "exact-staleness": "45m" }));
    let told = check(&place, &sandbox).await;
    assert_eq!(told.code, 0, "{:#}", told.report);
    told.says(
        "retention",
        "warning",
        &["can be read for another 1", "keeps versions for 1h"],
        "version_retention_period",
    );
}

#[tokio::test]
async fn a_database_that_keeps_versions_for_days_is_not_warned_about() {
    let week = Duration::from_secs(7 * 24 * 3600);
    let (sandbox, mut place) = forty_customers(|batch| batch.version_retention = Some(week));
    place.set("timestamp-bound", json!({ "exact-staleness": "45m" }));
    let told = check(&place, &sandbox).await;
    assert_eq!(told.seen("retention", "warning"), "");
    assert!(
        told.seen("retention", "ok")
            .contains("keeps versions for 7d")
    );
    assert_eq!(told.report["would_read"]["retention"]["seconds"], 604_800);
}

#[tokio::test]
async fn an_instant_that_is_not_kept_any_more_is_refused() {
    let (sandbox, mut place) = forty_customers(|_| {});
    place.set("timestamp-bound", json!({ "exact-staleness": "2h" }));
    let told = check(&place, &sandbox).await;
    told.fails("source", &["staleness"], "version_retention_period");
}

#[tokio::test]
async fn an_instant_in_the_future_is_not_waited_for() {
    let (sandbox, mut place) = forty_customers(|_| {});
    let tomorrow = Timestamp::now() + Duration::from_secs(24 * 3600);
    let bound = json!({ "read-timestamp": tomorrow.to_string() });
    place.set("timestamp-bound", bound);
    let told = check(&place, &sandbox).await;
    told.says("retention", "warning", &["lies in the future"], "strong");
}

#[tokio::test]
async fn a_snapshot_that_is_read_leaves_a_run_nothing_to_do() {
    let (sandbox, place) = forty_customers(|_| {});
    place.run().await.unwrap();
    let told = check(&place, &sandbox).await;
    assert_eq!(told.code, 0, "{:#}", told.report);
    let seen = told.seen("retention", "ok");
    assert!(
        seen.contains("every row of the saved snapshot is read"),
        "{seen}"
    );
}

#[tokio::test]
async fn the_deserializer_is_tried_on_rows_of_every_type() {
    let (sandbox, place) = forty_customers(|_| {});
    let told = check(&place, &sandbox).await;
    let seen = told.seen("components", "ok");
    assert!(
        seen.contains("makes 2 outputs of 2 made records of 12 types"),
        "{seen}"
    );
}
