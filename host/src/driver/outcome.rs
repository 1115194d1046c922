//! How a run ends.

use std::time::Duration;

use acequia_core::{Abort, CheckpointError, Stats, Timestamp};

use crate::pipeline::Counts;
use crate::source::Dropped;

/// A run that ended well.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// Everything up to the end is read, durable and saved.
    Finished,
    /// It was asked to stop; all that had been read is durable and saved.
    Drained,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scheduler gave up.
    #[error(transparent)]
    Abort(#[from] Abort),
    /// A checkpoint cannot be encoded.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A position is older than the retention.
    #[error(
        "partition {partition} has expired: changes after {lost_from} are lost ({cause}); set \
         resume-fallback to go on from another position and write a gap record"
    )]
    Expired {
        /// The partition.
        partition: String,
        /// The last position that was read.
        lost_from: Timestamp,
        /// What the service said.
        cause: String,
    },
    /// The instant of a snapshot is older than the versions that the database keeps.
    #[error(
        "the snapshot of {at} can no longer be read ({cause}): the database keeps versions of rows for \
         its version_retention_period; raise that with ALTER DATABASE, or make the read faster, or set \
         on-expiry: begin-anew to read everything at a newer instant"
    )]
    Outdated {
        /// The instant.
        at: Timestamp,
        /// What the service said.
        cause: String,
    },
    /// Nothing can be read after an expiry either.
    #[error(transparent)]
    Fallback(#[from] crate::source::FallbackError),
    /// A drain took too long. What was saved is good; a restart goes on from there.
    #[error("not drained within {0:?}; a restart goes on from the last checkpoint")]
    DrainTimeout(Duration),
    /// A second signal.
    #[error("interrupted; a restart goes on from the last checkpoint")]
    Interrupted,
    /// A task of ours broke off.
    #[error("a task broke off: {0}")]
    Task(String),
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Records that entered the pipeline or were filtered to nothing.
    pub records: u64,
    /// Their bytes, as they wait for the sink.
    pub bytes: u64,
    /// What reading left out.
    pub dropped: Dropped,
    /// What shaping made.
    pub(crate) shaped: Counts,
    /// Checkpoints saved.
    pub saves: u64,
    /// What the scheduler counted.
    pub scheduler: Stats,
}

impl Tally {
    /// Outputs that are durable.
    pub fn outputs(&self) -> u64 {
        self.shaped.outputs
    }

    /// Records that a record filter removed.
    pub fn filtered(&self) -> u64 {
        self.shaped.filtered
    }

    /// Records skipped by policy.
    pub fn skipped(&self) -> u64 {
        self.shaped.skipped
    }

    /// Records kept as dead letters.
    pub fn dead_letters(&self) -> u64 {
        self.shaped.dead_letters
    }
}
