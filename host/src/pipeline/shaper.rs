//! Runs the guests over a batch and applies the failure policy.

use std::collections::BTreeMap;

use tracing::warn;

use super::dead_letter::{dead_letter, id};
use super::{Counts, Origin, Shaped, Work};
use crate::batch::Batch;
use crate::chain::chain;
use crate::config::OnFailure;
use crate::guest::{Control, Deserialized, Deserializer, RecordFailure, RecordFilter};
use crate::recording::WriteError;
use crate::sink::{OutputBatch, SinkState};

/// Why a batch cannot be shaped: the run stops.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShapeError {
    /// A guest failed as a whole, not on a record.
    #[error("{component}: {cause}")]
    Guest { component: String, cause: String },
    /// A record failed, and the policy is to stop.
    #[error("{component} failed on record {id}: {kind}: {message} (on-failure: fail)")]
    Record {
        component: String,
        id: String,
        kind: String,
        message: String,
    },
    /// It cannot be recorded.
    #[error(transparent)]
    Recording(#[from] WriteError),
}

/// The guests of one lane. Guests keep no state, so any number of lanes give the same outputs.
pub(crate) struct Shaper {
    pub(crate) filter: Option<RecordFilter>,
    pub(crate) deserializer: Deserializer,
    pub(crate) on_failure: OnFailure,
}

impl Shaper {
    /// Shapes one piece of work.
    ///
    /// # Errors
    ///
    /// A guest failed in a way that the policy does not allow to go on from.
    pub(crate) async fn shape(&mut self, work: Work) -> Result<Shaped, ShapeError> {
        match work {
            Work::Control { event, cut } => self.control(&event, cut).await,
            Work::Batch {
                reader,
                last,
                batch,
            } => {
                let origin = Origin::Records(reader, last);
                self.batch(origin, batch).await
            }
        }
    }

    async fn batch(&mut self, origin: Origin, batch: Box<Batch>) -> Result<Shaped, ShapeError> {
        let before = batch.records();
        let batch = self.filter(batch).await?;
        let mut counts = Counts {
            filtered: count(before - batch.records()),
            ..Counts::default()
        };
        if batch.is_empty() {
            return Ok(Shaped {
                origin,
                outputs: OutputBatch::default(),
                counts,
            });
        }
        let Deserialized {
            outputs, failures, ..
        } = self
            .deserializer
            .deserialize_all(&batch)
            .await
            .map_err(|error| self.guest_error(&error))?;
        counts.outputs = count(outputs.values.len());
        let dead_letters = self.failed(&batch, failures, &mut counts)?;
        let outputs = OutputBatch {
            outputs,
            dead_letters,
        };
        Ok(Shaped {
            origin,
            outputs,
            counts,
        })
    }

    async fn filter(&mut self, batch: Box<Batch>) -> Result<Box<Batch>, ShapeError> {
        let Some(filter) = &mut self.filter else {
            return Ok(batch);
        };
        let keep = filter
            .keep(&batch)
            .await
            .map_err(|error| ShapeError::Guest {
                component: filter.about().name.clone(),
                cause: chain(&error),
            })?;
        Ok(if keep.iter().all(|keep| *keep) {
            batch
        } else {
            let kept = keep.iter().enumerate().filter(|(_, keep)| **keep);
            Box::new(batch.select(kept.map(|(index, _)| index)))
        })
    }

    /// Applies the policy to the records that failed.
    fn failed(
        &self,
        batch: &Batch,
        failures: Vec<RecordFailure>,
        counts: &mut Counts,
    ) -> Result<Vec<crate::sink::DeadLetter>, ShapeError> {
        let mut dead_letters = Vec::new();
        let mut by_message: BTreeMap<(String, String), u64> = BTreeMap::new();
        for failure in failures {
            let component = self.deserializer.about().name.as_str();
            match self.on_failure {
                OnFailure::Fail => {
                    return Err(ShapeError::Record {
                        component: component.to_owned(),
                        id: id(batch, failure.record),
                        kind: failure.kind.to_string(),
                        message: failure.message,
                    });
                }
                OnFailure::Skip => {
                    counts.skipped += 1;
                    *by_message
                        .entry((failure.kind.to_string(), failure.message))
                        .or_default() += 1;
                }
                OnFailure::DeadLetter => {
                    counts.dead_letters += 1;
                    dead_letters.push(dead_letter(batch, component, &failure));
                }
            }
        }
        for ((kind, message), records) in by_message {
            warn!(
                component = self.deserializer.about().name.as_str(),
                records, kind, message, "records skipped"
            );
        }
        Ok(dead_letters)
    }

    async fn control(
        &mut self,
        event: &Control,
        cut: Option<SinkState>,
    ) -> Result<Shaped, ShapeError> {
        let outputs = self
            .deserializer
            .control(event)
            .await
            .map_err(|error| self.guest_error(&error))?;
        Ok(Shaped {
            origin: Origin::Control { cut },
            counts: Counts {
                outputs: count(outputs.values.len()),
                ..Counts::default()
            },
            outputs: OutputBatch {
                outputs,
                dead_letters: Vec::new(),
            },
        })
    }

    fn guest_error(&self, error: &dyn std::error::Error) -> ShapeError {
        ShapeError::Guest {
            component: self.deserializer.about().name.as_str().to_owned(),
            cause: chain(error),
        }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
