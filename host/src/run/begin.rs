//! Whether a run goes on from saved state or starts afresh.

use std::collections::BTreeMap;

use acequia_core::{Checkpoint, CheckpointError};

use crate::checkpoint_store::{CheckpointStore, StoreError, Stored};
use crate::config::{self, Config, ExistingState};

/// Why the saved state, or its absence, stops a run.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The saved checkpoint cannot be decoded.
    #[error("the saved checkpoint cannot be used: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// There is none, and the configuration asks for one.
    #[error(
        "existing-state is resume-or-fail and there is no saved checkpoint; if this is the first \
         run, use resume-or-new"
    )]
    Missing,
    /// There is one, and the configuration asks for none.
    #[error(
        "existing-state is fail-if-exists and there is a saved checkpoint (generation {generation}, \
         watermark {watermark}); use resume-or-new to go on from it, or new to throw it away"
    )]
    Exists {
        /// Its number.
        generation: u64,
        /// How far it is.
        watermark: jiff::Timestamp,
    },
    /// It belongs to something else.
    #[error(
        "the saved checkpoint belongs to {what} {saved} and the configuration says {configured}; \
         use another checkpoint directory, or existing-state: new to throw the state away"
    )]
    Mismatch {
        /// Which part differs.
        what: String,
        /// As saved.
        saved: String,
        /// As configured.
        configured: String,
    },
    /// Some partitions may be done with because they reached an end that has been moved.
    #[error(
        "the saved checkpoint was read up to end-position {saved} and is not finished, and the \
         configuration says {configured}; finish it with the saved end-position, then move it"
    )]
    EndMoved {
        /// As saved.
        saved: String,
        /// As configured.
        configured: String,
    },
}

/// The part of the identity that says up to where a checkpoint was read. It may change where nothing
/// has ended for it, and where everything has.
const END: &str = "end-position";

/// How a run begins.
pub(crate) enum Begin {
    /// From a checkpoint of the same identity.
    Resume(Box<Checkpoint>),
    /// With nothing.
    Fresh { identity: BTreeMap<String, String> },
}

pub(super) async fn begin(
    store: Option<&mut (dyn CheckpointStore + 'static)>,
    config: &Config,
    identity: BTreeMap<String, String>,
) -> Result<Begin, BeginError> {
    let stored = match store {
        // Thrown away only when the new state is about to be saved.
        Some(store) if config.existing_state != ExistingState::New => store.load().await?,
        Some(_) | None => None,
    };
    decide(stored.as_ref(), config, identity)
}

/// How a run begins that finds this saved.
pub(crate) fn decide(
    stored: Option<&Stored>,
    config: &Config,
    mut identity: BTreeMap<String, String>,
) -> Result<Begin, BeginError> {
    let end = config.source.end();
    identity.extend(end.map(|end| (END.to_owned(), end.to_string())));
    let keeps_none = config.checkpoint == config::CheckpointStore::None;
    if keeps_none || config.existing_state == ExistingState::New {
        return Ok(Begin::Fresh { identity });
    }
    let Some(stored) = stored else {
        return match config.existing_state {
            ExistingState::ResumeOrFail => Err(BeginError::Missing),
            ExistingState::ResumeOrNew | ExistingState::FailIfExists | ExistingState::New => {
                Ok(Begin::Fresh { identity })
            }
        };
    };
    let mut checkpoint = Checkpoint::decode(&stored.bytes)?;
    if config.existing_state == ExistingState::FailIfExists {
        return Err(BeginError::Exists {
            generation: checkpoint.generation.get(),
            watermark: checkpoint.watermark,
        });
    }
    same(&checkpoint.identity, &identity)?;
    if !checkpoint.bound_may_move() {
        end_may_change(&checkpoint.identity, &identity)?;
    }
    checkpoint.identity = identity;
    Ok(Begin::Resume(Box::new(checkpoint)))
}

fn same(
    saved: &BTreeMap<String, String>,
    configured: &BTreeMap<String, String>,
) -> Result<(), BeginError> {
    for what in saved.keys().chain(configured.keys()) {
        if what == END {
            continue;
        }
        let (of_saved, of_config) = (saved.get(what), configured.get(what));
        if of_saved != of_config {
            return Err(BeginError::Mismatch {
                what: what.clone(),
                saved: named(of_saved),
                configured: named(of_config),
            });
        }
    }
    Ok(())
}

/// A partition that reached the end is no longer in the checkpoint, so it would be skipped in
/// silence.
fn end_may_change(
    saved: &BTreeMap<String, String>,
    configured: &BTreeMap<String, String>,
) -> Result<(), BeginError> {
    match (saved.get(END), configured.get(END)) {
        (Some(of_saved), of_config) if of_config != Some(of_saved) => Err(BeginError::EndMoved {
            saved: of_saved.clone(),
            configured: named(of_config),
        }),
        (Some(_) | None, _) => Ok(()),
    }
}

fn named(value: Option<&String>) -> String {
    value.cloned().unwrap_or_else(|| "(none)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn a_checkpoint_of_another_stream_is_refused_with_both_names() {
        let saved = identity(&[("change-stream", "Orders")]);
        let configured = identity(&[("change-stream", "Customers")]);
        let error = same(&saved, &configured).unwrap_err().to_string();
        assert!(
            error.contains("Orders") && error.contains("Customers"),
            "{error}"
        );
    }

    #[test]
    fn an_end_may_be_set_later_and_not_moved_before_it_is_reached() {
        let (none, early) = (identity(&[]), identity(&[(END, "1")]));
        let late = identity(&[(END, "2")]);
        assert!(same(&none, &early).is_ok() && same(&early, &late).is_ok());
        assert!(end_may_change(&none, &early).is_ok());
        assert!(end_may_change(&early, &early).is_ok());
        assert!(end_may_change(&early, &none).is_err());
        let error = end_may_change(&early, &late).unwrap_err().to_string();
        assert!(
            error.contains("end-position 1") && error.contains("says 2"),
            "{error}"
        );
    }

    #[test]
    fn a_part_that_only_one_side_knows_is_a_mismatch() {
        let saved = identity(&[("sink", "file"), ("topic", "orders")]);
        let configured = identity(&[("sink", "file")]);
        assert!(same(&saved, &configured).is_err());
        assert!(same(&configured, &saved).is_err());
        assert!(same(&saved, &saved).is_ok());
    }
}
