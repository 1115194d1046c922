//! A recorded stream that breaks: at every place, and again from every token.

use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::RowOrigin;
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;

use crate::random::Random;
use crate::soak;
use crate::spanner::frames::encode;
use crate::spanner::rows::drive::{Position, Reader, query, read, table};
use crate::spanner::rows::generate::rows;

/// Frames of one recorded stream.
const FRAMES_MAX: usize = 500;

/// A stream of nearly as many frames as it may have.
fn recorded(seed: u64, is_table: bool) -> Vec<PartialResultSet> {
    let random = &mut Random(seed);
    for size in (8..).step_by(2) {
        let frames = rows(random, size, is_table).cut(random);
        if (FRAMES_MAX / 2..=FRAMES_MAX).contains(&frames.len()) {
            return frames;
        }
    }
    unreachable!("a stream of any length can be made")
}

/// What the service sends when the stream is opened again after a frame.
fn after(frames: &[PartialResultSet], frame: usize) -> Vec<Bytes> {
    let mut rest = frames[frame + 1..].to_vec();
    if let Some(next) = rest.first_mut() {
        next.metadata.clone_from(&frames[0].metadata);
    }
    rest.iter().map(encode).collect()
}

/// The frame that sent the token of a position first, and what is sent after it; all for none.
fn resumed(frames: &[PartialResultSet], position: &Position) -> Vec<Bytes> {
    let Some(token) = &position.token else {
        return frames.iter().map(encode).collect();
    };
    let sent = frames.iter().position(|frame| frame.resume_token == token);
    after(frames, sent.unwrap())
}

/// The stream breaks before frame `cut` and is opened again at its position.
fn broken(origin: &RowOrigin, frames: &[PartialResultSet], cut: usize) -> RowBatch {
    let mut batch = RowBatch::default();
    let mut reader = Reader::new(origin.clone(), &Position::default()).unwrap();
    for frame in &frames[..cut] {
        reader.push(&mut batch, encode(frame)).unwrap();
    }
    let position = reader.position;
    let known = position.start().skip;
    let mut reader = Reader::new(origin.clone(), &position).unwrap();
    for frame in resumed(frames, &position) {
        reader.push(&mut batch, frame).unwrap();
    }
    reader.finish().unwrap();
    assert_eq!(reader.covered, known);
    batch
}

/// Streams whose tokens are each sent once: the one that is sent again and again is left out, since
/// a service that is asked with it could not tell which is meant.
fn with_unique_tokens(mut frames: Vec<PartialResultSet>) -> Vec<PartialResultSet> {
    for frame in &mut frames {
        if frame.resume_token.starts_with(b"again") {
            frame.resume_token.clear();
        }
    }
    frames
}

#[test]
fn wherever_a_stream_breaks_it_gives_the_rows_of_one_that_does_not() {
    for seed in 0..soak::times(2, 50) {
        for (origin, is_table) in [(table(), true), (query(), false)] {
            let frames = with_unique_tokens(recorded(seed, is_table));
            let whole = read(origin.clone(), frames.iter().map(encode)).unwrap();
            assert!(whole.rows() >= 8);
            for cut in 0..=frames.len() {
                assert!(broken(&origin, &frames, cut) == whole, "cut before {cut}");
            }
        }
    }
}

#[test]
fn from_every_token_the_rest_of_the_rows_follows() {
    let (origin, frames) = (query(), with_unique_tokens(recorded(7, false)));
    let whole = read(origin.clone(), frames.iter().map(encode)).unwrap();
    let mut reader = Reader::new(origin.clone(), &Position::default()).unwrap();
    let (mut tokens, mut inside_rows) = (0, 0);
    for (index, frame) in frames.iter().enumerate() {
        reader
            .push(&mut RowBatch::default(), encode(frame))
            .unwrap();
        if frame.resume_token.is_empty() {
            continue;
        }
        let position = reader.position.clone().at_token();
        tokens += 1;
        inside_rows += usize::from(!position.start().carry.is_empty());
        let first = position.start().row as usize;
        let mut rest = RowBatch::default();
        let mut again = Reader::new(origin.clone(), &position).unwrap();
        for frame in after(&frames, index) {
            again.push(&mut rest, frame).unwrap();
        }
        again.finish().unwrap();
        let expected = whole.select(first..whole.rows());
        assert!(rest == expected || (rest.is_empty() && expected.is_empty()));
    }
    assert!(tokens > 20 && inside_rows > 10, "{inside_rows} of {tokens}");
}

#[test]
fn a_stream_that_breaks_again_and_again_gives_each_row_once() {
    let (origin, frames) = (table(), with_unique_tokens(recorded(11, true)));
    let whole = read(origin.clone(), frames.iter().map(encode)).unwrap();
    let random = &mut Random(3);
    let (mut batch, mut position) = (RowBatch::default(), Position::default());
    loop {
        let rest = resumed(&frames, &position);
        let mut reader = Reader::new(origin.clone(), &position).unwrap();
        let cut = random.below(rest.len() + 20);
        for frame in rest.iter().take(cut) {
            reader.push(&mut batch, frame.clone()).unwrap();
        }
        if cut >= rest.len() {
            reader.finish().unwrap();
            break;
        }
        // A stream that broke among the rows that are known has shown nothing new.
        if reader.covered == position.start().skip {
            position = reader.position;
        }
    }
    assert!(batch == whole);
}
