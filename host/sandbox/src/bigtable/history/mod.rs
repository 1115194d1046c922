//! What a table's change stream holds: a log of row mutations, and how the key space is divided into
//! partitions as time goes on.
//!
//! A history is written out ([`History::starting_at`]), drawn from a seed ([`History::random`]) or
//! grows while the sandbox runs ([`History::live`]); a [`Flood`] is for measurements. In every other
//! case [`History::committed`] (or [`crate::bigtable::Sandbox::committed`]) is the ground truth.

mod builder;
mod flood;
mod grower;
mod live;
mod mutation;
mod random;
mod range;
mod recorded;
mod rows;
mod topology;

use jiff::Timestamp;

pub use crate::growth::Pace;
pub use builder::{BuildError, Builder};
pub use flood::Flood;
pub(crate) use grower::Grower;
pub use live::Live;
pub use mutation::{Column, Entry, Input, Mutation, Source};
pub use random::Size;
pub use range::KeyRange;
pub(crate) use range::tile;
pub(crate) use recorded::{Logged, Recorded};
pub(crate) use rows::families;
pub(crate) use topology::{Fit, Topology, fit};

/// Everything that a change stream holds, or how it comes to hold it.
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

impl History {
    /// Begins a history whose stream is created at `created` with one partition, every key.
    #[must_use]
    pub fn starting_at(created: Timestamp) -> Builder {
        Builder::new(created)
    }

    /// A history drawn from `seed`; the same seed and size give the same history.
    #[must_use]
    pub fn random(seed: u64, size: &Size) -> Self {
        Self::of(random::draw(seed, size))
    }

    /// A history that begins when the sandbox starts and grows from then on.
    #[must_use]
    pub fn live(seed: u64, live: Live) -> Self {
        Self {
            growth: Some(Growth { seed, live }),
            ..Self::of(Recorded::new(Timestamp::UNIX_EPOCH))
        }
    }

    fn of(recorded: Recorded) -> Self {
        Self {
            recorded,
            growth: None,
            flood: None,
        }
    }

    /// Every mutation in the order of the log: of one row and cluster in the order of its commits.
    /// Empty for a history that has yet to grow.
    #[must_use]
    pub fn committed(&self) -> Vec<Mutation> {
        self.recorded.committed()
    }

    /// When the stream was created: nothing earlier can be read.
    #[must_use]
    pub fn created(&self) -> Timestamp {
        self.recorded.created
    }
}
