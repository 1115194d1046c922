//! What the sandbox tells of the calls that it saw, and the header that it sends.

use acequia_sandbox::spanner::{
    Batch,
    batch::{Bound, RowWire, ServerTiming},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    DirectedReadOptions, PartitionOptions, RequestOptions, request_options::Priority,
};

use super::reader::{Reader, STRONG, customers, frames, shop, with};

const METHODS: [&str; 6] = [
    "BeginTransaction",
    "PartitionQuery",
    "ExecuteStreamingSql",
    "ExecuteStreamingSql",
    "PartitionRead",
    "StreamingRead",
];

#[tokio::test]
async fn every_call_is_told_with_what_it_asked_for() {
    let (sandbox, reader) = Reader::start(with(Batch {
        contents: vec![customers()],
        shares: vec![1, 1],
        wire: RowWire {
            rows_per_frame: 1,
            ..RowWire::default()
        },
        ..Batch::default()
    }))
    .await;
    let mut query = reader.query("SELECT * FROM Customers");
    query.partition_options = Some(PartitionOptions {
        partition_size_bytes: 1 << 20,
        max_partitions: 9,
    });
    let mut part = reader.plan_query(query).await.unwrap().remove(1);
    part.data_boost_enabled = true;
    part.directed_read_options = Some(DirectedReadOptions::default());
    part.request_options = Some(RequestOptions {
        priority: Priority::Low.into(),
        request_tag: "backfill".to_owned(),
        ..RequestOptions::default()
    });
    let first = frames(reader.client.send(part.clone()).await.unwrap())
        .await
        .unwrap();
    part.resume_token = first[0].resume_token.clone();
    frames(reader.client.send(part.clone()).await.unwrap())
        .await
        .unwrap();
    let read = reader.read("Customers", &["Name"]);
    let read = reader.plan_read(read).await.unwrap().remove(0);
    frames(reader.open_read(read).await.unwrap()).await.unwrap();

    let stats = sandbox.wait_for(|stats| stats.rows_open == 0).await;
    assert_eq!(
        stats
            .batch
            .iter()
            .map(|call| call.method.as_str())
            .collect::<Vec<_>>(),
        METHODS
    );
    let [begun, planned, streamed, resumed, _, rows] = &stats.batch.iter().collect::<Vec<_>>()[..]
    else {
        panic!("six calls");
    };
    assert_eq!(begun.bound, Some(Bound::Strong(true)));
    assert!(begun.return_read_timestamp);
    assert_eq!(
        (planned.max_partitions, planned.partition_size_bytes),
        (9, 1 << 20)
    );
    assert_eq!(planned.transaction, reader.transaction.id);
    assert_eq!(streamed.partition, Some(1));
    assert_eq!(streamed.partition_token, part.partition_token);
    assert!(streamed.data_boost && streamed.directed_read.is_some());
    assert_eq!(streamed.priority, i32::from(Priority::Low));
    assert_eq!(streamed.request_tag, "backfill");
    assert!(streamed.resume_token.is_empty());
    assert_eq!(resumed.resume_token, first[0].resume_token);
    assert_eq!(
        (rows.table.as_str(), rows.columns.as_slice()),
        ("Customers", &["Name".to_owned()][..])
    );
    assert!(rows.headers.contains_key("user-agent"));
    // Of three rows the second part has two; resumed behind the first, one; the first part one.
    assert_eq!(stats.row_messages, 2 + 1 + 1);
}

#[tokio::test]
async fn the_front_ends_timing_is_a_header_of_every_answer() {
    let timing = "gfet4t7; dur=12, afe; dur=5";
    let said = ServerTiming {
        gfe_ms: Some(12),
        afe_ms: Some(5),
    };
    let batch = Batch {
        server_timing: Some(said),
        ..shop().batch
    };
    let (_sandbox, reader) = Reader::start(with(batch)).await;
    let mut spanner = reader.client.spanner.clone();
    let read = reader.read("Customers", &["Name"]);
    let answer = spanner.partition_read(read.clone()).await.unwrap();
    assert_eq!(answer.metadata().get("server-timing").unwrap(), timing);
    let part = reader.plan_read(read).await.unwrap().remove(0);
    let answer = spanner.streaming_read(part).await.unwrap();
    assert_eq!(answer.metadata().get("server-timing").unwrap(), timing);
    let (_sandbox, reader) = Reader::start(shop()).await;
    let options = super::reader::options(STRONG);
    let request =
        googleapis_tonic_google_spanner_v1::google::spanner::v1::BeginTransactionRequest {
            session: reader.client.session.clone(),
            options: Some(options),
            ..Default::default()
        };
    let answer = reader
        .client
        .spanner
        .clone()
        .begin_transaction(request)
        .await
        .unwrap();
    assert!(answer.metadata().get("server-timing").is_none());
}
