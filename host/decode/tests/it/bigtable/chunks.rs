//! Mutations in several messages, and cells in several pieces.

use acequia_decode::bigtable::{Assembler, MutationBatch, Options, Step};
use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, data_change::Type,
};

use super::drive::{Read, read_all, read_one};
use super::frames::{close, data, delete_family, ended, first, heartbeat, more, piece, set, whole};

/// What the decoder expected instead, and where.
fn refused(changes: impl IntoIterator<Item = DataChange>) -> (String, String) {
    refused_frames(changes.into_iter().map(data))
}

fn refused_frames(frames: impl IntoIterator<Item = Bytes>) -> (String, String) {
    let error = read_all(frames).unwrap_err();
    (error.what().to_owned(), error.path().to_owned())
}

fn what(changes: impl IntoIterator<Item = DataChange>) -> String {
    refused(changes).0
}

fn values(changes: impl IntoIterator<Item = DataChange>) -> Vec<Vec<u8>> {
    let row = read_one(changes.into_iter().map(data)).unwrap();
    row.entries.into_iter().map(|entry| entry.value).collect()
}

#[test]
fn entries_keep_their_order_over_messages() {
    let changes = [
        first([set("f", b"q", b"1"), set("f", b"q", b"2")]),
        more([set("f", b"q", b"3")]),
        ended(more([set("f", b"q", b"4")])),
    ];
    assert_eq!(values(changes), [b"1", b"2", b"3", b"4"]);
}

#[test]
fn a_cell_in_pieces_is_one_entry_between_the_others() {
    let changes = [
        first([set("f", b"a", b"before"), piece(6, 0, false, b"ab")]),
        more([piece(6, 2, false, b"cd")]),
        ended(more([piece(6, 4, true, b"ef"), set("f", b"b", b"after")])),
    ];
    assert_eq!(values(changes), [&b"before"[..], b"abcdef", b"after"]);
}

#[test]
fn a_piece_counts_by_its_value_only() {
    let mut later = piece(4, 2, true, b"cd");
    later.mutation = set("other", b"other", b"cd").mutation;
    let changes = [first([piece(4, 0, false, b"ab")]), ended(more([later]))];
    let row = read_one(changes.map(data)).unwrap();
    assert_eq!((&*row.entries[0].family, row.entries.len()), ("f", 1));
    assert_eq!(row.entries[0].value, b"abcd");
}

#[test]
fn one_cell_may_end_and_the_next_begin_in_one_message() {
    let changes = [
        first([piece(2, 0, false, b"a")]),
        more([piece(2, 1, true, b"b"), piece(3, 0, false, b"cd")]),
        ended(more([piece(3, 2, true, b"e"), piece(1, 0, true, b"f")])),
    ];
    assert_eq!(values(changes), [&b"ab"[..], b"cde", b"f"]);
}

#[test]
fn the_end_may_come_in_a_message_of_its_own() {
    let changes = [first([set("f", b"q", b"1")]), ended(more([]))];
    assert_eq!(values(changes), [b"1"]);
}

#[test]
fn a_mutation_counts_the_bytes_of_all_its_frames() {
    let frames = [
        first([piece(2, 0, false, b"a")]),
        ended(more([piece(2, 1, true, b"b")])),
    ];
    let frames = frames.map(data);
    let mut assembler = Assembler::new(Options::default());
    for frame in &frames {
        assembler.push(frame.clone()).unwrap();
    }
    let Step::Mutation(mark) = assembler.next(&mut MutationBatch::default()).unwrap() else {
        panic!("a mutation");
    };
    assert_eq!(mark.bytes, (frames[0].len() + frames[1].len()) as u64);
}

#[test]
fn pieces_are_contiguous() {
    let gap = [
        first([piece(4, 0, false, b"a")]),
        more([piece(4, 2, false, b"c")]),
    ];
    let again = [
        first([piece(4, 0, false, b"a")]),
        more([piece(4, 0, false, b"a")]),
    ];
    let negative = [
        first([piece(4, 0, false, b"a")]),
        more([piece(4, -1, false, b"a")]),
    ];
    for changes in [gap, again, negative] {
        assert_eq!(
            refused(changes),
            (
                "a chunk that begins where the one before it ended".to_owned(),
                "data_change.chunks[0]".to_owned()
            )
        );
    }
}

#[test]
fn a_piece_that_goes_on_with_no_cell_is_refused() {
    let expected = "the first chunk of a cell";
    assert_eq!(what([first([piece(4, 2, false, b"c")])]), expected);
    let changes = [
        first([piece(2, 0, false, b"a")]),
        more([piece(2, 1, true, b"b"), piece(2, 1, true, b"b")]),
    ];
    assert_eq!(what(changes), expected);
}

#[test]
fn nothing_stands_between_two_pieces() {
    let begin = || first([piece(2, 0, false, b"a")]);
    for between in [set("f", b"q", b"x"), delete_family("f")] {
        let changes = [begin(), more([between, piece(2, 1, true, b"b")])];
        assert_eq!(what(changes), "the next chunk of the open cell");
    }
    let changes = [first([piece(2, 0, false, b"a"), set("f", b"q", b"x")])];
    assert_eq!(
        what(changes),
        "the last chunk of the cell, or the end of the message"
    );
}

#[test]
fn the_size_of_a_cell_is_positive_and_stays() {
    for size in [0, -1, i32::MIN] {
        let changes = [first([piece(size, 0, true, b"")])];
        assert_eq!(what(changes), "a positive chunked_value_size");
    }
    let changes = [
        first([piece(2, 0, false, b"a")]),
        more([piece(3, 1, true, b"b")]),
    ];
    assert_eq!(
        what(changes),
        "the chunked_value_size of the cell's first chunk"
    );
}

