//! How a partition ends: what other readers take for an end, and what is one.

use acequia_host::Outcome;
use acequia_sandbox::{
    What,
    spanner::{Fault, History, Sandbox, Script},
};
use jiff::Timestamp;
use serde_json::json;
use tonic::Code;

use super::place::{Place, drain_after};
use super::shop::{after, an_hour_ago, customer, serve_script};
use super::truth;

fn with_faults(history: History, faults: Vec<Fault>) -> Sandbox {
    serve_script(Script {
        faults,
        ..Script::new(history)
    })
}

/// `a` holds four customers and is then divided into `b` and `c`, with two more each.
fn divided(start: Timestamp) -> History {
    let at = |millis| after(start, millis);
    let mut history = History::starting_at(start).partition("a");
    for number in 1..=4 {
        let millis = i64::try_from(number).unwrap();
        history = history.commit(at(millis), "a", [customer(number)]);
    }
    history = history.split(at(10), "a", &["b", "c"]);
    for (token, number) in [("b", 1), ("b", 5), ("c", 2), ("c", 6)] {
        let millis = 10 + i64::try_from(number).unwrap();
        history = history.commit(at(millis), token, [customer(number)]);
    }
    history.build().unwrap()
}

#[tokio::test]
async fn a_clean_end_without_children_is_not_an_end() {
    let start = an_hour_ago();
    let history = divided(start);
    let committed = history.committed();
    let early = |token, messages| Fault {
        times: 2,
        ..Fault::on_token(token, messages, What::CleanEnd)
    };
    let sandbox = with_faults(history, vec![early("a", 1), early("b", 0), early("c", 1)]);
    let place = Place::endless(&sandbox, start);
    let report = drain_after(&place, committed.len()).await.unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    truth::check(&place, &committed);
    for token in ["a", "b", "c"] {
        assert!(
            sandbox.stats().opened[token] >= 3,
            "{token} was not opened again"
        );
    }
}

#[tokio::test]
async fn children_that_come_late_are_waited_for() {
    let start = an_hour_ago();
    let history = divided(start);
    let committed = history.committed();
    let late = Fault {
        times: 3,
        ..Fault::on_token("a", 0, What::LostSuccessors)
    };
    let sandbox = with_faults(history, vec![late]);
    let place = Place::endless(&sandbox, start);
    drain_after(&place, committed.len()).await.unwrap();
    truth::check(&place, &committed);
    assert!(sandbox.stats().opened["a"] >= 4);
}

#[tokio::test]
async fn a_clean_end_before_the_end_position_is_not_taken_for_it() {
    let start = an_hour_ago();
    let history = divided(start);
    let committed = history.committed();
    let early = |token, messages| Fault::on_token(token, messages, What::CleanEnd);
    let sandbox = with_faults(history, vec![early("a", 2), early("b", 1), early("c", 0)]);
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    truth::check(&place, &committed);
}

#[tokio::test]
async fn a_merge_that_names_an_unknown_parent_waits_for_it() {
    let start = an_hour_ago();
    let at = |millis| after(start, millis);
    let history = History::starting_at(start)
        .partition("a")
        .partition("b")
        .commit(at(1), "a", [customer(1)])
        .commit(at(2), "b", [customer(2)])
        .split(at(3), "b", &["b1", "b2"])
        .commit(at(4), "b1", [customer(2)])
        // `a` ends with a child whose other parent was never announced to whoever read only `a`.
        .merge(at(5), &["a", "b1"], "m")
        .commit(at(6), "m", [customer(1), customer(2)])
        .commit(at(7), "b2", [customer(3)])
        .build()
        .unwrap();
    let committed = history.committed();
    let slow = What::Status {
        code: Code::Unavailable,
        text: "not now".to_owned(),
        retry_after: Some(std::time::Duration::from_millis(400)),
    };
    let sandbox = with_faults(history, vec![Fault::on_token("b", 0, slow)]);
    let place = Place::endless(&sandbox, start);
    let (stop, stopped) = tokio::sync::mpsc::channel(1);
    let watch = async {
        // `a` has told of `m` long before `b` can be read.
        let told = sandbox
            .wait_for(|stats| stats.opened.contains_key("a"))
            .await;
        assert!(!told.opened.contains_key("b1") && !told.opened.contains_key("m"));
        let all = sandbox
            .wait_for(|stats| stats.opened.contains_key("m"))
            .await;
        assert!(
            all.opened.contains_key("b1"),
            "m was read before its parent"
        );
        place.written(committed.len()).await;
        stop.send(()).await.unwrap();
    };
    let (report, ()) = tokio::join!(place.run_until(stopped), watch);
    assert_eq!(report.unwrap().outcome, Outcome::Drained);
    truth::check(&place, &committed);
    assert_eq!(sandbox.stats().opened["m"], 1);
}

#[tokio::test]
async fn out_of_range_after_the_children_are_known_is_the_end() {
    let start = an_hour_ago();
    let history = divided(start);
    let committed = history.committed();
    let outside = What::status(
        Code::OutOfRange,
        "Specified start_timestamp is invalid for the partition.",
    );
    // Four records and the children.
    let sandbox = with_faults(history, vec![Fault::on_token("a", 5, outside)]);
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    truth::check(&place, &committed);
}

#[tokio::test]
async fn out_of_range_inside_the_retention_fails_with_what_is_known() {
    let start = an_hour_ago();
    let outside = What::status(Code::OutOfRange, "Specified start_timestamp is invalid.");
    let sandbox = with_faults(divided(start), vec![Fault::on_token("a", 2, outside)]);
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    // A way to go on after an expiry is not a way around this.
    place.set("resume-fallback", json!("earliest"));
    let failure = place.run().await.unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    let text = failure.text();
    for known in [
        "partition a ",
        "inside the retention",
        "announced nobody who goes on",
        "is invalid",
    ] {
        assert!(text.contains(known), "{known:?} is not in {text:?}");
    }
    let gaps = place
        .values()
        .iter()
        .filter(|value| value["control"] == "gap")
        .count();
    assert_eq!(gaps, 0);
}
