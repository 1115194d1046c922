//! Why a run waits.

use acequia_sandbox::spanner::history::Live;
use acequia_sandbox::{
    Clock, Until, What,
    spanner::{Fault, History, Script},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::run;
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::{after, an_hour_ago, customer, serve_script};

fn partition<'a>(status: &'a Value, token: &str) -> Option<&'a Value> {
    let list = status["partitions"]["list"].as_array()?;
    list.iter().find(|partition| partition["token"] == token)
}

#[tokio::test]
async fn a_server_that_says_nothing_is_waited_for() {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("silent")
        .commit(after(start, 10), "silent", [customer(1)])
        .commit(after(start, 20), "silent", [customer(2)])
        .build()
        .unwrap();
    let sandbox = serve_script(Script {
        faults: vec![Fault::on_token("silent", 1, What::Stall)],
        ..Script::new(history)
    });
    let mut place = Place::endless(&sandbox, start);
    place.set("stall-after-heartbeats", json!(1000));
    let asked = run::start(&mut place).await;
    let waits = |status: &Value| {
        partition(status, "silent").is_some_and(|silent| {
            silent["state"] == "open"
                && silent["waits"]["for"] == "server"
                && silent["waits"]["seconds"].as_f64() > Some(2.5)
        })
    };
    let status = asked.status_when("waits for the server", waits).await;
    assert_eq!(status["in_flight"]["records"], 0);
    assert_eq!(status["in_flight"]["waits_for"], Value::Null);
}

/// Standard output is a pipe that nobody reads: it takes 64 KiB, then writing to it stops.
#[tokio::test]
async fn a_sink_that_takes_nothing_is_waited_for_and_readers_are_held() {
    let start = Timestamp::now();
    let live = Live {
        rate: 2000.0,
        split_every: None,
        merge_every: None,
        until: Until::Changes(4000),
        ..Live::default()
    };
    let sandbox = serve_script(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(5, live))
    });
    let mut place = Place::endless(&sandbox, start);
    place.set("sink", json!("stdout"));
    place.set(
        "pipeline",
        json!({ "records-in-flight-max": 512, "batch-records-max": 64 }),
    );
    let asked = run::start(&mut place).await;
    let held = |status: &Value| {
        status["in_flight"]["held"] == true && status["sink"]["busy_seconds"].as_f64() > Some(1.0)
    };
    let status = asked.status_when("held", held).await;
    assert_eq!(status["in_flight"]["waits_for"], "sink");
    let list = status["partitions"]["list"].as_array().unwrap();
    for partition in list {
        assert_eq!(partition["state"], "held", "{partition}");
        assert_eq!(partition["waits"]["for"], "sink", "{partition}");
    }
    assert!(
        list.iter()
            .any(|partition| partition["unacknowledged"].as_u64() > Some(0))
    );
    assert_eq!(asked.get("/healthz").await.code, 200);
}

#[tokio::test]
async fn who_waits_for_a_parent_says_for_which_and_who_failed_for_how_long() {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("left")
        .partition("right")
        .merge(after(start, 50), &["left", "right"], "both")
        .build()
        .unwrap();
    let unavailable = What::status(tonic::Code::Unavailable, "not now");
    let sandbox = serve_script(Script {
        faults: vec![Fault {
            times: 1000,
            ..Fault::on_token("right", 0, unavailable)
        }],
        ..Script::new(history)
    });
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let waits = |status: &Value| {
        let both =
            partition(status, "both").is_some_and(|both| both["waits"]["for"] == "partition");
        let right =
            partition(status, "right").is_some_and(|right| right["waits"]["for"] == "timer");
        let degraded = !status["degraded"].as_array().unwrap().is_empty();
        both && right && degraded
    };
    let status = asked.status_when("waits", waits).await;
    let both = partition(&status, "both").unwrap();
    assert_eq!(both["waits"]["detail"], "waits for right to end");
    let degraded = status["degraded"][0].as_str().unwrap();
    assert!(degraded.starts_with("partition right failed"), "{degraded}");
    let metrics = asked.get("/metrics").await.body;
    assert!(
        metrics.contains("acequia_stream_failures_total{code=\"UNAVAILABLE\"}"),
        "{metrics}"
    );
}
