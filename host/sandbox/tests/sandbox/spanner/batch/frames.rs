//! Layouts of rows on the wire, and streams that are resumed: whatever the layout and wherever the cut,
//! the values are the same.

use acequia_sandbox::spanner::{
    Batch,
    batch::{Last, ResumeTokens, RowWire},
    tables::{
        Query,
        types::{array, scalar, structure},
    },
};
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, PartialResultSet,
};
use serde_json::{Value as Json, json};

use super::reader::{Reader, frames, rows_of, values, with};

const SQL: &str = "SELECT DEEP THINGS";

/// Four rows of three columns; the second one's strings are seven lists deep.
fn deep() -> Query {
    let nested = |element| array(structure([("inner", element)]));
    let three = nested(nested(nested(array(scalar("STRING")))));
    let columns = [
        ("n", scalar("INT64")),
        ("deep", three),
        ("s", scalar("STRING")),
    ];
    let long = "0123456789".repeat(4);
    let row = |n: i32| {
        let deep = json!([
            [[[[[[long, "", null, "z"]]], [[["w\u{f6}rld"], null]]]]],
            null
        ]);
        vec![json!(n.to_string()), deep, json!(format!("{n}{long}"))]
    };
    let rows = [
        row(1),
        row(2),
        vec![json!("3"), Json::Null, json!("")],
        row(4),
    ];
    Query::new(SQL, columns).with(rows)
}

async fn started(wire: RowWire) -> (acequia_sandbox::spanner::Sandbox, Reader, ExecuteSqlRequest) {
    let batch = Batch {
        queries: vec![deep()],
        shares: vec![1],
        wire,
        ..Batch::default()
    };
    let (sandbox, reader) = Reader::start(with(batch)).await;
    let part = reader
        .plan_query(reader.query(SQL))
        .await
        .unwrap()
        .remove(0);
    (sandbox, reader, part)
}

async fn read(reader: &Reader, part: &ExecuteSqlRequest, token: &Bytes) -> Vec<PartialResultSet> {
    let request = ExecuteSqlRequest {
        resume_token: token.clone(),
        ..part.clone()
    };
    frames(reader.client.send(request).await.unwrap())
        .await
        .unwrap()
}

async fn plain() -> Vec<Json> {
    let (_sandbox, reader, part) = started(RowWire::default()).await;
    let frames = read(&reader, &part, &Bytes::new()).await;
    assert_eq!(frames.len(), 1);
    rows_of(&frames)
}

fn small() -> RowWire {
    RowWire {
        rows_per_frame: 1,
        cells_per_frame: Some(1),
        chunk_bytes: Some(6),
        empty_frame_every: Some(5),
        metadata_every: Some(4),
        last: Last::Set,
        ..RowWire::default()
    }
}

#[tokio::test]
async fn every_layout_carries_the_same_rows() {
    let plain = plain().await;
    let layouts = [
        small(),
        RowWire {
            cells_per_frame: Some(2),
            ..RowWire::default()
        },
        RowWire {
            rows_per_frame: 3,
            chunk_bytes: Some(11),
            ..RowWire::default()
        },
        RowWire {
            last: Last::Alone,
            resume_tokens: ResumeTokens::Empty,
            ..small()
        },
    ];
    for wire in layouts {
        let (_sandbox, reader, part) = started(wire.clone()).await;
        let frames = read(&reader, &part, &Bytes::new()).await;
        assert_eq!(rows_of(&frames), plain, "{wire:?}");
    }
}

#[tokio::test]
async fn a_stream_goes_on_exactly_behind_every_token() {
    let plain = plain().await;
    let layouts = [
        None,
        Some(RowWire {
            chunk_bytes: Some(3),
            ..small()
        }),
        Some(RowWire {
            chunk_bytes: Some(9),
            cells_per_frame: None,
            metadata_on_resume: false,
            metadata_every: None,
            ..small()
        }),
        Some(RowWire::default()),
    ];
    for resumed in layouts {
        let wire = RowWire {
            resumed: resumed.map(Box::new),
            ..small()
        };
        let (_sandbox, reader, part) = started(wire.clone()).await;
        let whole = read(&reader, &part, &Bytes::new()).await;
        assert!(whole.len() > 50);
        for cut in 1..=whole.len() {
            let seen = &whole[..cut];
            let rest = read(&reader, &part, &seen[cut - 1].resume_token).await;
            let joined = [seen, &rest].concat();
            assert_eq!(
                rows_of(&joined),
                plain,
                "behind message {cut}, then {:?}",
                wire.resumed
            );
        }
    }
}

#[tokio::test]
async fn a_stream_that_was_resumed_can_be_resumed_within_what_is_left_of_a_value() {
    let plain = plain().await;
    let wire = RowWire {
        resumed: Some(Box::new(RowWire {
            chunk_bytes: Some(4),
            ..small()
        })),
        ..small()
    };
    let (_sandbox, reader, part) = started(wire).await;
    let whole = read(&reader, &part, &Bytes::new()).await;
    let cut = whole.iter().position(|frame| frame.chunked_value).unwrap() + 2;
    let rest = read(&reader, &part, &whole[cut - 1].resume_token).await;
    for second in 1..rest.len() {
        let third = read(&reader, &part, &rest[second - 1].resume_token).await;
        let joined = [&whole[..cut], &rest[..second], &third].concat();
        assert_eq!(
            rows_of(&joined),
            plain,
            "behind message {second} of the rest"
        );
    }
}

