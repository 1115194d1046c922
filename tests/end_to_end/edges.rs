//! What a user may do with a connector that stands or has finished.

use acequia_sandbox::{
    What,
    spanner::{Fault, FinalHeartbeat, History, On, Script},
};
use rustix::process::Signal;
use serde_json::json;

use super::place::{Place, drain_after};
use super::shop::{after, an_hour_ago, customer, serve, serve_script};
use super::{process, truth};

#[tokio::test]
async fn a_finished_run_goes_on_when_its_end_is_moved() {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .partition("b")
        .commit(after(start, 1000), "a", [customer(1)])
        .commit(after(start, 1000), "b", [customer(2)])
        .commit(after(start, 2000), "a", [customer(1)])
        .split(after(start, 3000), "b", &["b1", "b2"])
        .commit(after(start, 4000), "b1", [customer(2)])
        .build()
        .unwrap();
    let sandbox = serve(history);
    let mut place = Place::new(&sandbox, start, after(start, 1500));
    place.run().await.unwrap();
    assert_eq!(place.lines().len(), 2);
    place.set("end-position", json!(after(start, 60_000).to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}

/// `a` is read to its end, and `b` is not: moving the end then would leave out what `a` still has.
#[tokio::test]
async fn an_end_that_only_some_partitions_have_reached_cannot_be_moved() {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .partition("b")
        .commit(after(start, 1000), "a", [customer(1)])
        .commit(after(start, 2000), "a", [customer(1)])
        .build()
        .unwrap();
    let stalled = Fault::on_token("b", 0, What::Stall);
    let sandbox = serve_script(Script {
        faults: vec![stalled],
        final_heartbeat: FinalHeartbeat::Always,
        ..Script::new(history)
    });
    let mut place = Place::new(&sandbox, start, after(start, 1500));
    drain_after(&place, 1).await.unwrap();
    let saved = after(start, 1500).to_string();
    place.unset("end-position");
    for moved in [None, Some(after(start, 60_000).to_string())] {
        if let Some(moved) = &moved {
            place.set("end-position", json!(moved));
        }
        let failure = place.run().await.unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        let configured = moved.unwrap_or("(none)".to_owned());
        let text = failure.text();
        assert!(
            text.contains(&saved) && text.contains(&configured),
            "{text}"
        );
    }
    for end in [saved, after(start, 60_000).to_string()] {
        place.set("end-position", json!(end));
        place.run().await.unwrap();
    }
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn a_process_that_waits_for_its_start_leaves_on_sigterm() {
    let start = an_hour_ago();
    let history = History::starting_at(start).partition("a").build().unwrap();
    let silent = Fault {
        on: On::Catalog,
        after_messages: 0,
        times: 1,
        what: What::Stall,
    };
    let sandbox = serve_script(Script {
        faults: vec![silent],
        ..Script::new(history)
    });
    let place = Place::endless(&sandbox, start);
    let running = process::start(&place.config());
    // The service has the question and does not answer.
    sandbox
        .wait_for(|stats| stats.sessions == 1 && !stats.requests.is_empty())
        .await;
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("drained"), "{}", ended.stderr);
}
