//! What the service is asked, and how sessions and large messages are treated.

use std::time::Duration;

use acequia_sandbox::spanner::history::{RowChange, shop};
use acequia_sandbox::{
    What,
    spanner::{Fault, History, Sandbox, Script, Stats},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::GetSessionRequest;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::spanner_client::SpannerClient;
use jiff::Timestamp;
use serde_json::json;
use tonic::Code;

use super::place::{PATIENCE, Place};
use super::shop::{after, an_hour_ago, customer, serve, serve_script};
use super::{guests, truth};

fn two_changes(start: Timestamp) -> History {
    History::starting_at(start)
        .partition("a")
        .commit(after(start, 1), "a", [customer(1)])
        .split(after(start, 2), "a", &["b", "c"])
        .commit(after(start, 3), "b", [customer(1)])
        .build()
        .unwrap()
}

async fn asked_with(options: &[(&str, serde_json::Value)]) -> (Sandbox, Stats) {
    let start = an_hour_ago();
    let sandbox = serve(two_changes(start));
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    for (option, value) in options {
        place.set(option, value.clone());
    }
    place.run().await.unwrap();
    let stats = sandbox.stats();
    assert!(
        stats.requests.len() >= 5,
        "the catalogue, the roots, and three partitions"
    );
    (sandbox, stats)
}

/// Source: google/spanner/v1/spanner.proto, RequestOptions.Priority: 1 low, 2 medium, 3 high.
#[tokio::test]
async fn the_priority_that_is_configured_is_sent() {
    for (name, number) in [("low", 1), ("medium", 2), ("high", 3)] {
        let (_sandbox, stats) = asked_with(&[("rpc-priority", json!(name))]).await;
        assert!(
            stats
                .requests
                .iter()
                .all(|request| request.priority == number),
            "{name}"
        );
    }
}

#[tokio::test]
async fn what_is_not_configured_is_not_sent() {
    let (sandbox, stats) = asked_with(&[]).await;
    for request in &stats.requests {
        assert_eq!(request.priority, 0);
        assert_eq!(request.request_tag, "");
        assert!(!request.directed_read);
    }
    assert_eq!(role(&sandbox, &stats).await, "");
}

#[tokio::test]
async fn tag_role_and_directed_read_are_sent() {
    let directed = json!({ "include": { "replicas": [{ "location": "us-east1" }] } });
    let (sandbox, stats) = asked_with(&[
        ("request-tag", json!("acequia")),
        ("database-role", json!("reader")),
        ("directed-read", directed),
    ])
    .await;
    for request in &stats.requests {
        assert_eq!(request.request_tag, "acequia");
        assert!(request.directed_read);
    }
    assert_eq!(role(&sandbox, &stats).await, "reader");
}

/// The role of the session that was used, as the service knows it.
async fn role(sandbox: &Sandbox, stats: &Stats) -> String {
    let address = format!("http://{}", sandbox.address());
    let channel = tonic::transport::Endpoint::from_shared(address)
        .unwrap()
        .connect_lazy();
    let mut client = SpannerClient::new(channel);
    let name = stats.requests[0].session.clone();
    let session = client
        .get_session(GetSessionRequest { name })
        .await
        .unwrap()
        .into_inner();
    assert!(session.multiplexed);
    session.creator_role
}

/// A deadline would end the query of a reader that waits for its own sink.
///
/// Source: apache/beam issue 32473, where one of a minute does.
#[tokio::test]
async fn change_stream_queries_have_no_deadline() {
    let (sandbox, stats) = asked_with(&[]).await;
    let streaming = stats
        .requests
        .iter()
        .filter(|r| r.method == "ExecuteStreamingSql");
    let mut seen = 0;
    for request in streaming {
        assert_eq!(request.headers.get("grpc-timeout"), None);
        let prefix = request.headers.get("google-cloud-resource-prefix");
        assert_eq!(prefix.map(String::as_str), Some(sandbox.database()));
        seen += 1;
    }
    assert!(seen >= 4);
}

#[tokio::test]
async fn time_that_a_guest_takes_is_not_silence_of_the_stream() {
    let start = an_hour_ago();
    let poison = json!({ "CustomerId": "1", "Name": "poison", "City": null });
    let mut history = History::starting_at(start).partition("a").commit(
        after(start, 1),
        "a",
        [RowChange::insert(&shop::customers(), poison)],
    );
    for number in 2..=300 {
        history = history.commit(
            after(start, i64::try_from(number).unwrap()),
            "a",
            [customer(number)],
        );
    }
    let history = history.build().unwrap();
    let sandbox = serve(history);
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    place.set("deserializer", guests::hostile("poison-spin"));
    // One record at a time, held by the guest for longer than the stream may be silent.
    place.set("stall-after-heartbeats", json!(2));
    place.set(
        "pipeline",
        json!({
            "batch-records-max": 1,
            "records-in-flight-max": 1,
            "guest-timeout": "3s",
            "on-failure": "skip",
        }),
    );
    let report = place.run().await.unwrap();
    assert_eq!(report.tally.skipped(), 1);
    assert_eq!(place.lines().len(), 299);
    // The second query confirms the bound, as nothing in the first said that it was reached.
    assert!(
        sandbox.stats().opened["a"] <= 2,
        "{:?}",
        sandbox.stats().opened
    );
}

#[tokio::test]
async fn a_session_that_the_service_forgot_is_made_anew() {
    let start = an_hour_ago();
    let sandbox = serve(two_changes(start));
    let place = Place::endless(&sandbox, start);
    let (stop, stopped) = tokio::sync::mpsc::channel(1);
    let disturb = async {
        let both = |stats: &Stats| stats.opened.contains_key("b") && stats.opened.contains_key("c");
        sandbox.wait_for(both).await;
        assert_eq!(sandbox.stats().sessions, 1);
        sandbox.forget_sessions();
        sandbox.drop_connections();
        let again = |stats: &Stats| stats.opened["b"] >= 2 && stats.opened["c"] >= 2;
        sandbox.wait_for(again).await;
        place.written(2).await;
        stop.send(()).await.unwrap();
    };
    let both = async { tokio::join!(place.run_until(stopped), disturb) };
    let (report, ()) = tokio::time::timeout(PATIENCE, both).await.unwrap();
    report.unwrap();
    assert_eq!(sandbox.stats().sessions, 2);
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn a_message_past_the_limit_is_a_failure_with_the_limits_name_and_never_an_expiry() {
    let start = an_hour_ago();
    let large = json!({ "CustomerId": "2", "Name": "x".repeat(20_000), "City": null });
    let history = History::starting_at(start)
        .partition("a")
        .commit(after(start, 1), "a", [customer(1)])
        .commit(
            after(start, 2),
            "a",
            [RowChange::insert(&shop::customers(), large)],
        )
        .build()
        .unwrap();
    let sandbox = serve(history);
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    place.set("message-bytes-max", json!("16KiB"));
    place.set("resume-fallback", json!("earliest"));
    let failure = place.run().await.unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    let text = failure.text();
    assert!(text.contains("message-bytes-max (16384 bytes)"), "{text}");
    assert!(!text.contains("expired"), "{text}");
    assert!(place.lines().iter().all(|line| !line.contains("\"gap\"")));

    place.set("message-bytes-max", json!("64KiB"));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn a_stream_that_is_dropped_while_it_is_read_ends_the_run() {
    let start = an_hour_ago();
    let dropped = What::status(Code::NotFound, "Change Stream not found: ShopStream");
    let sandbox = serve_script(Script {
        faults: vec![Fault::on_token("b", 1, dropped)],
        ..Script::new(two_changes(start))
    });
    let place = Place::endless(&sandbox, start);
    let failure = tokio::time::timeout(Duration::from_secs(60), place.run())
        .await
        .unwrap();
    let text = failure.unwrap_err().text();
    assert!(
        text.contains("Change Stream not found: ShopStream"),
        "{text}"
    );
}
