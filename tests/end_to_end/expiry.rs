//! A position that the service has dropped.

use std::time::Duration;

use acequia_host::Outcome;
use acequia_sandbox::{
    Clock, ManualClock, What,
    spanner::{Fault, History, On, ROOT, Sandbox, Script},
};
use jiff::Timestamp;
use rustix::process::Signal;
use serde_json::json;

use super::place::{Place, drain_after};
use super::shop::{after, an_hour_ago, customer, serve_script};
use super::{process, truth};

const MINUTE_MS: i64 = 60_000;

/// One partition with changes an hour ago and, where `recent`, fifty and ten minutes ago.
fn history(start: Timestamp, recent: bool) -> History {
    let mut history = History::starting_at(start)
        .partition("a")
        .commit(after(start, 1000), "a", [customer(1)])
        .commit(after(start, 2000), "a", [customer(2)]);
    if recent {
        // Of what is kept for half an hour, the first of these is lost and the second is not.
        history = history
            .commit(after(start, 10 * MINUTE_MS), "a", [customer(3)])
            .commit(after(start, 50 * MINUTE_MS), "a", [customer(4)]);
    }
    history.build().unwrap()
}

/// Reads what was there an hour ago and stops. Afterwards the stream keeps half an hour only.
pub(crate) async fn left_behind(start: Timestamp) -> (Sandbox, Place) {
    left_behind_with(start, Vec::new()).await
}

/// The same, with a service that has faults afterwards.
async fn left_behind_with(start: Timestamp, faults: Vec<Fault>) -> (Sandbox, Place) {
    // A clock that stands still sends no heartbeat, so the position stays at the last change.
    let before = serve_script(Script {
        clock: Clock::Manual(ManualClock::at(after(start, MINUTE_MS))),
        ..Script::new(history(start, false))
    });
    let mut place = Place::endless(&before, start);
    let report = drain_after(&place, 2).await.unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    let now = serve_script(Script {
        retention: Some(Duration::from_secs(30 * 60)),
        faults,
        ..Script::new(history(start, true))
    });
    place.set("emulator-endpoint", json!(now.address().to_string()));
    (now, place)
}

#[tokio::test]
async fn an_expired_position_without_a_fallback_fails_and_names_what_is_lost() {
    let start = an_hour_ago();
    let (_sandbox, place) = left_behind(start).await;
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    // Everything before the last change is certain; more may have been committed at its instant.
    let lost = format!(
        "partition a has expired: changes after {}",
        after(start, 2000)
    );
    assert!(ended.stderr.contains(&lost), "{lost}: {}", ended.stderr);
    assert!(
        ended.stderr.contains("set resume-fallback"),
        "{}",
        ended.stderr
    );
    assert_eq!(place.lines().len(), 2, "nothing was written");
}

#[tokio::test]
async fn an_expired_position_with_a_fallback_leaves_a_gap_record_before_what_follows() {
    let start = an_hour_ago();
    let (sandbox, mut place) = left_behind(start).await;
    place.set("resume-fallback", json!("earliest"));
    place.set(
        "end-position",
        json!(after(start, 55 * MINUTE_MS).to_string()),
    );
    let report = place.run().await.unwrap();
    assert_eq!(report.outcome, Outcome::Finished);
    assert_eq!(report.tally.scheduler.restarts, 1);

    let values = place.values();
    assert_eq!(values.len(), 4, "two changes, the gap, and the last change");
    let gap = &values[2];
    assert_eq!(gap["control"], "gap");
    let instant = |member| truth::text(gap, member).parse::<Timestamp>().unwrap();
    assert_eq!(instant("lost_from"), after(start, 2000));
    // Half an hour of retention, with the minute of margin that the start has, too.
    let resumed = instant("resumed_at");
    assert!(resumed > after(start, 30 * MINUTE_MS) && resumed < after(start, 45 * MINUTE_MS));
    let last: Vec<_> = sandbox.committed().into_iter().skip(3).collect();
    assert_eq!(values[3]["id"], last[0].id());
}

#[tokio::test]
async fn a_gap_is_written_once_even_if_the_run_is_repeated() {
    let start = an_hour_ago();
    let (_sandbox, mut place) = left_behind(start).await;
    place.set("resume-fallback", json!("earliest"));
    drain_after(&place, 4).await.unwrap();
    let lines = place.lines();
    place.set(
        "end-position",
        json!(after(start, 55 * MINUTE_MS).to_string()),
    );
    place.run().await.unwrap();
    assert_eq!(place.lines(), lines);
}

#[tokio::test]
async fn a_service_that_does_not_say_where_to_go_on_does_not_keep_a_run_from_stopping() {
    let start = an_hour_ago();
    let silent = Fault {
        on: On::Root,
        after_messages: 0,
        times: 1000,
        what: What::Stall,
    };
    let (sandbox, mut place) = left_behind_with(start, vec![silent]).await;
    place.set("resume-fallback", json!("earliest"));
    place.set("drain-timeout", json!("300ms"));
    let running = process::start(&place.config());
    sandbox
        .wait_for(|stats| stats.opened.contains_key(ROOT))
        .await;
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let said = "not drained within 300ms";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert_eq!(place.lines().len(), 2, "nothing was written");
}
