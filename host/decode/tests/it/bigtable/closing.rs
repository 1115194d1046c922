//! Heartbeats and closed streams.

use acequia_decode::bigtable::{RowRange, Step, Successor};
use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::StreamContinuationToken;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    CloseStream, Heartbeat, StreamRecord,
};

use super::drive::{Read, read_all};
use super::frames::{close, frame, heartbeat, partition, token};

/// The number of `OUT_OF_RANGE`.
const OUT_OF_RANGE: i32 = 11;

fn step(frame: Bytes) -> Step {
    match read_all([frame]).unwrap().as_slice() {
        [Read::Step(step)] => step.clone(),
        other => panic!("one step, not {other:?}"),
    }
}

fn refused(frame: Bytes) -> (String, String) {
    let error = read_all([frame]).unwrap_err();
    (error.what().to_owned(), error.path().to_owned())
}

fn range(start: &str, end: &str) -> RowRange {
    RowRange {
        start: start.into(),
        end: end.into(),
    }
}

fn successor(target: (&str, &str), own: (&str, &str), token: &str) -> Successor {
    Successor {
        target: range(target.0, target.1),
        range: range(own.0, own.1),
        token: token.into(),
    }
}

#[test]
fn a_heartbeat_brings_a_token_and_a_low_watermark() {
    let expected = Step::Heartbeat {
        token: "h".into(),
        low_watermark: "1970-01-01T00:01:40Z".parse().unwrap(),
    };
    assert_eq!(step(heartbeat("h", 100)), expected);
}

#[test]
fn a_heartbeat_without_either_is_refused() {
    let whole = || Heartbeat {
        continuation_token: Some(token("", "", "h")),
        estimated_low_watermark: super::frames::at(1, 0),
    };
    let place = |heartbeat| refused(frame(StreamRecord::Heartbeat(heartbeat))).1;
    let without = Heartbeat {
        continuation_token: None,
        ..whole()
    };
    assert_eq!(place(without), "heartbeat.continuation_token");
    let without = Heartbeat {
        estimated_low_watermark: None,
        ..whole()
    };
    assert_eq!(place(without), "heartbeat.estimated_low_watermark");
}

#[test]
fn a_stream_that_reached_its_end_has_no_successors() {
    let finished = Step::Close {
        code: 0,
        message: String::new(),
        successors: vec![],
    };
    assert_eq!(step(close(0, [], [])), finished);
    let bare = frame(StreamRecord::CloseStream(CloseStream::default()));
    assert_eq!(step(bare), finished);
}

#[test]
fn new_partitions_belong_to_tokens_by_their_index() {
    // The example of bigtable.proto: [B, D) ends, and [A, C) and [C, E) follow.
    let frame = close(
        OUT_OF_RANGE,
        [token("B", "C", "t1"), token("C", "D", "t2")],
        [partition("A", "C"), partition("C", "E")],
    );
    let expected = Step::Close {
        code: OUT_OF_RANGE,
        message: "Partition boundaries are misaligned.".to_owned(),
        successors: vec![
            successor(("A", "C"), ("B", "C"), "t1"),
            successor(("C", "E"), ("C", "D"), "t2"),
        ],
    };
    assert_eq!(step(frame), expected);
}

#[test]
fn without_new_partitions_a_token_goes_on_with_its_own_rows() {
    let Step::Close { successors, .. } = step(close(OUT_OF_RANGE, [token("", "m", "t")], []))
    else {
        panic!("a closed stream");
    };
    assert_eq!(successors, [successor(("", "m"), ("", "m"), "t")]);
}

#[test]
fn each_new_partition_needs_its_token() {
    for (tokens, targets) in [(1, 2), (2, 1), (0, 1)] {
        let tokens = (0..tokens).map(|_| token("a", "b", "t"));
        let targets = (0..targets).map(|_| partition("a", "b"));
        let (what, path) = refused(close(OUT_OF_RANGE, tokens, targets));
        assert_eq!(what, "as many new_partitions as tokens");
        assert_eq!(path, "close_stream");
    }
}

#[test]
fn tokens_come_with_a_status_that_is_not_ok_and_only_then() {
    let what = "tokens with a status that is not OK, and only then";
    assert_eq!(refused(close(OUT_OF_RANGE, [], [])).0, what);
    assert_eq!(refused(close(0, [token("a", "b", "t")], [])).0, what);
}

#[test]
fn a_token_names_its_partition() {
    let without = StreamContinuationToken {
        partition: None,
        token: "t".to_owned(),
    };
    let (what, path) = refused(close(OUT_OF_RANGE, [token("a", "b", "t"), without], []));
    assert_eq!(what, "a value");
    assert_eq!(path, "close_stream.continuation_tokens[1].partition");
    let (_, path) = refused(close(OUT_OF_RANGE, [token("a", "b", "")], []));
    assert_eq!(path, "close_stream.continuation_tokens[0].token");
}

#[test]
fn nothing_comes_after_the_end() {
    let error = read_all([close(0, [], []), heartbeat("h", 1)]).unwrap_err();
    assert_eq!(error.what(), "nothing after close_stream");
}
