//! Who follows whom, and who waits for whom.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::checkpoint::Until;
use crate::command::Abort;
use crate::event::Now;
use crate::id::PartitionId;
use crate::item::Child;
use crate::partition::{Next, Partition, State};
use crate::scheduler::Scheduler;

impl Scheduler {
    /// A partition says in whom it ends.
    ///
    /// The reporter is a parent even if the list does not name it: its records come before the
    /// child's, and the root query's children have empty lists.
    pub(super) fn children(
        &mut self,
        reporter: &PartitionId,
        start: Timestamp,
        partitions: Vec<Child>,
        now: Now,
    ) {
        for child in partitions {
            let mut parents: BTreeSet<_> = child.parents.into_iter().collect();
            parents.remove(&PartitionId::root());
            parents.insert(reporter.clone());
            if let Some(partition) = self.partitions.get_mut(reporter) {
                partition.saved.children.insert(child.id.clone());
            }
            self.discover(reporter, &child.id, start, parents, now);
        }
        self.saver.urgent();
    }

    /// A partition with mutable key ranges says who begins. They follow nobody.
    pub(super) fn started(
        &mut self,
        reporter: &PartitionId,
        at: Timestamp,
        partitions: Vec<PartitionId>,
        now: Now,
    ) {
        self.passed(reporter, at);
        for id in partitions {
            if let Some(partition) = self.partitions.get_mut(reporter) {
                partition.saved.announced.insert(id.clone(), at);
                if reporter.is_root() {
                    partition.saved.children.insert(id.clone());
                }
            }
            self.links.announcers.add(&id, reporter);
            self.discover(reporter, &id, at, BTreeSet::new(), now);
        }
        self.saver.urgent();
    }

    fn discover(
        &mut self,
        reporter: &PartitionId,
        id: &PartitionId,
        start: Timestamp,
        parents: BTreeSet<PartitionId>,
        now: Now,
    ) {
        let known = self.partitions.get(id).map(|known| known.saved.start);
        let buried = self.tombstones.get(id).map(|tombstone| tombstone.start);
        if let Some(first) = known.or(buried).filter(|first| *first != start) {
            return self.abort(Abort::ConflictingStart {
                partition: id.clone(),
                reporter: reporter.clone(),
                first,
                second: start,
            });
        }
        if known.is_some() {
            self.add_parents(id, parents, now);
        } else if buried.is_none() && self.limits.bound.is_none_or(|bound| start <= bound) {
            self.stats.found = self.stats.found.saturating_add(1);
            if parents.len() > 1 {
                self.stats.merges = self.stats.merges.saturating_add(1);
            }
            let mut partition = Partition::new(start, parents.clone());
            for parent in &parents {
                if self.must_wait_for(parent) {
                    partition.saved.after.insert(parent.clone(), Until::End);
                }
            }
            #[cfg(any(test, feature = "sabotage"))]
            if self.is_sabotaged(crate::Sabotage::OneParentSuffices) {
                partition.saved.after.retain(|parent, _| parent == reporter);
            }
            self.insert(id.clone(), partition);
        }
    }

    fn must_wait_for(&self, parent: &PartitionId) -> bool {
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::UnknownParentIgnored)
            && !self.partitions.contains_key(parent)
        {
            return false;
        }
        !self.tombstones.contains_key(parent)
    }

    /// A repeated report changes the dependency set and nothing else. One that is already open
    /// and gets another unfinished parent is closed, to wait for it.
    fn add_parents(&mut self, id: &PartitionId, parents: BTreeSet<PartitionId>, now: Now) {
        #[cfg(any(test, feature = "sabotage"))]
        self.reset_on_report(id);
        for parent in parents {
            let waits = self.must_wait_for(&parent);
            let Some(partition) = self.partitions.get_mut(id) else {
                return;
            };
            #[cfg(any(test, feature = "sabotage"))]
            if self.sabotage == Some(crate::Sabotage::OneParentSuffices) {
                continue;
            }
            if !partition.saved.parents.insert(parent.clone()) {
                continue;
            }
            if !partition.saved.opened {
                self.links.unopened.add(&parent, id);
            }
            if waits {
                partition.saved.after.insert(parent.clone(), Until::End);
                self.links.waiters.add(&parent, id);
                self.unqueue(id);
                self.close(id, Next::Requeue, now);
            }
        }
    }

    /// Whether `source` is acknowledged up to and including `at`, as far as `id` is concerned. A
    /// source that is not known was not announced yet.
    pub(super) fn is_acknowledged_to(
        &self,
        source: &PartitionId,
        at: Timestamp,
        id: &PartitionId,
    ) -> bool {
        if self.tombstones.contains_key(source) {
            return true;
        }
        self.partitions.get(source).is_some_and(|source| {
            source.saved.position.includes_all_of(at)
                || source
                    .saved
                    .moves
                    .get(id)
                    .is_some_and(|moved| moved.at >= at)
        })
    }

    /// Looks again at those who wait for `id`.
    pub(super) fn wake_waiters(&mut self, id: &PartitionId) {
        for waiter in self.links.waiters.of(id) {
            let until = self
                .partitions
                .get(&waiter)
                .and_then(|partition| partition.saved.after.get(id).copied());
            let met = match until {
                None => true,
                Some(Until::End) => self.tombstones.contains_key(id),
                Some(Until::At(at)) => self.is_acknowledged_to(id, at, &waiter),
            };
            if !met {
                continue;
            }
            self.links.waiters.remove(id, &waiter);
            if let Some(partition) = self.partitions.get_mut(&waiter) {
                partition.saved.after.remove(id);
                self.saver.dirty = true;
                if partition.saved.after.is_empty() && matches!(partition.state, State::Waiting) {
                    self.enqueue(&waiter);
                }
            }
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn reset_on_report(&mut self, id: &PartitionId) {
        if !self.is_sabotaged(crate::Sabotage::ReportResets) {
            return;
        }
        if let Some(partition) = self.partitions.get_mut(id) {
            partition.saved.position = crate::Resume::fresh(partition.saved.start);
        }
        self.position_moved(id);
    }
}
