//! What goes wrong when the script says so.

use std::time::Duration;

use acequia_sandbox::{
    What,
    spanner::{
        Fault, History, On, Sandbox, Script,
        history::{RowChange, shop},
    },
};
use googleapis_tonic_google_spanner_v1::google::{rpc, spanner::v1::GetSessionRequest};
use prost::Message;
use serde_json::json;
use tonic::Code;

use super::client::{Client, ask, at, script};

/// Partition `a` holds three records and splits.
fn history() -> History {
    let insert = |id: &str| {
        [RowChange::insert(
            &shop::customers(),
            json!({"CustomerId": id, "Name": "Ada"}),
        )]
    };
    History::starting_at(at(0.0))
        .partition("a")
        .commit(at(1.0), "a", insert("1"))
        .commit(at(2.0), "a", insert("2"))
        .commit(at(3.0), "a", insert("3"))
        .split(at(4.0), "a", &["b", "c"])
        .build()
        .unwrap()
}

async fn started(faults: Vec<Fault>) -> (Sandbox, Client) {
    let sandbox = Sandbox::start(Script {
        faults,
        ..script(history())
    })
    .unwrap();
    let client = Client::of(&sandbox).await;
    (sandbox, client)
}

/// How many messages came, and how the query ended.
async fn run(client: &Client) -> (usize, Result<(), tonic::Status>) {
    let mut stream = match client.open(&ask(Some("a"), at(0.0))).await {
        Ok(stream) => stream,
        Err(status) => return (0, Err(status)),
    };
    let mut messages = 0;
    loop {
        match stream.message().await {
            Ok(Some(_)) => messages += 1,
            Ok(None) => return (messages, Ok(())),
            Err(status) => return (messages, Err(status)),
        }
    }
}

#[tokio::test]
async fn every_status_can_come_at_every_message() {
    for number in 1..=16 {
        for after in 0..=4 {
            let code = Code::from(number);
            let what = What::status(code, "as scripted");
            let (_sandbox, client) = started(vec![Fault::on_token("a", after, what)]).await;
            let (messages, end) = run(&client).await;
            let status = end.unwrap_err();
            assert_eq!((status.code(), status.message()), (code, "as scripted"));
            assert_eq!(messages as u64, after, "{code:?}");
            assert_eq!(run(&client).await.0, 4, "the fault strikes once");
        }
    }
}

#[tokio::test]
async fn a_fault_strikes_as_often_as_it_says_and_only_where_it_fits() {
    let what = What::status(Code::Unavailable, "later");
    let fault = Fault {
        on: On::Token("a".to_owned()),
        after_messages: 1,
        times: 2,
        what,
    };
    let (_sandbox, client) = started(vec![fault]).await;
    assert_eq!(client.read(&ask(None, at(1.0))).await.len(), 1);
    assert!(run(&client).await.1.is_err());
    assert!(run(&client).await.1.is_err());
    assert!(run(&client).await.1.is_ok());
}

#[tokio::test]
async fn a_fault_that_a_query_did_not_reach_waits_for_the_next() {
    let what = What::status(Code::Internal, "now");
    let (_sandbox, client) = started(vec![Fault::on_token("a", 2, what)]).await;
    let short = ask(Some("a"), at(0.0)).until(at(1.0));
    assert_eq!(client.read(&short).await.len(), 1);
    assert_eq!(run(&client).await.0, 2);
}

#[tokio::test]
async fn a_status_can_say_when_to_come_again() {
    let retry_after = Some(Duration::from_millis(1500));
    let text = "too many".to_owned();
    let what = What::Status {
        code: Code::ResourceExhausted,
        text,
        retry_after,
    };
    let (_sandbox, client) = started(vec![Fault::on_any(0, 1, what)]).await;
    let status = run(&client).await.1.unwrap_err();
    let details = rpc::Status::decode(status.details()).unwrap().details;
    assert_eq!(
        details[0].type_url,
        "type.googleapis.com/google.rpc.RetryInfo"
    );
    let info = rpc::RetryInfo::decode(details[0].value.as_slice()).unwrap();
    assert_eq!(
        info.retry_delay,
        Some(prost_types::Duration {
            seconds: 1,
            nanos: 500_000_000
        })
    );
}

