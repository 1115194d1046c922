//! Narrowing a failed call down to the records at fault.

use std::ops::Range;

use acequia_decode::Blobs;
use thiserror::Error;

use super::call::CallError;
use super::deserializer::Deserializer;
use super::failure::{Deserialized, FailureKind, RecordFailure};
use super::instance::Stopped;
use super::limits::TIMEOUTS_PER_BATCH_MAX;
use super::live::StartError;
use crate::batch::Batch;
use crate::sink::Outputs;

/// Why a batch has no result. The run stops: the component is at fault and not a record.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BisectError {
    /// The component does not start again.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Too many calls for one batch ran into their time limit.
    #[error(
        "{TIMEOUTS_PER_BATCH_MAX} calls for one batch had no answer within the time limit: the \
         component is stuck or too slow; raise guest-timeout or lower batch-records-max"
    )]
    Stuck,
}

/// Calls the deserializer on the whole batch, and on halves of what fails. A batch of `n` records
/// takes `2n - 1` calls at most.
pub(super) async fn deserialize_all(
    deserializer: &mut Deserializer,
    batch: &Batch,
) -> Result<Deserialized, BisectError> {
    let failed = match deserializer.deserialize(batch).await {
        Ok(deserialized) => return Ok(deserialized),
        Err(error) => error,
    };
    let mut search = Search::default();
    let mut next = search.failed(0..batch.records(), failed)?;
    while let Some(range) = next {
        let part = batch.select(range.clone());
        next = match deserializer.deserialize(&part).await {
            Ok(deserialized) => search.answered(range.start, deserialized),
            Err(error) => search.failed(range, error)?,
        };
    }
    Ok(search.found)
}

/// What was found so far, and the ranges that are still to be tried: the last one first.
#[derive(Default)]
struct Search {
    found: Deserialized,
    pending: Vec<Range<usize>>,
    timeouts: u32,
}

impl Search {
    /// Takes the result of a range, and gives the next range.
    fn answered(&mut self, start: usize, part: Deserialized) -> Option<Range<usize>> {
        let shift = u32::try_from(start).unwrap_or(u32::MAX);
        let outputs_before = self.found.source.len();
        let shifted = part.source.iter().map(|index| index.saturating_add(shift));
        self.found.source.extend(shifted);
        append(&mut self.found.outputs, outputs_before, &part.outputs);
        let failures = part.failures.into_iter().map(|failure| RecordFailure {
            record: failure.record + start,
            ..failure
        });
        self.found.failures.extend(failures);
        self.pending.pop()
    }

    /// Takes the failure of a range, and gives the next range.
    fn failed(
        &mut self,
        range: Range<usize>,
        error: CallError,
    ) -> Result<Option<Range<usize>>, BisectError> {
        let kind = match &error {
            CallError::Start(error) => return Err(BisectError::Start(error.clone())),
            CallError::Stopped(Stopped::Trap(_)) => FailureKind::Trap,
            CallError::Stopped(Stopped::Timeout { .. }) => FailureKind::Timeout,
            CallError::Stopped(Stopped::Memory { .. }) => FailureKind::Memory,
            CallError::Answer(_) | CallError::Refused(_) | CallError::OtherShape { .. } => {
                FailureKind::Answer
            }
        };
        self.timeouts += u32::from(kind == FailureKind::Timeout);
        if self.timeouts >= TIMEOUTS_PER_BATCH_MAX {
            return Err(BisectError::Stuck);
        }
        if range.len() > 1 {
            let middle = range.start.midpoint(range.end);
            self.pending.push(middle..range.end);
            return Ok(Some(range.start..middle));
        }
        self.found.failures.push(RecordFailure {
            record: range.start,
            kind,
            message: error.to_string(),
        });
        Ok(self.pending.pop())
    }
}

/// Appends the outputs of a part. Topics stand for the configured place until one part names one.
fn append(whole: &mut Outputs, outputs_before: usize, part: &Outputs) {
    push_all(&mut whole.keys, &part.keys);
    push_all(&mut whole.values, &part.values);
    if whole.topics.is_empty() && part.topics.is_empty() {
        return;
    }
    pad(&mut whole.topics, outputs_before);
    push_all(&mut whole.topics, &part.topics);
    pad(&mut whole.topics, whole.values.len());
}

fn push_all(whole: &mut Blobs, part: &Blobs) {
    for value in part.iter() {
        whole.push(value);
    }
}

fn pad(column: &mut Blobs, len: usize) {
    while column.len() < len {
        column.push(b"");
    }
}
