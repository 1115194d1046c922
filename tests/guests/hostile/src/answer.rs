//! Answers, most of them wrong in one place.

use acequia_guest::FailureKind;
use acequia_guest::bindings::plugin::acequia::connector::types::{Blobs, Failure, Texts};
use acequia_guest::glue::Outputs;
use acequia_guest::spanner::Changes;

use crate::mode::Fault;

/// A record is marked by these bytes in one of its new values.
const MARK: &[u8] = b"poison";

pub(crate) fn is_poisoned(batch: &Changes) -> bool {
    let texts = &batch.new_values.texts.bytes;
    texts.windows(MARK.len()).any(|window| window == MARK)
}

/// One output per record, its id, without a key.
pub(crate) fn honest(batch: &Changes) -> Outputs {
    Outputs {
        source: (0..records(batch)).collect(),
        keys: Blobs {
            bytes: Vec::new(),
            ends: vec![0; batch.table.len()],
        },
        values: batch.ids.clone(),
        topics: no_texts(),
        failures: Vec::new(),
    }
}

/// The honest answer with one rule broken.
pub(crate) fn wrong(fault: Fault, batch: &Changes) -> Outputs {
    let mut out = honest(batch);
    match fault {
        Fault::KeysShort => drop(out.keys.ends.pop()),
        Fault::ValuesLong => out.values.ends.push(length(&out.values.bytes)),
        Fault::TopicsLong => out.topics.ends = vec![0; out.source.len() + 1],
        Fault::EndsPast => out.values.ends.iter_mut().for_each(|end| *end += 1),
        Fault::EndsDecrease => {
            // The last end stays right, so that only the order is wrong.
            let end = length(&out.values.bytes) + 1;
            out.values.ends.insert(0, end);
            out.source.insert(0, 0);
            out.keys.ends.insert(0, 0);
        }
        Fault::SourceRange => out
            .source
            .iter_mut()
            .for_each(|index| *index += records(batch)),
        Fault::SourceDecreases => out.source.reverse(),
        Fault::FailureRange => out.failures.push(failure(records(batch), "past the batch")),
        Fault::Both => out.failures = all_failed(batch, "failed, and gave an output"),
        Fault::ByteKeys => {
            let (bytes, ends) = not_utf8(out.source.len());
            out.keys = Blobs { bytes, ends };
        }
        Fault::BadUtf8Values => {
            let (bytes, ends) = not_utf8(out.source.len());
            out.values = Texts { bytes, ends };
        }
        Fault::LongFailure => {
            out = Outputs {
                source: Vec::new(),
                keys: Blobs {
                    bytes: Vec::new(),
                    ends: Vec::new(),
                },
                values: no_texts(),
                topics: no_texts(),
                failures: all_failed(batch, &"long ".repeat(1 << 18)),
            };
        }
    }
    out
}

fn all_failed(batch: &Changes, message: &str) -> Vec<Failure> {
    (0..records(batch))
        .map(|source| failure(source, message))
        .collect()
}

fn failure(source: u32, message: &str) -> Failure {
    Failure {
        source,
        kind: FailureKind::Other,
        message: message.to_owned(),
    }
}

/// The bytes and ends of a column of values of one byte each.
fn not_utf8(count: usize) -> (Vec<u8>, Vec<u32>) {
    (vec![0xff; count], (1..).take(count).collect())
}

fn no_texts() -> Texts {
    Texts {
        bytes: Vec::new(),
        ends: Vec::new(),
    }
}

fn records(batch: &Changes) -> u32 {
    u32::try_from(batch.table.len()).unwrap_or(u32::MAX)
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}
