//! `acequia state rewind`, and the run that follows.

use std::time::Duration;

use acequia_sandbox::spanner::history::{Committed, Live};
use acequia_sandbox::{
    Clock, Until,
    spanner::{History, Sandbox, Script},
};
use jiff::Timestamp;
use rustix::process::Signal;
use serde_json::json;

use super::place::{PATIENCE, Place, values};
use super::process::{self, Ended};
use super::shop::{after, an_hour_ago, customer, serve, serve_script};
use super::truth;

async fn rewind(place: &Place, to: Timestamp) -> Ended {
    let to = to.to_string();
    process::state(&["rewind", "--to", &to, "--yes"], &place.config()).await
}

/// A run to the end position.
async fn finish(place: &Place) {
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

fn since(committed: &[Committed], at: Timestamp) -> Vec<Committed> {
    let is_since = |row: &&Committed| row.commit_timestamp >= at;
    committed.iter().filter(is_since).cloned().collect()
}

/// `a` is divided into `b` and `c` with a change at every millisecond.
fn divided(start: Timestamp) -> History {
    let at = |millis| after(start, millis);
    let mut history = History::starting_at(start).partition("a");
    for millis in 1..10 {
        let number = u64::try_from(millis % 3).unwrap();
        history = history.commit(at(millis), "a", [customer(number)]);
    }
    history = history.split(at(10), "a", &["b", "c"]);
    for millis in 11..20 {
        let number = u64::try_from(millis % 3).unwrap();
        let token = if number == 0 { "b" } else { "c" };
        history = history.commit(at(millis), token, [customer(number)]);
    }
    history.build().unwrap()
}

#[tokio::test]
async fn everything_from_the_instant_on_is_repeated_with_the_same_ids() {
    let start = an_hour_ago();
    // Before the division, at it, behind it, and before anything.
    for millis in [4, 10, 15, 0] {
        let sandbox = serve(divided(start));
        let place = Place::new(&sandbox, start, after(start, 60_000));
        finish(&place).await;
        let first = place.lines();
        let committed = sandbox.committed();
        truth::compare(&values(&first), &committed);

        let at = after(start, millis);
        let ended = rewind(&place, at).await;
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(place.lines(), first, "a rewind writes nothing");
        finish(&place).await;

        let lines = place.lines();
        assert_eq!(lines.get(..first.len()), Some(first.as_slice()));
        let repeated = values(lines.get(first.len()..).unwrap());
        truth::compare(&repeated, &since(&committed, at));
        finish(&place).await;
        assert_eq!(
            place.lines(),
            lines,
            "what was repeated is not repeated again"
        );
    }
}

/// A stream that begins now and grows while it is read.
fn growing(changes: u64) -> (Sandbox, Timestamp) {
    let start = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap();
    let live = Live {
        rate: 250.0,
        split_every: Some(Duration::from_millis(150)),
        merge_every: Some(Duration::from_millis(200)),
        until: Until::Changes(changes),
        ..Live::default()
    };
    let sandbox = serve_script(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(70, live))
    });
    (sandbox, start)
}

