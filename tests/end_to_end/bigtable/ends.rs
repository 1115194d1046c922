//! How a range ends: what other readers take for an end, and what is one.

use acequia_sandbox::bigtable::history::KeyRange;
use acequia_sandbox::bigtable::{Closes, Fault, From, History, Sandbox, Script, TokenRanges};
use acequia_sandbox::{Clock, What};
use jiff::Timestamp;
use serde_json::json;

use super::super::place::{Place, drain_after};
use super::super::shop::{after, an_hour_ago};
use super::rows::{now, paid, serve, write_in_turn};
use super::truth;

#[tokio::test]
async fn a_clean_end_without_a_close_is_not_an_end() {
    let start = an_hour_ago();
    let history = History::starting_at(start);
    let history = write_in_turn(history, start, 6, &["a"]).build().unwrap();
    for messages in [0, 3, 6] {
        let early = Fault::on_any(messages, 2, What::CleanEnd);
        let sandbox = Sandbox::start(Script {
            faults: vec![early],
            ..Script::new(history.clone())
        })
        .unwrap();
        let place = Place::of_table(&sandbox, start);
        drain_after(&place, 6).await.unwrap();
        truth::check(&place, &sandbox.committed());
    }
}

/// Both halves of the key space, which become one after a second and then, after some more, three.
fn merged_and_divided(start: Timestamp, divided_ms: i64) -> History {
    let at = |millis| after(start, millis);
    let then = |millis| at(divided_ms + millis);
    History::starting_at(start)
        .partitions(&["m"])
        .write(at(10), "a", [paid()])
        .write(at(20), "z", [paid()])
        .merge(at(1_000), "m")
        .write(at(1_010), "a", [paid()])
        .write(at(1_020), "z", [paid()])
        .divided(then(0), &["b", "n"])
        .write(then(10), "a", [paid()])
        .write(then(15), "c", [paid()])
        .write(then(20), "z", [paid()])
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_close_that_is_lost_comes_again_when_its_range_is_opened_again() {
    let whole = KeyRange::whole();
    for ranges in [
        vec![KeyRange::new("", "m")],
        vec![KeyRange::new("", "m"), KeyRange::new("m", "")],
        vec![KeyRange::new("m", ""), whole],
    ] {
        let start = now();
        let lost = |range| Fault::on_range(range, 0, What::LostSuccessors);
        let sandbox = Sandbox::start(Script {
            clock: Clock::StartingAt(start),
            faults: ranges.into_iter().map(lost).collect(),
            ..Script::new(merged_and_divided(start, 2_000))
        })
        .unwrap();
        let mut place = Place::of_table(&sandbox, start);
        place.set("bounded-timestamp", json!(after(start, 3_000).to_string()));
        place.run().await.unwrap();
        truth::check(&place, &sandbox.committed());
    }
}

#[tokio::test]
async fn a_merge_waits_for_the_part_that_is_closed_last() {
    let start = now();
    let later = What::Status {
        code: tonic::Code::Unavailable,
        text: "later".to_owned(),
        retry_after: Some(std::time::Duration::from_millis(1_500)),
    };
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(start),
        // The second half is opened when the first has been closed into the merge.
        faults: vec![Fault::on_range(KeyRange::new("m", ""), 0, later)],
        closes: Closes {
            token_ranges: TokenRanges::NewPartition,
            ..Closes::default()
        },
        ..Script::new(merged_and_divided(start, 5_000))
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 6_000).to_string()));
    let report = place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
    assert_eq!(report.tally.scheduler.tokenless_restarts, 0);
    let reads = sandbox.stats().calls.into_iter().filter_map(|it| it.read);
    let merged: Vec<_> = reads.filter(|it| it.range == KeyRange::whole()).collect();
    let From::Tokens(tokens) = &merged[0].from else {
        panic!("{merged:?}");
    };
    let of: Vec<_> = tokens.iter().map(|(range, _)| range.clone()).collect();
    assert_eq!(of, [KeyRange::new("", "m"), KeyRange::new("m", "")]);
}

#[tokio::test]
async fn a_range_that_was_divided_before_it_is_opened_is_closed_into_its_parts() {
    let start = an_hour_ago();
    let history = merged_and_divided(start, 2_000);
    // Read up to the merge by a clock that stands still there, and then by the machine's.
    let still = acequia_sandbox::ManualClock::at(after(start, 500));
    let before = Sandbox::start(Script {
        clock: Clock::Manual(still),
        ..Script::new(history.clone())
    })
    .unwrap();
    let mut place = Place::of_table(&before, start);
    drain_after(&place, 2).await.unwrap();
    let sandbox = serve(history);
    place.set("emulator-endpoint", json!(sandbox.address().to_string()));
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}
