//! Saved state, seen and moved from outside: `acequia state`.
//!
//! [`SavedState::open`] takes the lock of the store that a configuration names, so the connector
//! must be stopped. Then the state can be [shown](SavedState::table), [exported](SavedState::export)
//! as JSON, and [rewound](SavedState::plan_rewind) to an earlier instant. Nothing here knows what
//! the source is: it works on whatever has a checkpoint.

mod export;
mod rewind;
mod table;
mod tokens;

use std::path::{Path, PathBuf};

use acequia_core::{Checkpoint, CheckpointError, SavedPartition};

pub use self::rewind::{PlanError, Rewind};
pub use self::table::Rows;
use crate::chain::chain;
use crate::checkpoint_store::{CheckpointStore, StoreError};
use crate::config::{self, Config, Problems, Rejected};
use crate::run::places;

/// Why there is no saved state to work on.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The configuration is wrong: exit code 2.
    #[error("{0}")]
    Config(#[from] Problems),
    /// The configuration keeps no state.
    #[error("the configuration says checkpoint: none, so no state is kept")]
    NotKept,
    /// Nothing was saved yet.
    #[error("{}: there is no saved state; the first run of {connector} makes it", directory.display())]
    Missing {
        /// Where it would be.
        directory: PathBuf,
        /// Whose it would be.
        connector: String,
    },
    /// The store failed, or somebody else has it open.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store holds something else than a checkpoint.
    #[error("{}: {source}", directory.display())]
    Checkpoint {
        /// Where it is.
        directory: PathBuf,
        /// What is wrong with it.
        source: CheckpointError,
    },
    /// The state has no JSON.
    #[error("the state cannot be exported")]
    Export(#[source] serde_json::Error),
}

impl StateError {
    /// 2 for a wrong configuration, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Config(_) => 2,
            Self::NotKept
            | Self::Missing { .. }
            | Self::Store(_)
            | Self::Checkpoint { .. }
            | Self::Export(_) => 1,
        }
    }

    /// The error and its causes, on one line or, for a configuration, one line per problem.
    pub fn text(&self) -> String {
        chain(self)
    }
}

/// The saved state of a connector that is stopped. Nobody else can open it for as long as this lives.
pub struct SavedState {
    config: Config,
    directory: PathBuf,
    store: Box<dyn CheckpointStore>,
    checkpoint: Checkpoint,
    /// The length of the encoded checkpoint.
    bytes: usize,
}

impl SavedState {
    /// Opens the state that the configuration file at `path` names. Where there is none, nothing is
    /// made.
    ///
    /// # Errors
    /// A configuration that is wrong or keeps no state; a store that a running connector has open;
    /// state that is missing, damaged or of a later program.
    pub async fn open(path: &Path) -> Result<Self, StateError> {
        let config = config::load(path).map_err(|Rejected { problems, .. }| problems)?;
        let config::CheckpointStore::File { directory } = &config.checkpoint else {
            return Err(StateError::NotKept);
        };
        let directory = directory.clone();
        let missing = || StateError::Missing {
            directory: directory.clone(),
            connector: config.meta.name.clone(),
        };
        if !directory.exists() {
            return Err(missing());
        }
        let mut store = places::store(&config)?.ok_or(StateError::NotKept)?;
        let stored = store.load().await?.ok_or_else(missing)?;
        let checkpoint =
            Checkpoint::decode(&stored.bytes).map_err(|source| StateError::Checkpoint {
                directory: directory.clone(),
                source,
            })?;
        Ok(Self {
            config,
            directory,
            store,
            checkpoint,
            bytes: stored.bytes.len(),
        })
    }

    /// What is saved.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }
}

/// The word for a partition that is read up to the end position, and kept in case that is moved.
const AT_THE_END: &str = "read";

/// What an unfinished partition was doing when the connector stopped, in a word.
fn word(partition: &SavedPartition) -> &'static str {
    if partition.read_to.is_some() {
        AT_THE_END
    } else if !partition.after.is_empty() {
        "waiting"
    } else if partition.opened {
        "begun"
    } else {
        "unopened"
    }
}
