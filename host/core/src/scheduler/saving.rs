//! When a checkpoint is saved, and what is in it.

use std::collections::BTreeSet;
use std::time::Duration;

#[cfg(any(test, feature = "sabotage"))]
use jiff::Timestamp;

use crate::checkpoint::Checkpoint;
use crate::command::{Abort, Command};
use crate::event::{Now, SaveFailure};
use crate::id::{Generation, PartitionId};
#[cfg(any(test, feature = "sabotage"))]
use crate::partition::{Partition, State};
use crate::scheduler::Scheduler;

/// The state of saving. One save is outstanding at most.
#[derive(Debug)]
pub(crate) struct Saver {
    /// Of the last save that was asked for.
    pub(crate) generation: Generation,
    /// Finished partitions to forget once this save is confirmed.
    pub(crate) outstanding: Option<BTreeSet<PartitionId>>,
    /// Whether anything changed since the last save was asked for.
    pub(crate) dirty: bool,
    /// Whether the next save does not wait for the interval.
    urgent: bool,
    /// Whether reading began afresh and that is not saved yet.
    pub(crate) start_unsaved: bool,
    /// When the next save that is not urgent may be asked for.
    due: Duration,
    /// Not before this, after a failure.
    not_before: Duration,
    failures: u32,
    /// Finished partitions that may have become forgettable since the last save was asked for.
    pub(crate) compactable: BTreeSet<PartitionId>,
}

impl Saver {
    pub(super) fn new(generation: Generation, fresh: bool) -> Self {
        Self {
            generation,
            outstanding: None,
            dirty: fresh,
            urgent: fresh,
            start_unsaved: fresh,
            due: Duration::ZERO,
            not_before: Duration::ZERO,
            failures: 0,
            compactable: BTreeSet::new(),
        }
    }

    /// Something changed that others stand on: save at once.
    pub(super) fn urgent(&mut self) {
        self.dirty = true;
        self.urgent = true;
    }

    /// Whether everything that happened is stored.
    pub(crate) fn is_clean(&self) -> bool {
        !self.dirty && self.outstanding.is_none()
    }

    /// When to save, if nothing is outstanding and something changed.
    pub(super) fn next(&self) -> Option<Duration> {
        let wanted = self.dirty && self.outstanding.is_none();
        let due = if self.urgent {
            Duration::ZERO
        } else {
            self.due
        };
        wanted.then(|| due.max(self.not_before))
    }
}

impl Scheduler {
    pub(super) fn save_if_due(&mut self, now: Now) {
        if self.saver.next().is_none_or(|due| due > now.monotonic) {
            return;
        }
        let generation = self.saver.generation.next();
        let checkpoint = self.snapshot(generation);
        self.saver.generation = generation;
        self.saver.outstanding = Some(std::mem::take(&mut self.saver.compactable));
        self.saver.dirty = false;
        self.saver.urgent = false;
        self.saver.due = now.monotonic.saturating_add(self.limits.save_interval);
        self.outputs.push_back(Command::Save {
            generation,
            checkpoint,
        });
    }

    pub(super) fn saved(&mut self, generation: Generation) {
        if generation != self.saver.generation {
            return;
        }
        if let Some(candidates) = self.saver.outstanding.take() {
            self.stats.saves = self.stats.saves.saturating_add(1);
            self.saver.failures = 0;
            self.saver.start_unsaved = false;
            self.bury(candidates);
        }
    }

    /// The checkpoint may be stored or not. What is saved next has a higher generation and all of
    /// it, so either is harmless.
    pub(super) fn save_failed(&mut self, generation: Generation, failure: SaveFailure, now: Now) {
        if generation != self.saver.generation {
            return;
        }
        let Some(candidates) = self.saver.outstanding.take() else {
            return;
        };
        match failure {
            SaveFailure::Fatal { cause } => self.abort(Abort::SaveFailed { generation, cause }),
            SaveFailure::Retry { .. } => {
                self.saver.compactable.extend(candidates);
                self.saver.failures = self.saver.failures.saturating_add(1);
                let delay = self.jitter(self.saver.failures);
                self.saver.not_before = now.monotonic.saturating_add(delay);
                self.saver.urgent();
            }
        }
    }

    pub(super) fn snapshot(&self, generation: Generation) -> Checkpoint {
        let partitions = self
            .partitions
            .iter()
            .map(|(id, partition)| (id.clone(), partition.saved.clone()));
        #[cfg(any(test, feature = "sabotage"))]
        let partitions = partitions.filter(|(_, saved)| {
            !self.is_sabotaged(crate::Sabotage::ChildrenSavedLate)
                || saved.opened
                || !saved
                    .parents
                    .iter()
                    .any(|parent| self.tombstones.contains_key(parent))
        });
        let mut unfinished = self.partitions.iter();
        let reads_snapshot = unfinished.any(|(id, it)| it.saved.is_of_snapshot(id));
        Checkpoint {
            before_snapshot: reads_snapshot.then(|| self.before_snapshot.clone()),
            identity: self.identity.clone(),
            generation,
            watermark: self.watermark,
            sink_state: self.sink_state.clone(),
            partitions: partitions.collect(),
            tombstones: self.tombstones.clone(),
            named: self.named,
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn forgetful_watermark(&self) -> Option<Option<Timestamp>> {
        let looks_at = |partition: &Partition| match self.sabotage {
            Some(crate::Sabotage::WatermarkOfOpenOnly) => matches!(partition.state, State::Open(_)),
            Some(crate::Sabotage::WatermarkForgetsTokens) => !partition.is_collecting(),
            _ => true,
        };
        let forgets = self.is_sabotaged(crate::Sabotage::WatermarkOfOpenOnly)
            || self.is_sabotaged(crate::Sabotage::WatermarkForgetsTokens);
        let seen = self.partitions.values().filter(|it| looks_at(it));
        forgets.then(|| seen.map(|partition| partition.noted.watermark).min())
    }

    pub(super) fn raise_watermark(&mut self) {
        let smallest = self.watermarks.min();
        #[cfg(any(test, feature = "sabotage"))]
        let smallest = self.forgetful_watermark().unwrap_or(smallest);
        let everything_read = self.partitions.is_empty().then_some(self.limits.bound);
        let reached = smallest.or(everything_read.flatten());
        // A low watermark may be behind the bound, and nothing behind it is read.
        let reached = reached.map(|reached| match self.limits.bound {
            Some(bound) => reached.min(bound),
            None => reached,
        });
        self.watermark = reached.map_or(self.watermark, |reached| self.watermark.max(reached));
    }
}
