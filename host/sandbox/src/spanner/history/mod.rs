//! What a stream holds: partitions, how they follow one another, and their records.
//!
//! A history is written out ([`History::starting_at`]), drawn from a seed ([`History::random`]) or
//! grows while the sandbox runs ([`History::live`]); a [`Flood`] is for measurements. In every other case [`History::committed`] (or
//! [`crate::spanner::Sandbox::committed`]) is the ground truth: every row change, once.

mod assembly;
mod builder;
mod capture;
mod change;
mod flood;
mod grower;
mod live;
mod random;
mod rows;
pub mod shop;
mod truth;

use std::collections::BTreeMap;

use jiff::Timestamp;

pub use crate::growth::Pace;
pub use builder::{BuildError, Builder, Commit};
pub use capture::RowChange;
pub use change::{
    Child, Column, DataChange, End, Entry, Mod, ModType, Partition, Row, Table, ValueCapture,
};
pub use flood::Flood;
pub(crate) use grower::Grower;
pub use live::Live;
pub use random::Size;
pub use truth::Committed;
pub(crate) use truth::committed;

/// Everything that a stream holds, or how it comes to hold it.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) recorded: Recorded,
    pub(crate) growth: Option<Growth>,
    pub(crate) flood: Option<Flood>,
}

/// A history that grows while the sandbox runs.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    pub(crate) seed: u64,
    pub(crate) live: Live,
}

/// The partitions of a stream since its creation.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) created: Timestamp,
    pub(crate) capture: ValueCapture,
    pub(crate) partitions: BTreeMap<String, Partition>,
    pub(crate) mutable: bool,
    transactions: u64,
}

impl Recorded {
    pub(crate) fn new(created: Timestamp, capture: ValueCapture) -> Self {
        Self {
            created,
            capture,
            partitions: BTreeMap::new(),
            mutable: false,
            transactions: 0,
        }
    }
}

impl History {
    /// Begins a history whose stream is created at `created`.
    #[must_use]
    pub fn starting_at(created: Timestamp) -> Builder {
        Builder::new(created)
    }

    /// A history drawn from `seed`; the same seed and size give the same history.
    #[must_use]
    pub fn random(seed: u64, size: &Size) -> Self {
        Self {
            recorded: random::draw(seed, size),
            growth: None,
            flood: None,
        }
    }

    /// A history that begins when the sandbox starts and grows from then on.
    #[must_use]
    pub fn live(seed: u64, live: Live) -> Self {
        let recorded = Recorded::new(Timestamp::UNIX_EPOCH, live.capture.clone());
        Self {
            recorded,
            growth: Some(Growth { seed, live }),
            flood: None,
        }
    }

    /// Every committed row change, by commit timestamp, transaction and sequence. Empty for a
    /// history that has yet to grow.
    #[must_use]
    pub fn committed(&self) -> Vec<Committed> {
        truth::committed(self.recorded.partitions.values())
    }

    /// The partitions by token.
    #[must_use]
    pub fn partitions(&self) -> &BTreeMap<String, Partition> {
        &self.recorded.partitions
    }

    /// When the stream was created: nothing earlier can be read.
    #[must_use]
    pub fn created(&self) -> Timestamp {
        self.recorded.created
    }
}
