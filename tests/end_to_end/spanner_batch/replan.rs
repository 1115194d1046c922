//! Plans that are gone, and instants that are.

use std::time::Duration;

use acequia_sandbox::What;
use acequia_sandbox::spanner::batch::RowWire;
use acequia_sandbox::spanner::{Batch, Fault, OnBatch, Sandbox};
use serde_json::json;
use tonic::Code;

use super::{customers, expected, place, serve, serve_customers, sorted};
use crate::end_to_end::place::{Place, drain_after};

const ROWS: usize = 400;

fn slowly(sandbox: &Sandbox) -> Place {
    let mut place = place(sandbox);
    place.set("max-concurrent-partitions", json!(1));
    place.set("max-rows-per-fetch", json!(10));
    place
}

/// Rows beside the record that says that the snapshot began anew.
fn rows_and_restarts(place: &Place) -> (Vec<String>, usize) {
    let (restarts, rows): (Vec<_>, Vec<_>) = sorted(place)
        .into_iter()
        .partition(|line| line.contains("snapshot-restart"));
    (rows, restarts.len())
}

fn lose(sandbox: &Sandbox, what: &str) {
    let lost = What::status(Code::NotFound, what);
    sandbox.add_fault(Fault::on_batch(OnBatch::Partition(2), 1, lost));
}

#[tokio::test]
async fn a_lost_session_is_planned_again_at_the_same_timestamp_and_the_file_is_cut_back() {
    for what in ["Session not found: s", "Transaction not found: t"] {
        let sandbox = serve_customers(ROWS, RowWire::default());
        lose(&sandbox, what);
        let place = slowly(&sandbox);
        place.run().await.unwrap();
        assert_eq!(rows_and_restarts(&place), (expected(ROWS), 1), "{what}");
        let first = place.values().remove(0);
        assert_eq!(first["_control"], "snapshot-restart");
        assert_eq!(first["_abandoned_at"], first["_restarted_at"]);
    }
}

#[tokio::test]
async fn a_session_that_is_lost_between_two_runs_is_planned_again() {
    let sandbox = serve_customers(ROWS, RowWire::default());
    let mut place = slowly(&sandbox);
    place.set(
        "pipeline",
        json!({ "records-in-flight-max": 20, "batch-records-max": 10 }),
    );
    drain_after(&place, 50).await.unwrap();
    assert!(place.lines().len() < ROWS);
    sandbox.forget_sessions();
    place.run().await.unwrap();
    assert_eq!(rows_and_restarts(&place), (expected(ROWS), 1));
}

fn short_lived() -> Sandbox {
    let sandbox = serve(Batch {
        contents: vec![customers(ROWS)],
        version_retention: Some(Duration::from_secs(60)),
        ..Batch::default()
    });
    sandbox.add_fault(Fault::on_batch(OnBatch::Partition(2), 1, What::Expire));
    sandbox
}

#[tokio::test]
async fn a_timestamp_older_than_the_version_retention_ends_with_advice() {
    let sandbox = short_lived();
    let place = slowly(&sandbox);
    let failure = place.run().await.unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    let text = failure.text();
    for known in ["version_retention_period", "on-expiry: begin-anew"] {
        assert!(text.contains(known), "{known:?} is not in {text:?}");
    }
}

#[tokio::test]
async fn or_everything_is_read_anew_where_that_is_configured() {
    let sandbox = short_lived();
    let mut place = slowly(&sandbox);
    place.set("on-expiry", json!("begin-anew"));
    place.run().await.unwrap();
    assert_eq!(rows_and_restarts(&place), (expected(ROWS), 1));
    let first = place.values().remove(0);
    assert_ne!(first["_abandoned_at"], first["_restarted_at"]);
}
