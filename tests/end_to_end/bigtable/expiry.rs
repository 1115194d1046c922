//! A position that the service has dropped.

use std::time::Duration;

use acequia_host::Outcome;
use acequia_sandbox::bigtable::history::KeyRange;
use acequia_sandbox::bigtable::{From, History, Sandbox, Script};
use acequia_sandbox::{Clock, ManualClock};
use jiff::Timestamp;
use serde_json::{Value, json};
use tonic::Code;

use super::super::place::{Place, drain_after};
use super::super::shop::{after, an_hour_ago};
use super::super::{process, truth::text};
use super::rows::paid;

const MINUTE_MS: i64 = 60_000;

/// Two partitions: the first was written to an hour ago, the second nine minutes ago, too. Where
/// something `follows`, it is one mutation of each.
fn history(start: Timestamp, follows: bool) -> History {
    let at = |minutes, millis| after(start, minutes * MINUTE_MS + millis);
    let mut history = History::starting_at(start)
        .partitions(&["m"])
        .write(at(0, 1_000), "a", [paid()])
        .write(at(0, 2_000), "z", [paid()])
        .write(at(51, 0), "z", [paid()]);
    if follows {
        history = history
            .write(at(52, 0), "a", [paid()])
            .write(at(52, 1), "z", [paid()]);
    }
    history.build().unwrap()
}

/// Reads what was there and stops. Afterwards the stream keeps half an hour only.
async fn left_behind(start: Timestamp, expired: Code) -> (Sandbox, Place) {
    // A clock that stands still sends no heartbeat, so each position stays at its last mutation.
    let before = Sandbox::start(Script {
        clock: Clock::Manual(ManualClock::at(after(start, 51 * MINUTE_MS))),
        ..Script::new(history(start, false))
    })
    .unwrap();
    let mut place = Place::of_table(&before, start);
    let report = drain_after(&place, 3).await.unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    let now = Sandbox::start(Script {
        retention: Some(Duration::from_secs(30 * 60)),
        expired,
        ..Script::new(history(start, true))
    })
    .unwrap();
    place.set("emulator-endpoint", json!(now.address().to_string()));
    (now, place)
}

#[tokio::test]
async fn an_expired_position_without_a_fallback_fails_and_names_what_is_lost() {
    let start = an_hour_ago();
    let (_sandbox, place) = left_behind(start, Code::OutOfRange).await;
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let lost = format!(
        "partition [*, m)#1 has expired: changes after {}",
        after(start, 1_000)
    );
    for said in [lost.as_str(), "set resume-fallback"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    assert_eq!(place.lines().len(), 3, "nothing was written");
}

#[tokio::test]
async fn a_fallback_begins_the_expired_partition_anew_and_leaves_a_gap_record_before_it() {
    let start = an_hour_ago();
    let (sandbox, mut place) = left_behind(start, Code::OutOfRange).await;
    place.set("resume-fallback", json!("earliest"));
    let bound = after(start, 55 * MINUTE_MS);
    place.set("bounded-timestamp", json!(bound.to_string()));
    let report = place.run().await.unwrap();
    assert_eq!(report.outcome, Outcome::Finished);
    assert_eq!(report.tally.scheduler.restarts, 1);

    let lines = place.values();
    let written: Vec<&Value> = lines.iter().skip(3).collect();
    let gap = written
        .iter()
        .position(|value| value["control"] == "gap")
        .unwrap();
    let anew = written
        .iter()
        .position(|value| value["row_key"] == "YQ==")
        .unwrap();
    assert!(gap < anew);
    assert_eq!(written.len(), 3, "the gap, and one mutation of each");
    let instant = |member| text(written[gap], member).parse::<Timestamp>().unwrap();
    assert_eq!(instant("lost_from"), after(start, 1_000));
    // Half an hour of retention, with the minute of margin that the start has, too.
    let resumed = instant("resumed_at");
    assert!(resumed > after(start, 30 * MINUTE_MS) && resumed < after(start, 45 * MINUTE_MS));

    // The other partition goes on from its token, and only from there.
    let reads: Vec<_> = sandbox
        .stats()
        .calls
        .into_iter()
        .filter_map(|it| it.read)
        .collect();
    for read in reads {
        let is_expired = read.range == KeyRange::new("", "m");
        assert_eq!(matches!(read.from, From::Start(_)), is_expired, "{read:?}");
    }
}

#[tokio::test]
async fn a_gap_is_written_once_even_if_the_run_is_repeated() {
    let start = an_hour_ago();
    let (_sandbox, mut place) = left_behind(start, Code::OutOfRange).await;
    place.set("resume-fallback", json!("earliest"));
    drain_after(&place, 6).await.unwrap();
    let lines = place.lines();
    let bound = after(start, 55 * MINUTE_MS);
    place.set("bounded-timestamp", json!(bound.to_string()));
    place.run().await.unwrap();
    assert_eq!(place.lines(), lines);
}

/// A position that our clock takes for readable and the service does not.
#[tokio::test]
async fn a_refusal_inside_the_retention_fails_with_the_services_words() {
    for code in [
        Code::OutOfRange,
        Code::InvalidArgument,
        Code::FailedPrecondition,
    ] {
        let start = an_hour_ago();
        let sandbox = Sandbox::start(Script {
            faults: vec![acequia_sandbox::bigtable::Fault::on_any(
                0,
                1,
                acequia_sandbox::What::Expire,
            )],
            expired: code,
            ..Script::new(history(start, true))
        })
        .unwrap();
        let mut place = Place::of_table(&sandbox, start);
        // A way to go on after an expiry is not a way around this.
        place.set("resume-fallback", json!("earliest"));
        let failure = place.run().await.unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        let text = failure.text();
        for known in [
            "inside the retention",
            "the earliest change",
            "set start-position to an instant since then",
        ] {
            assert!(text.contains(known), "{known:?} is not in {text:?}");
        }
        assert!(place.values().iter().all(|value| value["control"] != "gap"));
    }
}
