//! More partitions than streams that may be open.

use std::time::Duration;

use acequia_sandbox::bigtable::history::Live;
use acequia_sandbox::bigtable::{History, Sandbox, Script};
use acequia_sandbox::{Clock, Until};
use serde_json::json;

use super::super::place::{PATIENCE, Place};
use super::super::shop::after;
use super::super::turns::turns_of_each;
use super::rows::now;
use super::truth;

const PARTITIONS: u32 = 8;

/// Waits until each partition has had so many turns.
async fn rounds(sandbox: &Sandbox, rounds: u64) {
    let fair = sandbox.wait_for(|stats| {
        let openings: Vec<u64> = stats.opened.values().copied().collect();
        turns_of_each(&openings, PARTITIONS as usize) >= rounds
    });
    tokio::time::timeout(PATIENCE, fair).await.unwrap();
}

#[tokio::test]
async fn eight_partitions_take_turns_on_two_streams_and_lose_nothing() {
    let start = now();
    let live = Live {
        rate: 300.0,
        split_every: None,
        merge_every: None,
        move_every: None,
        partitions_first: PARTITIONS,
        until: Until::Elapsed(Duration::from_secs(8)),
        ..Live::default()
    };
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(60, live))
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    // The builder's own name; two is the default, too.
    place.set("max-concurrent-streams-per-subtask", json!(2));
    place.set("turn", json!("30ms"));
    place.set("bounded-timestamp", json!(after(start, 9_000).to_string()));
    let (report, ()) = tokio::join!(place.run(), rounds(&sandbox, 4));
    assert!(report.unwrap().tally.scheduler.turns >= 4 * u64::from(PARTITIONS) - 2);
    truth::check(&place, &sandbox.committed());
    let most = sandbox.stats().open_max;
    assert!(most <= 2, "{most} were open at once");
}
