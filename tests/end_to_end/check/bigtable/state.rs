//! Saved state that a run cannot go on from.

use std::time::Duration;

use acequia_sandbox::bigtable::{Sandbox, Script};
use acequia_sandbox::{Clock, ManualClock};
use jiff::Timestamp;
use serde_json::json;

use super::super::super::place::{Place, drain_after};
use super::super::super::shop::{after, an_hour_ago};
use super::{check, history, two_mutations};

#[tokio::test]
async fn state_of_another_table_is_named_with_both() {
    let (sandbox, mut place) = two_mutations(|_| {});
    drain_after(&place, 2).await.unwrap();
    let other = format!("{}/tables/other", sandbox.instance());
    place.set("table", json!(other));
    let told = check(&place, &sandbox).await;
    let said = ["belongs to table", sandbox.table(), &other];
    told.fails("checkpoint", &said, "existing-state: new");
    assert_eq!(told.report["would_read"]["begin"], json!(null));
}

/// Reads what was there an hour ago and stops. Afterwards the table keeps half an hour only.
async fn left_behind(start: Timestamp) -> (Sandbox, Place) {
    // A clock that stands still lets no low watermark pass the last change.
    let clock = Clock::Manual(ManualClock::at(after(start, 60_000)));
    let before = Sandbox::start(Script {
        clock,
        ..Script::new(history(start))
    });
    let before = before.unwrap();
    let mut place = Place::of_table(&before, start);
    drain_after(&place, 2).await.unwrap();
    let now = Sandbox::start(Script {
        retention: Some(Duration::from_secs(30 * 60)),
        ..Script::new(history(start))
    });
    let now = now.unwrap();
    place.set("emulator-endpoint", json!(now.address().to_string()));
    (now, place)
}

#[tokio::test]
async fn saved_positions_before_the_retention_are_counted_and_told_with_what_is_lost() {
    let start = an_hour_ago();
    let (sandbox, mut place) = left_behind(start).await;
    let told = check(&place, &sandbox).await;
    let said = ["2 of 2 saved positions have expired", "are lost"];
    told.fails("retention", &said, "set resume-fallback");
    let headroom = told.report["would_read"]["retention"]["headroom_seconds"].as_i64();
    assert!(headroom.unwrap() < 0, "{headroom:?}");

    place.set("resume-fallback", json!("earliest"));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = ["have expired", "a gap record"];
    told.says("retention", "warning", &said, "what is lost");
}
