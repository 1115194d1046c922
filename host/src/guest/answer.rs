//! Whether a component's answer keeps the rules of `wit/`. Nothing is guessed at.

use acequia_decode::{BadColumn, Blobs, Texts};
use thiserror::Error;

use super::bindings::acequia::connector::types;
use super::failure::{Deserialized, FailureKind, RecordFailure};
use super::limits::ERROR_MESSAGE_BYTES_MAX;
use super::message::clip;
use crate::sink::Outputs;

/// The first rule that an answer breaks.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AnswerError {
    /// A list has another length than the one it goes with.
    #[error("{list} has {found} entries instead of {expected}")]
    Length {
        /// The list.
        list: &'static str,
        /// Its length.
        found: usize,
        /// The length that it should have.
        expected: usize,
    },
    /// A column of texts or byte strings is none.
    #[error("{list}: {reason}")]
    Column {
        /// The column.
        list: &'static str,
        /// What is wrong with it.
        reason: BadColumn,
    },
    /// An index points past the batch.
    #[error("{list}[{index}] is {found}, and the batch has {records} records")]
    Range {
        /// The list.
        list: &'static str,
        /// Where in the list.
        index: usize,
        /// The index that was given.
        found: u32,
        /// How many records there are.
        records: usize,
    },
    /// Indices that must ascend do not.
    #[error("{list}[{index}] is out of order")]
    Order {
        /// The list.
        list: &'static str,
        /// Where in the list.
        index: usize,
    },
    /// A record gave outputs and failed.
    #[error("record {record} both has outputs and failed")]
    Both {
        /// The record.
        record: u32,
    },
    /// A verdict is neither yes nor no.
    #[error("keep[{index}] is {found}; it must be 0 or 1")]
    Verdict {
        /// The record.
        index: usize,
        /// What was given.
        found: u8,
    },
}

/// Checks what a deserializer made of `records` records.
pub(super) fn outputs(answer: types::Outputs, records: usize) -> Result<Deserialized, AnswerError> {
    ascending("source", &answer.source, records, |before, index| {
        before <= index
    })?;
    let outputs = answer.source.len();
    let keys = blobs("keys", answer.keys, outputs)?;
    let values = texts("values", answer.values, outputs)?;
    // A column without any entry stands for the configured place.
    let topic_count = if answer.topics.ends.is_empty() {
        0
    } else {
        outputs
    };
    let topics = texts("topics", answer.topics, topic_count)?;
    let failed: Vec<u32> = answer
        .failures
        .iter()
        .map(|failure| failure.source)
        .collect();
    ascending("failures", &failed, records, |before, index| before < index)?;
    disjoint(&answer.source, &failed)?;
    let failures = answer.failures.into_iter().map(failure).collect();
    Ok(Deserialized {
        source: answer.source,
        outputs: Outputs {
            keys,
            values,
            topics,
        },
        failures,
    })
}

/// Checks the verdicts of a record filter on `records` records.
pub(super) fn verdicts(answer: &[u8], records: usize) -> Result<Vec<bool>, AnswerError> {
    length("keep", answer.len(), records)?;
    let verdict = |(index, &found): (usize, &u8)| match found {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(AnswerError::Verdict { index, found }),
    };
    answer.iter().enumerate().map(verdict).collect()
}

/// Checks that a list has one entry per thing that was asked about.
pub(super) fn length(list: &'static str, found: usize, expected: usize) -> Result<(), AnswerError> {
    if found == expected {
        Ok(())
    } else {
        Err(AnswerError::Length {
            list,
            found,
            expected,
        })
    }
}

fn texts(
    list: &'static str,
    column: types::TextsResult,
    expected: usize,
) -> Result<Texts, AnswerError> {
    length(list, column.ends.len(), expected)?;
    Texts::from_parts(column.bytes, column.ends)
        .map_err(|reason| AnswerError::Column { list, reason })
}

fn blobs(
    list: &'static str,
    column: types::BlobsResult,
    expected: usize,
) -> Result<Blobs, AnswerError> {
    length(list, column.ends.len(), expected)?;
    Blobs::from_parts(column.bytes, column.ends)
        .map_err(|reason| AnswerError::Column { list, reason })
}

fn ascending(
    list: &'static str,
    indices: &[u32],
    records: usize,
    in_order: fn(u32, u32) -> bool,
) -> Result<(), AnswerError> {
    let mut before = None;
    for (index, &found) in indices.iter().enumerate() {
        if found as usize >= records {
            return Err(AnswerError::Range {
                list,
                index,
                found,
                records,
            });
        }
        if before.is_some_and(|before| !in_order(before, found)) {
            return Err(AnswerError::Order { list, index });
        }
        before = Some(found);
    }
    Ok(())
}

/// Both lists ascend.
fn disjoint(source: &[u32], failed: &[u32]) -> Result<(), AnswerError> {
    let both = failed
        .iter()
        .find(|record| source.binary_search(record).is_ok());
    both.map_or(Ok(()), |&record| Err(AnswerError::Both { record }))
}

fn failure(failure: types::Failure) -> RecordFailure {
    let kind = match failure.kind {
        types::FailureKind::Malformed => FailureKind::Malformed,
        types::FailureKind::Unsupported => FailureKind::Unsupported,
        types::FailureKind::Other => FailureKind::Other,
    };
    let message = clip(&failure.message, ERROR_MESSAGE_BYTES_MAX);
    RecordFailure {
        record: failure.source as usize,
        kind,
        message,
    }
}
