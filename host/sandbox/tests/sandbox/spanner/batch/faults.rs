//! Faults of batch reads.

use std::time::Duration;

use acequia_sandbox::{
    What,
    spanner::{Batch, Fault, On, OnBatch, Sandbox, batch::RowWire},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::ReadRequest;
use tonic::{Code, Status};

use super::reader::{Reader, STRONG, begin, customers, with};

/// One partition of three messages.
async fn started() -> (Sandbox, Reader, Vec<ReadRequest>) {
    let batch = Batch {
        contents: vec![customers()],
        shares: vec![1, 0],
        wire: RowWire {
            rows_per_frame: 1,
            ..RowWire::default()
        },
        ..Batch::default()
    };
    let (sandbox, reader) = Reader::start(with(batch)).await;
    let read = reader.read("Customers", &["CustomerId"]);
    let parts = reader.plan_read(read).await.unwrap();
    (sandbox, reader, parts)
}

/// How many messages came, and how the stream ended.
async fn run(reader: &Reader, part: &ReadRequest) -> (u64, Result<(), Status>) {
    let mut stream = match reader.open_read(part.clone()).await {
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
async fn every_status_can_come_at_every_message_of_a_partition() {
    let (sandbox, reader, parts) = started().await;
    for number in 1..=16 {
        for after in 0..=3 {
            let code = Code::from(number);
            let what = What::status(code, "as scripted");
            sandbox.add_fault(Fault::on_batch(OnBatch::Partition(0), after, what));
            assert!(run(&reader, &parts[1]).await.1.is_ok(), "another partition");
            let (messages, end) = run(&reader, &parts[0]).await;
            let status = end.unwrap_err();
            assert_eq!((status.code(), status.message()), (code, "as scripted"));
            assert_eq!(messages, after);
            assert_eq!(run(&reader, &parts[0]).await.0, 3, "it strikes once");
        }
    }
}

#[tokio::test]
async fn a_fault_fits_by_call_table_and_data_boost() {
    let (sandbox, reader, parts) = started().await;
    let sql = reader.query("SELECT * FROM Customers");
    let query = reader.plan_query(sql).await.unwrap().remove(0);
    let boosted = ReadRequest {
        data_boost_enabled: true,
        ..parts[0].clone()
    };
    let add = |on| {
        let what = What::status(Code::ResourceExhausted, "no more");
        sandbox.add_fault(Fault::on_batch(on, 0, what));
    };
    add(OnBatch::PartitionOfQuery);
    assert!(run(&reader, &parts[0]).await.1.is_ok());
    assert_eq!(
        reader.client.refusal_of(query.clone()).await.code(),
        Code::ResourceExhausted
    );
    add(OnBatch::PartitionOfRead);
    assert!(
        reader
            .client
            .send(query)
            .await
            .unwrap()
            .message()
            .await
            .is_ok()
    );
    assert!(run(&reader, &parts[0]).await.1.is_err());
    add(OnBatch::DataBoost);
    assert!(run(&reader, &parts[0]).await.1.is_ok());
    assert!(run(&reader, &boosted).await.1.is_err());
    add(OnBatch::PartitionOf("Customers".to_owned(), 1));
    assert!(run(&reader, &parts[0]).await.1.is_ok());
    assert!(run(&reader, &parts[1]).await.1.is_err());
    add(OnBatch::Plain);
    assert!(run(&reader, &parts[0]).await.1.is_ok());
    let plain = ReadRequest {
        partition_token: bytes::Bytes::new(),
        ..parts[0].clone()
    };
    assert!(run(&reader, &plain).await.1.is_err());
    add(OnBatch::AnyPartition);
    assert!(run(&reader, &parts[1]).await.1.is_err());
}

#[tokio::test]
async fn planning_can_fail_call_by_call() {
    let (sandbox, reader, _) = started().await;
    let add = |on, code| sandbox.add_fault(Fault::on_batch(on, 0, What::status(code, "no")));
    let read = || reader.read("Customers", &["CustomerId"]);
    let query = || reader.query("SELECT * FROM Customers");
    add(OnBatch::BeginTransaction, Code::Unavailable);
    add(OnBatch::PartitionRead, Code::PermissionDenied);
    add(OnBatch::PartitionQuery, Code::Aborted);
    let begun = begin(&reader.client, STRONG).await;
    assert_eq!(begun.unwrap_err().code(), Code::Unavailable);
    assert_eq!(
        reader.plan_read(read()).await.unwrap_err().code(),
        Code::PermissionDenied
    );
    assert_eq!(
        reader.plan_query(query()).await.unwrap_err().code(),
        Code::Aborted
    );
    assert!(begin(&reader.client, STRONG).await.is_ok());
    assert!(reader.plan_read(read()).await.is_ok());
    assert!(reader.plan_query(query()).await.is_ok());
}

#[tokio::test]
async fn a_partition_stalls_resets_ends_early_or_grows_too_old() {
    let (sandbox, reader, parts) = started().await;
    let add = |what| sandbox.add_fault(Fault::on_batch(OnBatch::Partition(0), 1, what));
    add(What::Stall);
    let mut stream = reader.open_read(parts[0].clone()).await.unwrap();
    assert!(stream.message().await.unwrap().is_some());
    let more = tokio::time::timeout(Duration::from_millis(200), stream.message());
    assert!(more.await.is_err());
    assert_eq!(sandbox.stats().rows_open, 1);
    drop(stream);
    add(What::Reset);
    let (messages, end) = run(&reader, &parts[0]).await;
    assert_eq!((messages, end.unwrap_err().code()), (1, Code::Internal));
    add(What::CleanEnd);
    let (messages, end) = run(&reader, &parts[0]).await;
    assert!(messages == 1 && end.is_ok());
    add(What::Expire);
    let (messages, end) = run(&reader, &parts[0]).await;
    let status = end.unwrap_err();
    assert_eq!((messages, status.code()), (1, Code::FailedPrecondition));
    assert!(
        status
            .message()
            .ends_with("has exceeded the maximum timestamp staleness")
    );
}

#[tokio::test]
async fn faults_of_streams_and_of_batch_reads_do_not_meet() {
    let (sandbox, reader, parts) = started().await;
    let what = What::status(Code::Internal, "no");
    sandbox.add_fault(Fault {
        on: On::AnyQuery,
        after_messages: 0,
        times: 1,
        what,
    });
    assert!(run(&reader, &parts[0]).await.1.is_ok());
}
