//! Runs that are stopped and started again.

use std::time::Duration;

use acequia_sandbox::spanner::history::Live;
use acequia_sandbox::{
    Clock, Until,
    spanner::{History, Sandbox, Script},
};
use jiff::Timestamp;
use rustix::process::Signal;
use serde_json::json;

use super::guests;
use super::place::{PATIENCE, Place};
use super::shop::{an_hour_ago, customer, serve, serve_script};
use super::{process, truth};
use crate::soak;

const CHANGES: u64 = 1500;

/// A stream that begins now and grows while it is read.
fn growing(seed: u64) -> (Sandbox, Timestamp) {
    let start = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap();
    let live = Live {
        rate: 250.0,
        split_every: Some(Duration::from_millis(150)),
        merge_every: Some(Duration::from_millis(200)),
        until: Until::Changes(CHANGES),
        ..Live::default()
    };
    let sandbox = serve_script(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(seed, live))
    });
    (sandbox, start)
}

/// Waits until the sink holds `lines` lines.
async fn written(place: &Place, lines: usize) {
    if tokio::time::timeout(PATIENCE, place.written(lines))
        .await
        .is_err()
    {
        panic!("{} lines, not {lines}", place.lines().len());
    }
}

/// Waits until the stream holds all that it will ever hold, and ends the reading after that.
async fn end(sandbox: &Sandbox, place: &mut Place) {
    let waiting = async {
        while (sandbox.committed().len() as u64) < CHANGES {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap();
    place.set("end-position", json!(Timestamp::now().to_string()));
}

#[tokio::test]
async fn a_process_that_is_killed_again_and_again_writes_every_change_exactly_once() {
    let histories = soak::times(1, 40);
    let mut cut = 0;
    for history in 0..histories {
        cut += killed_again_and_again(50 + 1000 * history).await;
    }
    eprintln!("killed {} times, after {cut} lines", 5 * histories);
}

/// Gives the lines that were there at the kills.
async fn killed_again_and_again(seed: u64) -> usize {
    let (sandbox, start) = growing(seed);
    let mut place = Place::endless(&sandbox, start);
    // Longer than what a run lives after its first line, so that there is a tail to cut.
    place.set(
        "checkpoint",
        json!({ "directory": "state", "interval": "300ms" }),
    );
    let mut cut = 0;
    for _ in 0..5 {
        let before = place.lines().len();
        let running = process::start(&place.config());
        written(&place, before + 60).await;
        running.signal(Signal::KILL);
        let ended = running.ended().await;
        assert_eq!(ended.code, None, "{}", ended.stderr);
        cut += place.lines().len();
    }
    assert!(cut >= 300);
    end(&sandbox, &mut place).await;
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("resuming from the saved checkpoint"),
        "{}",
        ended.stderr
    );
    truth::check(&place, &sandbox.committed());
    cut
}

#[tokio::test]
async fn sigterm_drains_and_the_next_run_repeats_nothing() {
    let (sandbox, start) = growing(51);
    let mut place = Place::endless(&sandbox, start);
    let running = process::start(&place.config());
    written(&place, 200).await;
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("drained after"), "{}", ended.stderr);
    let drained = place.lines();

    end(&sandbox, &mut place).await;
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let all = place.lines();
    assert_eq!(all.get(..drained.len()), Some(drained.as_slice()));
    truth::check(&place, &sandbox.committed());
}

/// A run whose only record keeps a guest busy for longer than anyone waits.
fn stuck() -> (Sandbox, Place) {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .commit(start, "a", [customer(1)])
        .build()
        .unwrap();
    let sandbox = serve(history);
    let mut place = Place::endless(&sandbox, start);
    place.set("deserializer", guests::hostile("spin"));
    place.set("pipeline", json!({ "guest-timeout": "1h" }));
    (sandbox, place)
}

/// Waits until the query of partition `a` has been opened, and its record had the time to come.
async fn reads_a(sandbox: &Sandbox) {
    let opened = sandbox.wait_for(|stats| stats.opened.contains_key("a"));
    tokio::time::timeout(PATIENCE, opened).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
}

#[tokio::test]
async fn a_second_sigterm_leaves_at_once_with_1() {
    let (sandbox, place) = stuck();
    let running = process::start(&place.config());
    reads_a(&sandbox).await;
    running.signal(Signal::TERM);
    // Two signals that are pending at once are one.
    tokio::time::sleep(Duration::from_millis(300)).await;
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("draining; a second signal leaves at once"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("interrupted"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_drain_that_takes_too_long_ends_with_1_and_says_so() {
    let (sandbox, mut place) = stuck();
    place.set("drain-timeout", json!("200ms"));
    let running = process::start(&place.config());
    reads_a(&sandbox).await;
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("not drained within 200ms"),
        "{}",
        ended.stderr
    );
}
