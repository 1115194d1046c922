//! Going back: what is saved when everything from an earlier instant on is to be read again.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{Checkpoint, SavedPartition};
use crate::id::PartitionId;
use crate::resume::one_tick_before;

/// Why a checkpoint cannot go to an instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewindError {
    /// Not everything before the instant is delivered.
    #[error(
        "{at} is after the watermark {watermark}, and what was committed between them would never \
         be read; rewind to the watermark or to an earlier instant"
    )]
    Skips {
        /// The instant that was asked for.
        at: Timestamp,
        /// Everything up to and including it is delivered.
        watermark: Timestamp,
    },
    /// A snapshot is being read, which is of one instant.
    #[error(
        "a snapshot is being read, which is of one instant; let it end, or use existing-state: new to \
         read another"
    )]
    OfSnapshot,
}

impl Checkpoint {
    /// The checkpoint from which everything from `at` on, inclusive, is read again.
    ///
    /// Identity and sink state stay: the sink keeps what it has, and what is read again follows it.
    /// The generation is the next one. The ledger is a single root query at `at`, as after an
    /// expiry: a partition that lives now may not have lived then, and one that lived then may be
    /// forgotten, so no position of the old ledger can be moved back.
    ///
    /// # Errors
    /// [`RewindError::Skips`] for an instant after the watermark, and [`RewindError::OfSnapshot`] while
    /// a snapshot is read.
    pub fn rewound(&self, at: Timestamp) -> Result<Self, RewindError> {
        if self.is_of_snapshot() {
            return Err(RewindError::OfSnapshot);
        }
        if at > self.watermark {
            return Err(RewindError::Skips {
                at,
                watermark: self.watermark,
            });
        }
        let root = SavedPartition::found(at, BTreeSet::new());
        Ok(Self {
            identity: self.identity.clone(),
            generation: self.generation.next(),
            watermark: one_tick_before(at),
            sink_state: self.sink_state.clone(),
            partitions: BTreeMap::from([(PartitionId::root(), root)]),
            tombstones: BTreeMap::new(),
            named: self.named,
            before_snapshot: None,
        })
    }
}
