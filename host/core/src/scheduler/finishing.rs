//! The end of a partition, and how long it is remembered.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::checkpoint::{SavedPartition, Tombstone};
use crate::history::Past;
use crate::id::PartitionId;
use crate::partition::Partition;
use crate::scheduler::Scheduler;

impl Scheduler {
    /// Adds a partition to all indexes.
    pub(super) fn insert(&mut self, id: PartitionId, partition: Partition) {
        self.watermarks.insert(partition.noted.watermark);
        for source in partition.saved.after.keys() {
            self.links.waiters.add(source, &id);
        }
        if !partition.saved.opened {
            for parent in &partition.saved.parents {
                self.links.unopened.add(parent, &id);
            }
        }
        for started in partition.saved.announced.keys() {
            self.links.announcers.add(started, &id);
        }
        for (destination, _) in partition
            .saved
            .moves
            .iter()
            .filter(|(_, moved)| !moved.settled)
        {
            self.links.sources.add(destination, &id);
        }
        let lacks_tokens = !partition.lacking().is_empty();
        self.partitions.insert(id.clone(), partition);
        if lacks_tokens {
            self.begin_collecting(&id);
        } else {
            self.enqueue_within_bound(&id);
        }
    }

    pub(super) fn link_tombstones(&mut self) {
        for (id, tombstone) in &self.tombstones {
            for destination in tombstone.moves.keys() {
                self.links.sources.add(destination, id);
            }
            self.saver.compactable.insert(id.clone());
        }
    }

    /// Takes a partition out of the indexes.
    pub(super) fn forget(&mut self, id: &PartitionId) -> Option<SavedPartition> {
        let partition = self.partitions.remove(id)?;
        self.watermarks.remove(partition.noted.watermark);
        for source in partition.saved.after.keys() {
            self.links.waiters.remove(source, id);
        }
        for parent in &partition.saved.parents {
            self.links.unopened.remove(parent, id);
        }
        Some(partition.saved)
    }

    /// Everything of the partition is read and acknowledged.
    pub(super) fn finish(&mut self, id: &PartitionId) {
        let Some(saved) = self.forget(id) else {
            return;
        };
        // The end of one at the bound was told when it came there.
        if saved.read_to.is_none() {
            self.remember_end(id, &saved);
        }
        for started in saved.announced.into_keys() {
            self.links.announcers.remove(&started, id);
            self.saver.compactable.insert(started);
        }
        let moves = saved.moves.into_iter().filter(|(_, moved)| !moved.settled);
        self.tombstones.insert(
            id.clone(),
            Tombstone {
                start: saved.start,
                parents: saved.parents,
                moves: moves.collect(),
            },
        );
        self.wake_waiters(id);
        self.settle_moves_into(id, Timestamp::MAX);
        self.saver.compactable.insert(id.clone());
        self.saver.compactable.extend(saved.children);
        self.saver.urgent();
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::TombstoneDropped) {
            self.tombstones.remove(id);
        }
    }

    /// What people are told of an end.
    pub(super) fn remember_end(&mut self, id: &PartitionId, saved: &SavedPartition) {
        self.history.push(
            Past {
                id: id.clone(),
                parents: saved.parents.iter().cloned().collect(),
                start: saved.start,
                end: self.end_of(saved),
            },
            self.limits.history_max,
        );
        // What the first query finds did not come of a split.
        if !id.is_root() && !id.is_plan() {
            self.count_end(&saved.children);
        }
    }

    /// A partition ends where its children start, which may be after its last record.
    fn end_of(&self, saved: &SavedPartition) -> Timestamp {
        let children = saved.children.iter();
        let starts = children.filter_map(|child| Some(self.partitions.get(child)?.saved.start));
        starts.fold(saved.position.at, Timestamp::max)
    }

    /// Forgets a finished partition that nobody will refer to again.
    pub(super) fn bury(&mut self, candidates: BTreeSet<PartitionId>) {
        for id in candidates {
            if self.is_forgettable(&id) {
                self.tombstones.remove(&id);
                self.saver.dirty = true;
            }
        }
    }

    /// Who refers to a finished partition: its children until they are opened, the destinations of
    /// its moves until they are past them, those who would announce it again, and the root that named it.
    fn is_forgettable(&self, id: &PartitionId) -> bool {
        self.tombstones.get(id).is_some_and(|tombstone| {
            tombstone.moves.is_empty()
                && !self.links.unopened.has(id)
                && !self.links.announcers.has(id)
                && !tombstone
                    .parents
                    .iter()
                    .any(|parent| self.partitions.contains_key(parent))
                && !self.is_named_by_root(id)
        })
    }

    /// With mutable ranges the root names its children without being their parent.
    fn is_named_by_root(&self, id: &PartitionId) -> bool {
        let root = self.partitions.get(&PartitionId::root());
        root.is_some_and(|root| root.saved.children.contains(id))
    }

    fn count_end(&mut self, children: &BTreeSet<PartitionId>) {
        let stats = &mut self.stats;
        stats.finished = stats.finished.saturating_add(1);
        let mut own = children.iter().filter(|child| {
            self.partitions
                .get(*child)
                .is_some_and(|child| child.saved.parents.len() == 1 && !child.is_collecting())
        });
        match (own.next(), own.next()) {
            (Some(_), Some(_)) => stats.splits = stats.splits.saturating_add(1),
            (Some(_), None) => stats.moves = stats.moves.saturating_add(1),
            (None, _) => {}
        }
    }
}
