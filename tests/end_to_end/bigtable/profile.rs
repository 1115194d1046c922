//! What is looked at before a table is read: its stream, and the profile's routing.

use std::time::Duration;

use acequia_sandbox::What;
use acequia_sandbox::bigtable::{Fault, History, On, Sandbox, Script};
use jiff::Timestamp;
use serde_json::json;
use tonic::Code;

use super::super::place::Place;
use super::super::process::{self, Ended};
use super::super::shop::{after, an_hour_ago};
use super::rows::write_in_turn;
use super::truth;

fn script(start: Timestamp) -> Script {
    let history = History::starting_at(start);
    let history = write_in_turn(history, start, 3, &["a"]);
    Script::new(history.build().unwrap())
}

fn place(sandbox: &Sandbox, start: Timestamp) -> Place {
    let mut place = Place::of_table(sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    place
}

fn refused(sandbox: &Sandbox, ended: &Ended, said: &str) {
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    let calls = sandbox.stats().calls;
    let admin = |method: &str| method == "GetTable" || method == "GetAppProfile";
    assert!(
        calls.iter().all(|seen| admin(&seen.method)),
        "it was read before it was refused"
    );
}

#[tokio::test]
async fn a_profile_that_routes_to_several_clusters_or_is_not_there_is_refused_before_reading() {
    let start = an_hour_ago();
    for (profile, said) in [
        ("default", "routes to any of several clusters"),
        ("nobody", "there is no application profile nobody"),
    ] {
        let sandbox = Sandbox::start(script(start)).unwrap();
        let mut place = place(&sandbox, start);
        place.set("app-profile-id", json!(profile));
        refused(&sandbox, &process::run(&place.config()).await, said);
    }
}

#[tokio::test]
async fn a_table_that_is_not_there_or_has_no_change_stream_is_refused_before_reading() {
    let start = an_hour_ago();
    let sandbox = Sandbox::start(Script {
        retention: None,
        ..script(start)
    })
    .unwrap();
    let ended = process::run(&place(&sandbox, start).config()).await;
    refused(&sandbox, &ended, "has no change stream");

    let sandbox = Sandbox::start(script(start)).unwrap();
    let mut place = place(&sandbox, start);
    let other = format!("{}/tables/other", sandbox.instance());
    place.set("table", json!(other));
    let ended = process::run(&place.config()).await;
    refused(&sandbox, &ended, &format!("there is no table {other}"));
}

#[tokio::test]
async fn a_profile_that_nobody_may_look_at_is_a_warning_and_reading_goes_on() {
    let start = an_hour_ago();
    let denied = What::status(Code::PermissionDenied, "not yours to see");
    let sandbox = Sandbox::start(Script {
        faults: vec![Fault::on_call(On::AppProfile, denied)],
        ..script(start)
    })
    .unwrap();
    let place = place(&sandbox, start);
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for said in [
        "application profile cannot be looked at",
        "not yours to see",
    ] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn a_table_that_nobody_may_look_at_is_refused_with_the_way_around() {
    let start = an_hour_ago();
    let denied = What::status(Code::PermissionDenied, "not yours to see");
    let sandbox = Sandbox::start(Script {
        faults: vec![Fault::on_call(On::Table, denied)],
        ..script(start)
    })
    .unwrap();
    let ended = process::run(&place(&sandbox, start).config()).await;
    refused(&sandbox, &ended, "set without-validation");
}

#[tokio::test]
async fn an_admin_service_that_is_away_for_a_moment_is_asked_again() {
    let start = an_hour_ago();
    let later = |on| {
        let what = What::Status {
            code: Code::Unavailable,
            text: "not now".to_owned(),
            retry_after: Some(Duration::from_millis(10)),
        };
        Fault::on_call(on, what)
    };
    let sandbox = Sandbox::start(Script {
        faults: vec![later(On::Table), later(On::AppProfile)],
        ..script(start)
    })
    .unwrap();
    let place = place(&sandbox, start);
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn without_validation_no_admin_service_is_called() {
    let start = an_hour_ago();
    let sandbox = Sandbox::start(script(start)).unwrap();
    let mut place = place(&sandbox, start);
    place.set("without-validation", json!(true));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
    let calls = sandbox.stats().calls;
    let methods: Vec<_> = calls.iter().map(|seen| seen.method.as_str()).collect();
    let data = ["GenerateInitialChangeStreamPartitions", "ReadChangeStream"];
    assert_eq!(methods, data);
}
