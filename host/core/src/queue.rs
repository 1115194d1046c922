//! Partitions that could be opened, in the order in which they will be.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::id::PartitionId;

/// Who began to wait before more openings comes first; among those, the oldest position.
///
/// The number of openings makes it fair: a partition that comes back after its turn has a larger
/// one than everybody who waited when the turn began, so nobody is passed over twice. The position
/// alone would let a partition that lags keep the place for ever.
#[derive(Debug, Default)]
pub(crate) struct Queue(BTreeSet<Place>);

/// A place in the queue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Openings, over all partitions, before it began to wait.
    pub(crate) openings: u64,
    pub(crate) position: Timestamp,
    pub(crate) id: PartitionId,
}

impl Queue {
    pub(crate) fn insert(&mut self, place: Place) {
        self.0.insert(place);
    }

    pub(crate) fn remove(&mut self, place: &Place) {
        self.0.remove(place);
    }

    pub(crate) fn pop(&mut self) -> Option<PartitionId> {
        self.0.pop_first().map(|place| place.id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
