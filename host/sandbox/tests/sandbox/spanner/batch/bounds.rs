//! Transactions: their bounds, and what becomes of them.

use std::time::Duration;

use acequia_sandbox::{
    Clock, ManualClock,
    spanner::{Batch, Dialect, Sandbox, Script, tables::Contents},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    DeleteSessionRequest, ExecuteSqlRequest, TransactionOptions,
    transaction_options::{Mode, ReadWrite, read_only::TimestampBound},
    transaction_selector::Selector,
};
use tonic::Code;

use super::{
    super::client::{Client, at},
    reader::{Reader, STRONG, begin, frames, options, read_at, rows_of, selector, shop, wire},
};

fn seconds(seconds: i64) -> prost_types::Duration {
    prost_types::Duration { seconds, nanos: 0 }
}

/// A sandbox whose clock stands an hour after the stream's creation.
fn standing() -> (ManualClock, Script) {
    let clock = ManualClock::at(at(3600.0));
    let script = Script {
        clock: Clock::Manual(clock.clone()),
        ..shop()
    };
    (clock, script)
}

#[tokio::test]
async fn each_bound_is_told_as_its_timestamp() {
    let (_clock, script) = standing();
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    let bounds = [
        (STRONG, at(3600.0)),
        (read_at(at(3000.0)), at(3000.0)),
        (TimestampBound::ExactStaleness(seconds(15)), at(3585.0)),
    ];
    for (bound, instant) in bounds {
        let begun = begin(&client, bound).await.unwrap();
        assert_eq!(begun.read_timestamp, Some(wire(instant)), "{bound:?}");
        assert!(!begun.id.is_empty());
    }
}

#[tokio::test]
async fn a_bound_that_leaves_the_choice_is_only_for_one_use() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let bounds = [
        (
            TimestampBound::MinReadTimestamp(wire(at(3000.0))),
            "min_read_timestamp",
        ),
        (TimestampBound::MaxStaleness(seconds(15)), "max_staleness"),
    ];
    for (bound, name) in bounds {
        let status = begin(&reader.client, bound).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(
            status.message(),
            format!(
                "Timestamp bound: {name} for read can be only be used for a single use transaction."
            )
        );
        let sql = ExecuteSqlRequest {
            session: reader.client.session.clone(),
            sql: "SELECT * FROM Customers".to_owned(),
            transaction: selector(Selector::SingleUse(options(bound))),
            ..ExecuteSqlRequest::default()
        };
        let stream = reader.client.send(sql).await.unwrap();
        assert_eq!(rows_of(&frames(stream).await.unwrap()).len(), 3);
    }
}

#[tokio::test]
async fn a_negative_staleness_and_a_timestamp_beyond_an_hour_are_refused() {
    let (_clock, script) = standing();
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    let negative = TimestampBound::ExactStaleness(seconds(-1));
    let status = begin(&client, negative).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let status = begin(&client, read_at(at(7201.0))).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(status.message().contains("is more than 1 hour in future"));
    assert!(begin(&client, read_at(at(7200.0))).await.is_ok());
}

#[tokio::test]
async fn only_reads_are_begun() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let request =
        |mode| googleapis_tonic_google_spanner_v1::google::spanner::v1::BeginTransactionRequest {
            session: reader.client.session.clone(),
            options: Some(TransactionOptions {
                mode,
                ..TransactionOptions::default()
            }),
            ..Default::default()
        };
    let mut spanner = reader.client.spanner.clone();
    let write = request(Some(Mode::ReadWrite(ReadWrite::default())));
    let status = spanner.begin_transaction(write).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    let status = spanner.begin_transaction(request(None)).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

const TOO_OLD: &str = "Read-only transaction timestamp 2026-03-01T11:00:00Z has exceeded the maximum \
                       timestamp staleness";

#[tokio::test]
async fn a_timestamp_that_grows_too_old_ends_plans_and_reads() {
    let (clock, script) = standing();
    let (_sandbox, reader) = Reader::start(script).await;
    let read = || reader.read("Customers", &["CustomerId"]);
    let parts = reader.plan_read(read()).await.unwrap();
    clock.advance(Duration::from_secs(3600));
    assert!(reader.open_read(parts[0].clone()).await.is_ok());
    clock.advance(Duration::from_micros(1));
    for status in [
        reader.refusal_of_read(parts[0].clone()).await,
        reader.plan_read(read()).await.unwrap_err(),
        reader
            .plan_query(reader.query("SELECT * FROM Customers"))
            .await
            .unwrap_err(),
    ] {
        assert_eq!(
            (status.code(), status.message()),
            (Code::FailedPrecondition, TOO_OLD)
        );
    }
}

#[tokio::test]
async fn a_timestamp_that_grows_too_old_ends_a_stream_in_its_middle() {
    let (clock, script) = standing();
    let name = "x".repeat(10_000);
    let row = move |number: usize| {
        let row = serde_json::json!({"CustomerId": number.to_string(), "Name": name});
        row.as_object().unwrap().clone()
    };
    // Twenty megabytes, far more than waits on a connection.
    let batch = Batch {
        contents: vec![Contents::drawn("Customers", 2000, row)],
        shares: vec![1],
        ..Batch::default()
    };
    let (_sandbox, reader) = Reader::start(Script { batch, ..script }).await;
    let parts = reader.plan_read(reader.read("Customers", &["Name"]));
    let part = parts.await.unwrap().remove(0);
    let mut stream = reader.open_read(part).await.unwrap();
    assert!(stream.message().await.unwrap().is_some());
    clock.advance(Duration::from_secs(3601));
    let status = frames(stream).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::FailedPrecondition, TOO_OLD)
    );
}