#[tokio::test]
async fn a_run_that_was_killed_and_rewound_loses_nothing() {
    const CHANGES: u64 = 900;
    let (sandbox, start) = growing(CHANGES);
    let mut place = Place::endless(&sandbox, start);
    let mut kept = 0;
    let mut at = start;
    for round in 1..=3 {
        let before = place.lines().len();
        let running = process::start(&place.config());
        tokio::time::timeout(PATIENCE, place.written(before + 150))
            .await
            .unwrap();
        running.signal(Signal::KILL);
        assert_eq!(running.ended().await.code, None);
        // Halfway between the last instant and the watermark, which the command knows.
        let ended = process::state(&["export"], &place.config()).await;
        let state: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        let watermark: Timestamp = truth::text(&state, "watermark").parse().unwrap();
        let half = watermark.duration_since(at) / 2;
        // A run that was killed before its first save left the watermark just before the last one.
        at = at.checked_add(half).unwrap().min(watermark);
        let ended = rewind(&place, at).await;
        assert_eq!(ended.code, Some(0), "round {round}: {}", ended.stderr);
        kept = cut_of(&state);
    }
    let all_there = async {
        while (sandbox.committed().len() as u64) < CHANGES {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, all_there).await.unwrap();
    place.set("end-position", json!(Timestamp::now().to_string()));
    finish(&place).await;

    let bytes = std::fs::read_to_string(place.path("out.ndjson")).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let committed = sandbox.committed();
    let repeated = lines(bytes.get(kept..).unwrap());
    truth::compare(&values(&repeated), &since(&committed, at));
    // And what lies before it is in the file all the same.
    let all = values(&lines(&bytes));
    let ids: std::collections::BTreeSet<&str> =
        all.iter().map(|value| truth::text(value, "id")).collect();
    assert_eq!(ids.len(), committed.len());
}

/// The bytes of the output that an exported state stands for.
fn cut_of(state: &serde_json::Value) -> usize {
    let sink: serde_json::Value = serde_json::from_str(truth::text(state, "sink-state")).unwrap();
    usize::try_from(sink["files"]["out.ndjson"].as_u64().unwrap()).unwrap()
}

#[tokio::test]
async fn what_will_be_repeated_is_said_first_and_nothing_is_done_without_yes() {
    let start = an_hour_ago();
    let sandbox = serve(divided(start));
    let place = Place::endless(&sandbox, start);
    process::drain_after(&place, 18).await;
    let saved = std::fs::read(place.path("state/checkpoint")).unwrap();
    let at = after(start, 15).to_string();
    let ended = process::state(&["rewind", "--to", &at], &place.config()).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("give --yes"), "{}", ended.stderr);
    let said = &ended.stdout;
    for text in [
        &format!("orders goes back to {at} (1h"),
        &format!("from {at} to the watermark"),
        "2 unfinished and 0 finished ones make way",
        "a consumer can drop",
        &format!(
            "out.ndjson keeps what it holds, and what is repeated follows: changes since {at}"
        ),
        &format!("the source must still hold {at}"),
        place.path("state").to_str().unwrap(),
        "READ AGAIN FROM",
    ] {
        assert!(said.contains(text), "{text}: {said}");
    }
    for token in ["b", "c"] {
        let row = said
            .lines()
            .find(|line| line.split_whitespace().next() == Some(token));
        assert!(row.is_some_and(|row| row.contains(&at)), "{token}: {said}");
    }
    assert_eq!(
        std::fs::read(place.path("state/checkpoint")).unwrap(),
        saved
    );
}

#[tokio::test]
async fn an_instant_that_would_skip_or_has_not_come_is_refused() {
    let start = an_hour_ago();
    let sandbox = serve(divided(start));
    let place = Place::new(&sandbox, start, after(start, 60_000));
    finish(&place).await;
    let saved = std::fs::read(place.path("state/checkpoint")).unwrap();
    let skips = rewind(&place, after(start, 60_001)).await;
    assert_eq!(skips.code, Some(1), "{}", skips.stderr);
    let watermark = format!("after the watermark {}", after(start, 60_000));
    assert!(skips.stderr.contains(&watermark), "{}", skips.stderr);
    let tomorrow = after(Timestamp::now(), 86_400_000);
    let future = rewind(&place, tomorrow).await;
    assert_eq!(future.code, Some(1), "{}", future.stderr);
    assert!(
        future.stderr.contains("lies in the future"),
        "{}",
        future.stderr
    );
    let action = ["rewind", "--to", "yesterday", "--yes"];
    let unclear = process::state(&action, &place.config()).await;
    assert_eq!(unclear.code, Some(2), "{}", unclear.stderr);
    assert!(unclear.stderr.contains("RFC 3339"), "{}", unclear.stderr);
    assert_eq!(
        std::fs::read(place.path("state/checkpoint")).unwrap(),
        saved
    );
}

#[tokio::test]
async fn an_instant_that_the_source_has_dropped_is_found_and_a_copy_leads_back() {
    let start = an_hour_ago();
    let history = divided(start);
    let before = serve(history.clone());
    let mut place = Place::new(&before, start, after(start, 3_500_000));
    finish(&place).await;
    let lines = place.lines();
    let saved = std::fs::read(place.path("state/checkpoint")).unwrap();
    assert_eq!(rewind(&place, after(start, 5)).await.code, Some(0));
    let now = serve_script(Script {
        retention: Some(Duration::from_secs(30 * 60)),
        ..Script::new(history)
    });
    place.set("emulator-endpoint", json!(now.address().to_string()));
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let expired = format!(
        "the root query has expired: changes after {}",
        after(start, 5)
    );
    assert!(ended.stderr.contains(&expired), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("set resume-fallback"),
        "{}",
        ended.stderr
    );

    std::fs::write(place.path("state/checkpoint"), saved).unwrap();
    finish(&place).await;
    assert_eq!(place.lines(), lines);
}
