//! Streams that are not read do not keep others on their connection from being read.

use std::sync::Arc;
use std::time::Duration;

use acequia_host::config::{self, Source, SpannerChangeStream};
use acequia_host::google::RpcMeter;
use acequia_host::spanner::request::{Dialect, PartitionMode, PartitionQuery, read_partition};
use acequia_host::spanner::{Client, FrameStream};
use acequia_sandbox::spanner::history::{RowChange, shop};
use acequia_sandbox::spanner::{History, Sandbox};
use jiff::Timestamp;
use serde_json::json;

use super::place::Place;
use super::shop::{after, an_hour_ago, serve};

/// What one connection takes.
const STREAMS: usize = 16;

/// Changes of one partition; with their values, several times an HTTP/2 stream window of 256 KiB.
const CHANGES: usize = 64;
const CHANGE_BYTES: usize = 32 << 10;

fn history(start: Timestamp) -> History {
    let value: Arc<str> = "x".repeat(CHANGE_BYTES).into();
    let mut history = History::starting_at(start);
    for stream in 0..STREAMS {
        let token = format!("p{stream}");
        history = history.partition(&token);
        for change in 0..CHANGES {
            let id = stream * CHANGES + change;
            let row = json!({ "CustomerId": id.to_string(), "Name": *value, "City": null });
            let at = after(start, i64::try_from(change).unwrap() + 1);
            history = history.commit(at, &token, [RowChange::insert(&shop::customers(), row)]);
        }
    }
    history.build().unwrap()
}

async fn open(
    client: &Client,
    stream: &SpannerChangeStream,
    start: Timestamp,
    n: usize,
) -> FrameStream {
    let token = format!("p{n}");
    let query = PartitionQuery {
        start,
        end: stream.end,
        token: Some(&token),
        heartbeat_ms: 1000,
    };
    let (dialect, mode) = (Dialect::GoogleSql, PartitionMode::Immutable);
    let statement = read_partition(dialect, mode, &stream.change_stream, &query);
    client.stream(statement).await.unwrap()
}

fn configured(sandbox: &Sandbox, start: Timestamp) -> SpannerChangeStream {
    let place = Place::new(sandbox, start, after(start, 60_000));
    let config = config::load(&place.config()).unwrap();
    match config.source {
        Source::SpannerChangeStream(stream) => stream,
        other @ (Source::BigtableChangeStream(_) | Source::SpannerBatch(_)) => {
            panic!("{other:?}")
        }
    }
}

#[tokio::test]
async fn a_stream_is_read_to_its_end_while_all_others_of_its_connection_are_held() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let stream = configured(&sandbox, start);
    let client = Client::new(
        &stream.database,
        &stream.connection,
        &stream.requests,
        RpcMeter::default(),
    )
    .unwrap();
    let mut held = Vec::new();
    for n in 0..STREAMS - 1 {
        let mut frames = open(&client, &stream, start, n).await;
        frames.next().await.unwrap().unwrap();
        held.push(frames);
    }
    // So long that every held stream has sent all that its window takes.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut last = open(&client, &stream, start, STREAMS - 1).await;
    let reading = async {
        let mut bytes = 0;
        while let Some(frame) = last.next().await.unwrap() {
            bytes += frame.len();
        }
        bytes
    };
    let bytes = tokio::time::timeout(Duration::from_secs(30), reading).await;
    assert!(bytes.unwrap() > CHANGES * CHANGE_BYTES);
    assert_eq!(
        sandbox.stats().open,
        STREAMS - 1,
        "the others are still held"
    );
    drop(held);
}