#[tokio::test]
async fn tokens_come_where_the_script_says() {
    let has = |frame: &PartialResultSet| !frame.resume_token.is_empty();
    for tokens in [
        ResumeTokens::Each,
        ResumeTokens::Absent,
        ResumeTokens::Empty,
        ResumeTokens::Every(3),
        ResumeTokens::BetweenRows,
        ResumeTokens::WithinRows,
        ResumeTokens::WithinValues,
    ] {
        let wire = RowWire {
            resume_tokens: tokens,
            empty_frame_every: None,
            ..small()
        };
        let (_sandbox, reader, part) = started(wire).await;
        let whole = read(&reader, &part, &Bytes::new()).await;
        let mut seen = Vec::new();
        for (number, frame) in whole.iter().enumerate() {
            seen.push(frame.clone());
            let cells = if frame.chunked_value {
                None
            } else {
                Some(values(&seen).len())
            };
            let expected = match tokens {
                ResumeTokens::Each | ResumeTokens::Dummy => true,
                ResumeTokens::Absent | ResumeTokens::Empty => false,
                ResumeTokens::Every(every) => (number + 1) % every == 0,
                ResumeTokens::BetweenRows => cells.is_some_and(|cells| cells % 3 == 0),
                ResumeTokens::WithinRows => cells.is_some_and(|cells| cells % 3 != 0),
                ResumeTokens::WithinValues => frame.chunked_value,
            };
            assert_eq!(has(frame), expected, "{tokens:?}, message {number}");
        }
    }
}

#[tokio::test]
async fn the_emulators_tokens_are_all_the_same_and_replay_everything() {
    let wire = RowWire {
        resume_tokens: ResumeTokens::Dummy,
        ..small()
    };
    let (_sandbox, reader, part) = started(wire).await;
    let whole = read(&reader, &part, &Bytes::new()).await;
    let token = &whole[10].resume_token;
    assert!(!token.is_empty() && whole.iter().all(|frame| frame.resume_token == token));
    assert_eq!(read(&reader, &part, token).await, whole);
}

#[tokio::test]
async fn the_last_message_is_marked_as_the_script_says() {
    for (last, marked) in [(Last::Unmarked, 0), (Last::Set, 1), (Last::Alone, 1)] {
        let wire = RowWire { last, ..small() };
        let (_sandbox, reader, part) = started(wire).await;
        let whole = read(&reader, &part, &Bytes::new()).await;
        assert_eq!(whole.iter().filter(|frame| frame.last).count(), marked);
        let end = whole.last().unwrap();
        assert_eq!(end.last, marked == 1);
        assert_eq!(end.values.is_empty(), last == Last::Alone);
    }
}

#[tokio::test]
async fn metadata_and_messages_without_values_come_where_they_are_asked_for() {
    let (_sandbox, reader, part) = started(small()).await;
    let whole = read(&reader, &part, &Bytes::new()).await;
    for (number, frame) in whole.iter().enumerate() {
        assert_eq!(
            frame.metadata.is_some(),
            number % 4 == 0,
            "message {number}"
        );
    }
    assert!(whole.iter().filter(|frame| frame.values.is_empty()).count() > 1);
    for pair in whole.windows(2) {
        assert!(!pair[0].chunked_value || !pair[1].values.is_empty());
    }
}

#[tokio::test]
async fn an_empty_partition_is_one_message_with_metadata() {
    let batch = Batch {
        shares: vec![0, 1],
        queries: vec![deep()],
        ..Batch::default()
    };
    let (_sandbox, reader) = Reader::start(with(batch)).await;
    let parts = reader.plan_query(reader.query(SQL)).await.unwrap();
    let mut rows = Vec::new();
    for part in &parts {
        let frames = read(&reader, part, &Bytes::new()).await;
        assert_eq!(frames.len(), 1);
        assert!(frames[0].metadata.is_some());
        rows.push(rows_of(&frames).len());
    }
    assert_eq!(rows, [0, 4]);
}

#[tokio::test]
async fn a_token_of_another_partition_is_refused() {
    let batch = Batch {
        shares: vec![1, 1],
        queries: vec![deep()],
        ..Batch::default()
    };
    let (_sandbox, reader) = Reader::start(with(batch)).await;
    let parts = reader.plan_query(reader.query(SQL)).await.unwrap();
    let token = read(&reader, &parts[0], &Bytes::new()).await[0]
        .resume_token
        .clone();
    let request = ExecuteSqlRequest {
        resume_token: token,
        ..parts[1].clone()
    };
    let status = reader.client.refusal_of(request).await;
    assert_eq!(status.code(), tonic::Code::InvalidArgument);
}