#[tokio::test]
async fn a_reset_stream_ends_without_a_status_of_the_service() {
    let (_sandbox, client) = started(vec![Fault::on_token("a", 2, What::Reset)]).await;
    let (messages, end) = run(&client).await;
    let status = end.unwrap_err();
    assert_eq!((messages, status.code()), (2, Code::Internal));
    assert!(
        std::error::Error::source(&status).is_some(),
        "the transport's own error: {status:?}"
    );
    assert!(run(&client).await.1.is_ok(), "the connection lives on");
}

#[tokio::test]
async fn a_dropped_connection_ends_every_call_on_it_and_a_new_one_is_taken() {
    let (_sandbox, client) = started(vec![Fault::on_token("a", 1, What::Disconnect)]).await;
    let mut idle = client.open(&ask(Some("b"), at(4.0))).await.unwrap();
    let (messages, end) = run(&client).await;
    assert_eq!(messages, 1);
    assert!(end.is_err());
    let other = async {
        while idle.message().await?.is_some() {}
        Ok::<_, tonic::Status>(())
    };
    assert!(other.await.is_err());
    assert!(run(&client).await.1.is_ok());
}

#[tokio::test]
async fn a_stalled_query_sends_nothing_more_and_does_not_end() {
    let (sandbox, client) = started(vec![Fault::on_token("a", 1, What::Stall)]).await;
    let mut stream = client.open(&ask(Some("a"), at(0.0))).await.unwrap();
    assert!(stream.message().await.unwrap().is_some());
    let more = tokio::time::timeout(Duration::from_millis(300), stream.message()).await;
    assert!(more.is_err(), "three heartbeats' time without a message");
    assert_eq!(sandbox.stats().open, 1);
}

#[tokio::test]
async fn a_clean_end_comes_without_children() {
    let (_sandbox, client) = started(vec![Fault::on_token("a", 2, What::CleanEnd)]).await;
    let (messages, end) = run(&client).await;
    assert_eq!(messages, 2);
    assert!(end.is_ok());
}

#[tokio::test]
async fn late_children_are_missing_once_and_there_when_asked_again() {
    let (_sandbox, client) = started(vec![Fault::on_token("a", 0, What::LostSuccessors)]).await;
    let first = client.read(&ask(Some("a"), at(0.0))).await;
    assert!(first.len() == 3 && first.iter().all(|r| r.kind == "data_change_record"));
    let again = client.read(&ask(Some("a"), at(3.0))).await;
    assert_eq!(again.last().unwrap().kind, "child_partitions_record");
}

#[tokio::test]
async fn an_expired_partition_says_so_in_the_middle_of_a_query() {
    let (_sandbox, client) = started(vec![Fault::on_token("a", 1, What::Expire)]).await;
    let (messages, end) = run(&client).await;
    let status = end.unwrap_err();
    assert_eq!((messages, status.code()), (1, Code::OutOfRange));
    assert!(
        status
            .message()
            .starts_with("This partition is no longer valid.")
    );
}

#[tokio::test]
async fn sessions_and_discovery_can_fail_too() {
    let fault = |on| Fault {
        on,
        after_messages: 0,
        times: 1,
        what: What::status(Code::Unavailable, "no"),
    };
    let sandbox = Sandbox::start(script(history())).unwrap();
    let client = Client::of(&sandbox).await;
    sandbox.add_fault(fault(On::Sessions));
    sandbox.add_fault(fault(On::Catalog));
    let request = GetSessionRequest {
        name: client.session.clone(),
    };
    assert_eq!(
        client
            .spanner
            .clone()
            .get_session(request.clone())
            .await
            .unwrap_err()
            .code(),
        Code::Unavailable
    );
    assert!(client.spanner.clone().get_session(request).await.is_ok());
    let mut request = client.request(&ask(None, at(0.0)));
    request.sql = "SELECT option_value FROM information_schema.database_options".to_owned();
    assert_eq!(client.refusal_of(request).await.code(), Code::Unavailable);
}
