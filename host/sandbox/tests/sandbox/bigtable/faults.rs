//! What goes wrong when the script says so.

use std::time::Duration;

use acequia_sandbox::{
    What,
    bigtable::{Cookies, Fault, History, On, Sandbox, Script, history::Entry, retryable},
};
use googleapis_tonic_google_bigtable_v2::google::rpc;
use prost::Message;
use tonic::{Code, Status};

use super::client::{Ask, Client, Got, an_hour_later, ask, at, range};

/// Three mutations of one row.
fn history() -> History {
    let history = History::starting_at(at(0.0));
    let history = (1..=3).fold(history, |history, second| {
        history.write(at(f64::from(second)), "a", [Entry::delete_family("f")])
    });
    history.build().unwrap()
}

async fn started(script: Script) -> (Sandbox, Client) {
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    (sandbox, client)
}

async fn with(fault: Fault) -> (Sandbox, Client) {
    started(Script {
        faults: vec![fault],
        ..an_hour_later(history())
    })
    .await
}

fn all() -> Ask {
    ask(range("", "")).since(at(0.0)).until(at(10.0))
}

/// How many mutations came, and how the stream ended.
async fn run(client: &Client) -> (usize, Result<bool, Status>) {
    let mut stream = match client.open(&all()).await {
        Ok(stream) => stream,
        Err(status) => return (0, Err(status)),
    };
    let (mut mutations, mut is_closed) = (0, false);
    loop {
        match stream.next().await {
            Ok(Some(Got::Mutation(_))) => mutations += 1,
            Ok(Some(Got::Close(_))) => is_closed = true,
            Ok(Some(Got::Heartbeat { .. })) => {}
            Ok(None) => return (mutations, Ok(is_closed)),
            Err(status) => return (mutations, Err(status)),
        }
    }
}

#[tokio::test]
async fn every_error_that_is_to_be_retried_can_come_at_every_message() {
    for what in retryable() {
        let What::Status {
            code,
            text,
            retry_after,
        } = what.clone()
        else {
            panic!("{what:?}")
        };
        for after in 0..=3 {
            let (_sandbox, client) = with(Fault::on_any(after, 1, what.clone())).await;
            let (mutations, end) = run(&client).await;
            let status = end.unwrap_err();
            assert_eq!((status.code(), status.message()), (code, text.as_str()));
            assert_eq!(mutations as u64, after);
            if let Some(delay) = retry_after {
                let details = rpc::Status::decode(status.details()).unwrap().details;
                let info = rpc::RetryInfo::decode(details[0].value.as_slice()).unwrap();
                assert_eq!(info.retry_delay, Some(delay.try_into().unwrap()));
            }
            let again = run(&client).await;
            assert_eq!((again.0, again.1.unwrap()), (3, true), "it strikes once");
        }
    }
}

#[tokio::test]
async fn a_stream_can_be_reset_cut_stalled_or_end_without_a_close() {
    let (_sandbox, client) = with(Fault::on_any(2, 1, What::Reset)).await;
    let (mutations, end) = run(&client).await;
    assert_eq!((mutations, end.unwrap_err().code()), (2, Code::Internal));
    let (_sandbox, client) = with(Fault::on_any(2, 1, What::Disconnect)).await;
    assert!(run(&client).await.1.is_err());
    let (_sandbox, client) = with(Fault::on_range(range("", ""), 2, What::CleanEnd)).await;
    let (mutations, end) = run(&client).await;
    assert_eq!((mutations, end.unwrap()), (2, false));
    let (sandbox, client) = with(Fault::on_any(1, 1, What::Stall)).await;
    let waits = tokio::time::timeout(Duration::from_millis(100), run(&client));
    assert!(waits.await.is_err());
    assert_eq!(sandbox.wait_for(|stats| stats.open == 0).await.open_max, 1);
    let (_sandbox, client) = with(Fault::on_any(1, 1, What::Expire)).await;
    assert_eq!(run(&client).await.1.unwrap_err().code(), Code::OutOfRange);
}

#[tokio::test]
async fn a_cookie_of_a_failed_call_is_to_come_back_with_the_next() {
    let (sandbox, client) = started(Script {
        cookies: Cookies::Trailing,
        faults: vec![Fault::on_any(
            1,
            1,
            What::status(Code::Unavailable, "later"),
        )],
        ..an_hour_later(history())
    })
    .await;
    let status = run(&client).await.1.unwrap_err();
    let cookie = status.metadata().get("x-goog-cbt-cookie-routing").unwrap();
    assert!(sandbox.stats().cookies_returned.is_empty());
    let mut request = client.request(&all());
    let metadata = request.metadata_mut();
    metadata.insert("x-goog-cbt-cookie-routing", cookie.clone());
    client.send(request).await.unwrap();
    let stats = sandbox.stats();
    assert_eq!(stats.cookies_returned, stats.cookies_given);
    assert_eq!(stats.cookies_given.len(), 1);
}

#[tokio::test]
async fn a_cookie_can_come_when_a_stream_opens() {
    let (sandbox, client) = started(Script {
        cookies: Cookies::Initial,
        ..an_hour_later(history())
    })
    .await;
    let answer = client.send(client.request(&all())).await.unwrap();
    let cookie = answer.metadata().get("x-goog-cbt-cookie-routing").unwrap();
    let given = sandbox.stats().cookies_given;
    assert!(given.contains(cookie.to_str().unwrap()));
}

#[tokio::test]
async fn a_reader_that_takes_nothing_for_long_is_told_so() {
    let long = History::starting_at(at(0.0))
        .write(at(1.0), "a", [Entry::set("f", "q", 0, vec![0; 4 << 20])])
        .write(at(2.0), "a", [Entry::set("f", "q", 0, vec![0; 4 << 20])]);
    let (_sandbox, client) = started(Script {
        slow_reader_after: Some(Duration::from_millis(50)),
        ..an_hour_later(long.build().unwrap())
    })
    .await;
    let mut stream = client.open(&all()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let status = loop {
        match stream.next().await {
            Ok(Some(Got::Mutation(_))) => {}
            Ok(other) => panic!("{other:?}"),
            Err(status) => break status,
        }
    };
    let text = "Response was not consumed in time; terminating connection";
    assert_eq!((status.code(), status.message()), (Code::Aborted, text));
}

#[tokio::test]
async fn the_list_of_partitions_can_fail_too() {
    let what = What::status(Code::Unavailable, "later");
    let (sandbox, client) = with(Fault::on_call(On::Partitions, what)).await;
    let request = client.routed(
        googleapis_tonic_google_bigtable_v2::google::bigtable::v2::GenerateInitialChangeStreamPartitionsRequest {
            table_name: sandbox.table().to_owned(),
            app_profile_id: "reader".to_owned(),
        },
    );
    let mut data = client.data.clone();
    let refused = data.generate_initial_change_stream_partitions(request);
    assert_eq!(refused.await.unwrap_err().code(), Code::Unavailable);
    assert_eq!(client.partitions().await.len(), 1);
}