#[test]
fn a_cell_has_exactly_the_bytes_of_its_size() {
    let short = [
        first([piece(3, 0, false, b"a")]),
        more([piece(3, 1, true, b"b")]),
    ];
    assert_eq!(what(short), "the whole value with its last chunk");
    let long = [
        first([piece(2, 0, false, b"a")]),
        more([piece(2, 1, true, b"bc")]),
    ];
    assert_eq!(what(long), "no more than chunked_value_size bytes");
    let at_once = [first([piece(2, 0, true, b"abc")])];
    assert_eq!(what(at_once), "no more than chunked_value_size bytes");
}

#[test]
fn a_value_has_a_limit() {
    let changes = [first([piece((256 << 20) + 1, 0, false, b"a")])];
    assert_eq!(what(changes), "a value of at most 256 MiB");
}

#[test]
fn only_cells_come_in_pieces() {
    let mut chunk = piece(2, 0, false, b"a");
    chunk.mutation = delete_family("f").mutation;
    assert_eq!(what([first([chunk])]), "a set_cell, as only it is chunked");
}

#[test]
fn a_mutation_does_not_end_inside_a_cell() {
    let (expected, path) = refused([ended(first([piece(2, 0, false, b"a")]))]);
    assert_eq!(expected, "the rest of the cell before the end");
    assert_eq!(path, "data_change.done");
}

#[test]
fn only_continuations_go_on_with_a_mutation() {
    for kind in [Type::Unspecified, Type::User, Type::GarbageCollection] {
        let other = DataChange {
            r#type: kind.into(),
            ..more([set("f", b"q", b"2")])
        };
        let changes = [first([set("f", b"q", b"1")]), other];
        assert_eq!(what(changes), "CONTINUATION inside a mutation");
    }
}

#[test]
fn a_continuation_has_no_other_row_key() {
    let other = DataChange {
        row_key: Bytes::from_static(b"other"),
        ..more([])
    };
    let changes = [first([set("f", b"q", b"1")]), other];
    assert_eq!(what(changes), "the row key of the first message");
}

#[test]
fn a_mutation_begins_with_its_head() {
    let place = |change| refused([change]).1;
    let whole = || whole([set("f", b"q", b"1")]);
    let without = |change: DataChange, path: &str| {
        assert_eq!(place(change), format!("data_change.{path}"));
    };
    without(
        DataChange {
            row_key: Bytes::new(),
            ..whole()
        },
        "row_key",
    );
    without(
        DataChange {
            commit_timestamp: None,
            ..whole()
        },
        "commit_timestamp",
    );
    without(
        DataChange {
            source_cluster_id: String::new(),
            ..whole()
        },
        "source_cluster_id",
    );
    without(
        DataChange {
            r#type: Type::GarbageCollection.into(),
            ..whole()
        },
        "source_cluster_id",
    );
    without(
        DataChange {
            r#type: Type::Continuation.into(),
            ..whole()
        },
        "type",
    );
    without(
        DataChange {
            r#type: 0,
            ..whole()
        },
        "type",
    );
    without(
        DataChange {
            r#type: 4,
            ..whole()
        },
        "type",
    );
    without(first([]), "chunks");
}

#[test]
fn a_mutation_ends_with_a_token_and_a_low_watermark() {
    let whole = || whole([set("f", b"q", b"1")]);
    let change = DataChange {
        token: String::new(),
        ..whole()
    };
    assert_eq!(refused([change]).1, "data_change.token");
    let change = DataChange {
        estimated_low_watermark: None,
        ..whole()
    };
    assert_eq!(refused([change]).1, "data_change.estimated_low_watermark");
}

#[test]
fn nothing_else_comes_inside_a_mutation() {
    let begin = || data(first([set("f", b"q", b"1")]));
    for (frame, path) in [
        (heartbeat("h", 1), "heartbeat"),
        (close(0, [], []), "close_stream"),
    ] {
        let expected = ("the rest of the mutation".to_owned(), path.to_owned());
        assert_eq!(refused_frames([begin(), frame]), expected);
    }
}

#[test]
fn a_stream_that_ends_inside_a_mutation_is_an_error() {
    let expected = "the rest of the mutation";
    assert_eq!(what([first([set("f", b"q", b"1")])]), expected);
    assert_eq!(what([first([piece(2, 0, false, b"a")])]), expected);
}

#[test]
fn after_an_error_everything_is_refused() {
    let mut assembler = Assembler::new(Options::default());
    let mut batch = MutationBatch::default();
    assembler.push(data(whole([set("f", b"q", b"1")]))).unwrap();
    let error = assembler.push(data(more([]))).unwrap_err();
    assert_eq!(assembler.push(heartbeat("h", 1)), Err(error.clone()));
    assert_eq!(assembler.next(&mut batch), Err(error.clone()));
    assert_eq!(assembler.finish(), Err(error));
    assert!(batch.is_empty());
}

#[test]
fn a_frame_is_one_record_of_a_known_kind() {
    let unknown = "a kind of record that is known; a newer Acequia may be needed";
    assert_eq!(refused_frames([Bytes::new()]).0, unknown);
    // Field 15, a string.
    assert_eq!(
        refused_frames([Bytes::from_static(b"\x7a\x01a")]).0,
        unknown
    );
    let two = [heartbeat("h", 1), heartbeat("h", 2)].concat();
    assert_eq!(refused_frames([Bytes::from(two)]).0, "one record");
    let beside = [&heartbeat("h", 1)[..], b"\x7a\x01a"].concat();
    let read = read_all([Bytes::from(beside)]).unwrap();
    assert!(matches!(&read[..], [Read::Step(Step::Heartbeat { .. })]));
}
