//! Who must be looked at again when a partition changes.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::PartitionId;

/// The references between partitions, from the one that changes to those that care.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// From a partition to those that wait for it.
    pub(crate) waiters: Index,
    /// From a parent to its children that were never opened.
    pub(crate) unopened: Index,
    /// From a partition to those that will announce its start again when they are opened again.
    pub(crate) announcers: Index,
    /// From a destination to the partitions whose moves into it are not settled.
    pub(crate) sources: Index,
}

/// A relation, without empty entries.
#[derive(Debug, Default)]
pub(crate) struct Index(BTreeMap<PartitionId, BTreeSet<PartitionId>>);

impl Index {
    pub(crate) fn add(&mut self, from: &PartitionId, to: &PartitionId) {
        self.0.entry(from.clone()).or_default().insert(to.clone());
    }

    pub(crate) fn remove(&mut self, from: &PartitionId, to: &PartitionId) {
        if let Some(set) = self.0.get_mut(from) {
            set.remove(to);
            if set.is_empty() {
                self.0.remove(from);
            }
        }
    }

    pub(crate) fn has(&self, from: &PartitionId) -> bool {
        self.0.contains_key(from)
    }

    pub(crate) fn of(&self, from: &PartitionId) -> Vec<PartitionId> {
        self.0
            .get(from)
            .map(|set| set.iter().cloned().collect())
            .unwrap_or_default()
    }
}
