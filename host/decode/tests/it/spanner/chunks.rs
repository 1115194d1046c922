//! Values that arrive in several frames.
//!
//! Source: google/spanner/v1/result_set.proto, `PartialResultSet.values` and `chunked_value`.

use acequia_decode::Malformed;
use acequia_decode::spanner::{Assembler, ChangeBatch, Options, Shape, Step};
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;
use prost_types::Value;

use crate::spanner::drive::{Read, read_all};
use crate::spanner::frames::{
    data, encode, envelope, flag, frame, google_sql_type, list, metadata, modification, null, text,
};

const LARGE: &str = r#"{"a":"abcdefghij"}"#;

/// A frame after the first.
fn more(value: impl IntoIterator<Item = Value>, chunked: bool) -> PartialResultSet {
    PartialResultSet {
        values: value.into_iter().collect(),
        chunked_value: chunked,
        ..PartialResultSet::default()
    }
}

/// A value inside this many lists.
fn nested(levels: u32, value: Value) -> Value {
    (0..levels).fold(value, |value, _| list([value]))
}

/// A record in two: the first holds the beginning of its new values, the second the rest.
fn halves(head: &str, tail: &str) -> (Value, Value) {
    let record = data([list([text(r#"{"k":"1"}"#), text(head)])]);
    let Some(prost_types::value::Kind::ListValue(mut fields)) = record.kind else {
        panic!("a struct is a list");
    };
    // Everything after the cut comes with the tail.
    let after = fields.values.split_off(7);
    let head = list([list([list([list(fields.values)])])]);
    let mods = list([list([text(tail), text("{}")])]);
    let record = list([mods].into_iter().chain(after));
    (head, list([list([list([record]), list([]), list([])])]))
}

fn whole(new_values: &str) -> Vec<Read> {
    let record = data([modification(r#"{"k":"1"}"#, new_values, "{}")]);
    let row = envelope(vec![record], vec![], vec![]);
    read_all(Shape::GoogleSql, [encode(&frame(google_sql_type(), [row]))]).unwrap()
}

fn read(frames: &[PartialResultSet]) -> Result<Vec<Read>, Malformed> {
    read_all(Shape::GoogleSql, frames.iter().map(encode))
}

fn first(value: Value) -> PartialResultSet {
    PartialResultSet {
        chunked_value: true,
        ..frame(google_sql_type(), [value])
    }
}

fn expected(frames: &[PartialResultSet]) -> &'static str {
    read(frames).unwrap_err().what()
}

#[test]
fn a_string_six_lists_below_the_values_goes_on_in_the_next_frames() {
    let (head, tail) = halves(&LARGE[..8], &LARGE[12..]);
    let frames = [
        first(head),
        more([into_mods(&LARGE[8..12])], true),
        more([tail], false),
    ];
    assert_eq!(read(&frames), Ok(whole(LARGE)));
}

/// A continuation that reaches the text of a modification and holds nothing else.
fn into_mods(part: &str) -> Value {
    // The outer array, the change record, its data records, the record, mods, the modification and
    // its fields: as the emulator sends it.
    nested(6, text(part))
}

#[test]
fn an_empty_continuation_is_legal() {
    let (head, tail) = halves(&LARGE[..8], &LARGE[8..]);
    for empty in [into_mods(""), list([]), nested(3, list([]))] {
        let frames = [
            first(head.clone()),
            more([empty], true),
            more([tail.clone()], false),
        ];
        assert_eq!(read(&frames), Ok(whole(LARGE)));
    }
}

#[test]
fn a_frame_without_values_changes_nothing_inside_a_chunk() {
    let (head, tail) = halves(&LARGE[..8], &LARGE[8..]);
    for chunked in [false, true] {
        let frames = [
            first(head.clone()),
            more([], chunked),
            more([tail.clone()], false),
        ];
        assert_eq!(read(&frames), Ok(whole(LARGE)));
    }
}

#[test]
fn a_token_inside_a_chunk_changes_nothing_and_stays_readable() {
    let (head, tail) = halves(&LARGE[..8], &LARGE[8..]);
    let mut assembler = Assembler::new(Shape::GoogleSql, Options::default());
    assert_eq!(assembler.resume_token(), None);
    assembler.push(encode(&first(head))).unwrap();
    let mut token = more([], false);
    token.resume_token = Bytes::from_static(b"token");
    assembler.push(encode(&token)).unwrap();
    // An empty token is no token.
    assembler.push(encode(&more([tail], false))).unwrap();
    assert_eq!(
        assembler.resume_token(),
        Some(&Bytes::from_static(b"token"))
    );
    let step = assembler.next(&mut ChangeBatch::default(), &mut |_, _, _| true);
    assert_eq!(step, Ok(Step::Covered));
}

#[test]
fn metadata_may_be_sent_again_inside_a_chunk() {
    let (head, tail) = halves(&LARGE[..8], &LARGE[8..]);
    let mut again = more([tail], false);
    again.metadata = Some(metadata(google_sql_type()));
    assert_eq!(read(&[first(head), again]), Ok(whole(LARGE)));
}

#[test]
fn another_row_type_in_the_same_stream_is_malformed() {
    let mut other = more([], false);
    other.metadata = Some(metadata(crate::spanner::frames::array(google_sql_type())));
    let frames = [frame(google_sql_type(), []), other];
    assert_eq!(expected(&frames), "the row type that was sent before");
}

#[test]
fn many_rows_may_stand_before_the_chunked_one() {
    let heartbeat = |at: &str| envelope(vec![], vec![list([text(at)])], vec![]);
    let at = |text: &str| Read::Step(Step::Heartbeat(text.parse().unwrap()));
    let (one, two) = ("2026-11-30T20:41:00Z", "2026-11-30T20:41:02Z");
    let frames = [
        PartialResultSet {
            chunked_value: true,
            ..frame(
                google_sql_type(),
                [heartbeat(one), list([list([list([])])])],
            )
        },
        more(
            [
                list([list([list([]), list([list([text(two)])]), null()])]),
                heartbeat(one),
            ],
            false,
        ),
    ];
    assert_eq!(read(&frames), Ok(vec![at(one), at(two), at(one)]));
}

#[test]
fn elements_of_different_kinds_are_not_joined() {
    // The cut is after `server_transaction_id`, a string, and before a boolean.
    let record = data([modification(r#"{"k":"1"}"#, LARGE, "{}")]);
    let Some(prost_types::value::Kind::ListValue(mut fields)) = record.kind else {
        panic!("a struct is a list");
    };
    let after = fields.values.split_off(3);
    let head = list([list([list([list(fields.values)])])]);
    let tail = list([list([list([list(after)]), list([]), list([])])]);
    assert_eq!(read(&[first(head), more([tail], false)]), Ok(whole(LARGE)));
}

#[test]
fn a_null_a_boolean_or_a_number_is_never_split() {
    for value in [null(), flag(true), crate::spanner::frames::number(1.0)] {
        let what = "a chunked string, list or object";
        assert_eq!(expected(&[first(value)]), what);
    }
}

#[test]
fn a_continuation_of_another_kind_is_malformed() {
    let frames = [first(list([])), more([text("")], false)];
    assert_eq!(expected(&frames), "a continuation of the same kind");
}

#[test]
fn a_stream_that_ends_inside_a_value_is_malformed() {
    let (head, _) = halves(&LARGE[..8], "");
    assert_eq!(expected(&[first(head)]), "the rest of a chunked value");
}

#[test]
fn nesting_has_a_limit() {
    let deep = nested(200, text(""));
    assert_eq!(
        expected(&[first(deep.clone())]),
        "at most 64 levels of lists"
    );
    // Levels that grow from frame to frame count as well.
    let frames = [
        first(nested(40, text(""))),
        more([nested(40, list([deep]))], true),
    ];
    assert!(read(&frames).is_err());
}

#[test]
fn values_before_metadata_are_malformed() {
    assert_eq!(
        expected(&[more([text("")], false)]),
        "metadata before the first value"
    );
}