#[tokio::test]
async fn the_version_retention_can_be_longer() {
    let script = Script {
        batch: Batch {
            version_retention: Some(Duration::from_secs(7 * 86_400)),
            ..shop().batch
        },
        ..shop()
    };
    let sandbox = Sandbox::start(script).unwrap();
    let reader = Reader::of(&sandbox, Dialect::GoogleSql, read_at(at(-6.0 * 86_400.0))).await;
    let rows = reader.rows_of_query("SELECT * FROM Customers").await;
    assert_eq!(rows, super::reader::three());
    let sql = "SELECT option_value FROM information_schema.database_options \
               WHERE option_name = 'version_retention_period'";
    let sql = ExecuteSqlRequest {
        session: reader.client.session.clone(),
        sql: sql.to_owned(),
        ..ExecuteSqlRequest::default()
    };
    let stream = reader.client.send(sql).await.unwrap();
    assert_eq!(
        rows_of(&frames(stream).await.unwrap()),
        [serde_json::json!(["7d"])]
    );
}

#[tokio::test]
async fn a_transaction_ends_with_its_session_or_when_it_is_forgotten() {
    let (sandbox, reader) = Reader::start(shop()).await;
    let read = || reader.read("Customers", &["CustomerId"]);
    let parts = reader.plan_read(read()).await.unwrap();
    sandbox.forget_transactions();
    let status = reader.refusal_of_read(parts[0].clone()).await;
    assert_eq!(
        (status.code(), status.message()),
        (Code::NotFound, "Transaction not found: 1")
    );
    sandbox.forget_sessions();
    for status in [
        reader.refusal_of_read(parts[0].clone()).await,
        reader.plan_read(read()).await.unwrap_err(),
        begin(&reader.client, STRONG).await.unwrap_err(),
    ] {
        assert_eq!(status.code(), Code::NotFound);
        let session = &reader.client.session;
        assert_eq!(status.message(), format!("Session not found: {session}"));
    }
}

#[tokio::test]
async fn a_session_that_is_not_multiplexed_has_one_transaction_and_can_be_deleted() {
    let (_sandbox, mut reader) = Reader::start(shop()).await;
    let request = googleapis_tonic_google_spanner_v1::google::spanner::v1::CreateSessionRequest {
        database: reader
            .client
            .session
            .split("/sessions/")
            .next()
            .unwrap()
            .to_owned(),
        session: None,
    };
    let session = reader.client.spanner.create_session(request).await.unwrap();
    reader.client.session = session.into_inner().name;
    reader.transaction = begin(&reader.client, STRONG).await.unwrap();
    let parts = reader.plan_read(reader.read("Customers", &["CustomerId"]));
    let part = parts.await.unwrap()[0].clone();
    assert!(reader.open_read(part.clone()).await.is_ok());
    begin(&reader.client, STRONG).await.unwrap();
    let status = reader.refusal_of_read(part.clone()).await;
    assert!(status.message().starts_with("Transaction not found: "));
    let name = reader.client.session.clone();
    let delete = DeleteSessionRequest { name };
    reader.client.spanner.delete_session(delete).await.unwrap();
    let status = reader.refusal_of_read(part).await;
    assert!(status.message().starts_with("Session not found: "));
}

#[tokio::test]
async fn a_multiplexed_session_has_many_transactions() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    begin(&reader.client, STRONG).await.unwrap();
    let rows = reader.rows_of_query("SELECT * FROM Customers").await;
    assert_eq!(rows, super::reader::three());
}

#[tokio::test]
async fn a_plan_can_begin_its_transaction_but_not_use_it_once() {
    let (_sandbox, reader) = Reader::start(shop()).await;
    let mut request = reader.query("SELECT * FROM Customers");
    request.transaction = selector(Selector::Begin(options(STRONG)));
    let mut spanner = reader.client.spanner.clone();
    let answer = spanner
        .partition_query(request.clone())
        .await
        .unwrap()
        .into_inner();
    let begun = answer.transaction.unwrap();
    assert!(begun.read_timestamp.is_some());
    let mut rows = 0;
    for part in answer.partitions {
        let sql = ExecuteSqlRequest {
            session: reader.client.session.clone(),
            transaction: selector(Selector::Id(begun.id.clone())),
            sql: request.sql.clone(),
            partition_token: part.partition_token,
            ..ExecuteSqlRequest::default()
        };
        let stream = reader.client.send(sql).await.unwrap();
        rows += rows_of(&frames(stream).await.unwrap()).len();
    }
    assert_eq!(rows, 3);
    request.transaction = selector(Selector::SingleUse(options(STRONG)));
    let status = spanner.partition_query(request.clone()).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (
            Code::InvalidArgument,
            "Partition reads may not be performed in single-use transactions, since the response \
             needs to be reused."
        )
    );
    request.transaction = None;
    let status = spanner.partition_query(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
