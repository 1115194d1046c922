//! What became of a batch in a unit test of a guest. The batches are made in
//! [`spanner::testing`](crate::spanner::testing), [`bigtable::testing`](crate::bigtable::testing) and
//! [`rows::testing`](crate::rows::testing).

use crate::bindings::plugin::acequia::connector::types::{Blobs, Outputs, Texts};
use crate::columns::range;
use crate::output::Failure;

/// What became of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An output: the index of its record, its topic, key and value.
    Output(u32, String, Vec<u8>, String),
    /// A failure: the index of its record, and why.
    Failed(u32, Failure),
}

/// Outputs first, then failures.
pub(crate) fn outcomes(outputs: &Outputs) -> Vec<Outcome> {
    let text = |column: &Texts, index| {
        String::from_utf8_lossy(value(&column.bytes, &column.ends, index)).into_owned()
    };
    let written = outputs.source.iter().enumerate().map(|(index, &source)| {
        let keys = &outputs.keys;
        Outcome::Output(
            source,
            text(&outputs.topics, index),
            value(&keys.bytes, &keys.ends, index).to_vec(),
            text(&outputs.values, index),
        )
    });
    let failed = outputs.failures.iter().map(|failure| {
        Outcome::Failed(
            failure.source,
            Failure {
                kind: failure.kind,
                message: failure.message.clone(),
            },
        )
    });
    written.chain(failed).collect()
}

pub(crate) fn push_text(texts: &mut Texts, text: &str) {
    texts.bytes.extend_from_slice(text.as_bytes());
    texts.ends.push(count(texts.bytes.len()));
}

pub(crate) fn push_blob(blobs: &mut Blobs, value: &[u8]) {
    blobs.bytes.extend_from_slice(value);
    blobs.ends.push(count(blobs.bytes.len()));
}

pub(crate) fn empty_texts() -> Texts {
    Texts {
        bytes: Vec::new(),
        ends: Vec::new(),
    }
}

pub(crate) fn empty_blobs() -> Blobs {
    Blobs {
        bytes: Vec::new(),
        ends: Vec::new(),
    }
}

pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn value<'a>(bytes: &'a [u8], ends: &[u32], index: usize) -> &'a [u8] {
    let (start, end) = range(ends, index);
    bytes.get(start..end).unwrap_or_default()
}
