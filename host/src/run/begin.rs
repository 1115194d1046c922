//! Whether a run goes on from saved state or starts afresh.

use std::collections::BTreeMap;

use acequia_core::{Checkpoint, CheckpointError};

use crate::checkpoint_store::{CheckpointStore, StoreError};
use crate::config::{Config, ExistingState};

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
}

/// How a run begins.
pub(super) enum Begin {
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
    let Some(store) = store else {
        return Ok(Begin::Fresh { identity });
    };
    // Thrown away only when the new state is about to be saved.
    if config.existing_state == ExistingState::New {
        return Ok(Begin::Fresh { identity });
    }
    let Some(stored) = store.load().await? else {
        return match config.existing_state {
            ExistingState::ResumeOrFail => Err(BeginError::Missing),
            ExistingState::ResumeOrNew | ExistingState::FailIfExists | ExistingState::New => {
                Ok(Begin::Fresh { identity })
            }
        };
    };
    let checkpoint = Checkpoint::decode(&stored.bytes)?;
    if config.existing_state == ExistingState::FailIfExists {
        return Err(BeginError::Exists {
            generation: checkpoint.generation.get(),
            watermark: checkpoint.watermark,
        });
    }
    same(&checkpoint.identity, &identity)?;
    Ok(Begin::Resume(Box::new(checkpoint)))
}

fn same(
    saved: &BTreeMap<String, String>,
    configured: &BTreeMap<String, String>,
) -> Result<(), BeginError> {
    let absent = || "(none)".to_owned();
    for what in saved.keys().chain(configured.keys()) {
        let (of_saved, of_config) = (saved.get(what), configured.get(what));
        if of_saved != of_config {
            return Err(BeginError::Mismatch {
                what: what.clone(),
                saved: of_saved.cloned().unwrap_or_else(absent),
                configured: of_config.cloned().unwrap_or_else(absent),
            });
        }
    }
    Ok(())
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
    fn a_part_that_only_one_side_knows_is_a_mismatch() {
        let saved = identity(&[("sink", "file"), ("topic", "orders")]);
        let configured = identity(&[("sink", "file")]);
        assert!(same(&saved, &configured).is_err());
        assert!(same(&configured, &saved).is_err());
        assert!(same(&saved, &saved).is_ok());
    }
}
