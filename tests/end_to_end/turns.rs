//! More partitions than queries that may be open.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_host::Outcome;
use acequia_sandbox::spanner::history::Live;
use acequia_sandbox::{
    Clock, Until,
    spanner::{History, ROOT, Sandbox, Script, Stats},
};
use jiff::Timestamp;
use serde_json::json;

use super::place::{PATIENCE, Place};
use super::shop::serve_script;
use super::truth;

const PARTITIONS: u32 = 16;
const OPEN_MAX: usize = 2;

/// Sixteen partitions that never end, and what is written to them.
fn endless(rate: f64, until: Until) -> (Sandbox, Timestamp) {
    let start = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap();
    let live = Live {
        rate,
        split_every: None,
        merge_every: None,
        partitions_first: PARTITIONS,
        keys: 400,
        rows_per_commit_max: 4,
        until,
        ..Live::default()
    };
    let sandbox = serve_script(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(60, live))
    });
    (sandbox, start)
}

/// How often each partition was opened.
fn openings(stats: &Stats) -> BTreeMap<&str, u64> {
    let of_partitions = stats.opened.iter().filter(|(token, _)| *token != ROOT);
    of_partitions
        .map(|(token, times)| (token.as_str(), *times))
        .collect()
}

/// Looks at every state of the sandbox until each partition has had `rounds` turns. Between two
/// turns of one partition every one that waits has its own. One whose records are on their way to
/// the sink does not wait and may miss a round; one that starved would fall back without bound.
async fn watch(sandbox: &Sandbox, rounds: u64) {
    let fair = sandbox.wait_for(|stats| {
        let openings: Vec<u64> = openings(stats).into_values().collect();
        turns_of_each(&openings, PARTITIONS as usize) >= rounds
    });
    let stats = tokio::time::timeout(PATIENCE, fair).await.unwrap();
    assert!(
        stats.open_max <= OPEN_MAX,
        "{} were open at once",
        stats.open_max
    );
}

/// How many turns each of so many partitions had at least; none had more than two more.
pub(super) fn turns_of_each(openings: &[u64], partitions: usize) -> u64 {
    if openings.len() < partitions {
        return 0;
    }
    let most = openings.iter().max().copied().unwrap_or(0);
    let least = openings.iter().min().copied().unwrap_or(0);
    assert!(most <= least + 2, "{openings:?}");
    least
}

async fn read_in_turns(sandbox: &Sandbox, place: &mut Place, rounds: u64) {
    place.set("max-concurrent-queries", json!(OPEN_MAX));
    place.set("turn", json!("30ms"));
    let (stop, stopped) = tokio::sync::mpsc::channel(1);
    let watching = async {
        watch(sandbox, rounds).await;
        stop.send(()).await.unwrap();
    };
    let (report, ()) = tokio::join!(place.run_until(stopped), watching);
    let report = report.unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    assert!(report.tally.scheduler.turns >= rounds * u64::from(PARTITIONS) - 2);
}

#[tokio::test]
async fn sixteen_partitions_without_a_change_take_turns_on_two_queries() {
    let (sandbox, start) = endless(0.001, Until::Changes(0));
    let mut place = Place::endless(&sandbox, start);
    read_in_turns(&sandbox, &mut place, 2).await;
}

#[tokio::test]
async fn sixteen_saturated_partitions_take_turns_on_two_queries() {
    let (sandbox, start) = endless(400.0, Until::Elapsed(Duration::from_secs(12)));
    let mut place = Place::endless(&sandbox, start);
    read_in_turns(&sandbox, &mut place, 4).await;

    // Nothing was lost between the turns.
    let mut before = 0;
    while sandbox.committed().len() > before {
        before = sandbox.committed().len();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    place.set("end-position", json!(Timestamp::now().to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}
