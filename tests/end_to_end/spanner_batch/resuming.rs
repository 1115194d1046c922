//! Partitions that break, and go on.

use acequia_sandbox::What;
use acequia_sandbox::spanner::batch::{ResumeTokens, RowWire};
use acequia_sandbox::spanner::{Fault, OnBatch};
use serde_json::json;
use tonic::Code;

use super::{expected, place, serve_customers, sorted};

/// So many rows that partitions of four have some frames each.
const ROWS: usize = 120;

/// Frames that end inside rows and inside values.
fn broken_up(resume_tokens: ResumeTokens) -> RowWire {
    RowWire {
        rows_per_frame: 5,
        cells_per_frame: Some(4),
        chunk_bytes: Some(3),
        empty_frame_every: Some(5),
        metadata_every: Some(7),
        resume_tokens,
        ..RowWire::default()
    }
}

async fn every_partition_breaks(wire: RowWire, after_messages: u64) {
    let sandbox = serve_customers(ROWS, wire);
    for _ in 0..4 {
        let unavailable = What::status(Code::Unavailable, "not now");
        for place in 0..4 {
            let on = OnBatch::Partition(place);
            sandbox.add_fault(Fault::on_batch(on, after_messages, unavailable.clone()));
        }
    }
    let place = place(&sandbox);
    place.run().await.unwrap();
    assert_eq!(
        sorted(&place),
        expected(ROWS),
        "after {after_messages} messages"
    );
}

#[tokio::test]
async fn partitions_that_break_anywhere_give_each_row_once() {
    for after_messages in [0, 1, 2, 3, 5, 8, 13] {
        every_partition_breaks(broken_up(ResumeTokens::Each), after_messages).await;
    }
}

#[tokio::test]
async fn without_tokens_the_rows_that_came_are_counted() {
    for tokens in [ResumeTokens::Absent, ResumeTokens::Empty] {
        every_partition_breaks(broken_up(tokens), 9).await;
    }
}

#[tokio::test]
async fn tokens_within_rows_and_within_values_are_gone_on_from() {
    for tokens in [
        ResumeTokens::WithinRows,
        ResumeTokens::WithinValues,
        ResumeTokens::BetweenRows,
    ] {
        every_partition_breaks(broken_up(tokens), 9).await;
    }
}

/// What comes after a token may be cut into frames in another way.
#[tokio::test]
async fn a_resumed_stream_may_be_framed_in_another_way() {
    let wire = RowWire {
        resumed: Some(Box::new(RowWire {
            rows_per_frame: 3,
            ..RowWire::default()
        })),
        ..broken_up(ResumeTokens::Each)
    };
    every_partition_breaks(wire, 6).await;
}

/// The emulator's tokens are all the same, and a stream that is resumed by one begins anew.
#[tokio::test]
async fn the_tokens_of_an_emulator_are_not_used() {
    let sandbox = serve_customers(ROWS, broken_up(ResumeTokens::Dummy));
    let on = OnBatch::AnyPartition;
    sandbox.add_fault(Fault::on_batch(
        on,
        9,
        What::status(Code::Unavailable, "not now"),
    ));
    let mut place = place(&sandbox);
    place.unset("resume-by-token");
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(ROWS));
    let calls = sandbox.stats().batch;
    assert!(calls.iter().all(|call| call.resume_token.is_empty()));
}

#[tokio::test]
async fn a_token_saves_what_lies_before_it() {
    let wire = RowWire {
        rows_per_frame: 5,
        ..RowWire::default()
    };
    let sandbox = serve_customers(ROWS, wire);
    let on = OnBatch::AnyPartition;
    sandbox.add_fault(Fault::on_batch(
        on,
        4,
        What::status(Code::Unavailable, "not now"),
    ));
    let mut place = place(&sandbox);
    place.set("max-concurrent-partitions", json!(1));
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(ROWS));
    let calls = sandbox.stats().batch;
    let resumed = calls
        .iter()
        .filter(|call| !call.resume_token.is_empty())
        .count();
    assert_eq!(resumed, 1);
}

#[tokio::test]
async fn a_plan_that_fails_for_a_while_is_made_again() {
    let sandbox = serve_customers(ROWS, RowWire::default());
    for on in [OnBatch::BeginTransaction, OnBatch::PartitionRead] {
        sandbox.add_fault(Fault::on_batch(
            on,
            0,
            What::status(Code::Unavailable, "not now"),
        ));
    }
    let place = place(&sandbox);
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(ROWS));
}
