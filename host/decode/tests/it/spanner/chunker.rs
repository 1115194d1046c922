//! Cuts values into chunks as the service does, by the rules of `PartialResultSet.chunked_value`.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, Type,
};
use prost_types::Value;
use prost_types::value::Kind;

use crate::random::Random;
use crate::spanner::frames::{list, metadata, text};

/// The rows of one column in frames that end anywhere, with what a service may put between.
pub(crate) fn cut(random: &mut Random, column: &Type, rows: &[Value]) -> Vec<PartialResultSet> {
    cut_values(random, &metadata(column.clone()), rows)
}

/// The same for the values of any rows.
pub(crate) fn cut_values(
    random: &mut Random,
    metadata: &ResultSetMetadata,
    values: &[Value],
) -> Vec<PartialResultSet> {
    let mut frames = vec![PartialResultSet {
        metadata: Some(metadata.clone()),
        ..PartialResultSet::default()
    }];
    for value in values {
        let mut rest = value.clone();
        while random.once_in(2) {
            let Some((head, tail)) = split(random, &rest) else {
                break;
            };
            rest = tail;
            let frame = frames.last_mut().unwrap();
            frame.values.push(head);
            frame.chunked_value = true;
            frames.push(PartialResultSet::default());
            between(random, metadata, &mut frames);
        }
        frames.last_mut().unwrap().values.push(rest);
        if random.once_in(3) {
            frames.push(PartialResultSet::default());
            between(random, metadata, &mut frames);
        }
    }
    frames
}

/// What changes nothing: a token, metadata again, a frame without a value.
fn between(random: &mut Random, metadata: &ResultSetMetadata, frames: &mut Vec<PartialResultSet>) {
    if random.once_in(4) {
        frames.last_mut().unwrap().metadata = Some(metadata.clone());
    }
    if random.once_in(4) {
        frames.last_mut().unwrap().resume_token = bytes::Bytes::from_static(b"token");
    }
    if random.once_in(5) {
        frames.push(PartialResultSet::default());
    }
}

/// A value in two. A cut between two elements leaves an empty string or list to be merged where
/// the merge would otherwise join what is apart.
fn split(random: &mut Random, value: &Value) -> Option<(Value, Value)> {
    match value.kind.as_ref()? {
        Kind::StringValue(whole) => {
            let cuts: Vec<_> = whole.char_indices().map(|(at, _)| at).collect();
            let at = match cuts.as_slice() {
                [] => 0,
                cuts => cuts[random.below(cuts.len())],
            };
            let (head, tail) = whole.split_at(at);
            Some((text(head), text(tail)))
        }
        Kind::ListValue(whole) => {
            let values = &whole.values;
            if values.is_empty() {
                return Some((value.clone(), list([])));
            }
            let at = random.below(values.len());
            let (before, after) = (&values[..at], &values[at + 1..]);
            let (head, tail) = match split(random, &values[at]) {
                Some((head, tail)) => (Some(head), Some(tail)),
                // What is never split goes to the second frame, unless it would be merged there.
                None => (None, Some(values[at].clone())),
            };
            let head = before.iter().cloned().chain(head);
            let tail = tail.into_iter().chain(after.iter().cloned());
            Some((list(head), list(tail)))
        }
        Kind::NullValue(_) | Kind::NumberValue(_) | Kind::BoolValue(_) | Kind::StructValue(_) => {
            None
        }
    }
}
