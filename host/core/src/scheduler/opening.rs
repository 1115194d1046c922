//! Opening streams, and noticing those that are dead.

use crate::command::Command;
use crate::event::Now;
use crate::id::{Attempt, PartitionId, ReaderId};
use crate::partition::{Next, State};
use crate::reading::Reading;
#[cfg(any(test, feature = "sabotage"))]
use crate::resume::Resume;
use crate::scheduler::{Phase, Scheduler};

impl Scheduler {
    /// Fills the free places from the queue.
    pub(super) fn open_queued(&mut self, now: Now) {
        while self.may_open() {
            match self.queue.pop() {
                Some(id) => self.open(&id, now),
                None => return,
            }
        }
    }

    /// Whether a partition in the queue could be opened.
    pub(crate) fn may_open(&self) -> bool {
        self.phase == Phase::Running
            && !self.stopping
            && !self.saver.start_unsaved
            && !self.credit.held
            && self.has_place()
    }

    pub(crate) fn has_place(&self) -> bool {
        self.open.len() < self.limits.max_open.get()
    }

    fn open(&mut self, id: &PartitionId, now: Now) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        self.attempts = self.attempts.saturating_add(1);
        let attempt = Attempt::new(self.attempts);
        partition.last_attempt = self.attempts;
        let ends = partition.saved.is_of_snapshot(id);
        let reading = Reading::begin(attempt, &partition.saved.position, ends, now);
        partition.state = State::Open(reading);
        self.stats.openings = self.stats.openings.saturating_add(1);
        if partition.saved.opened {
            self.stats.reopenings = self.stats.reopenings.saturating_add(1);
        } else {
            partition.saved.opened = true;
            self.saver.dirty = true;
            for parent in &partition.saved.parents {
                self.links.unopened.remove(parent, id);
                self.saver.compactable.insert(parent.clone());
            }
        }
        let (range, ticket) = (
            partition.saved.range.clone(),
            partition.saved.ticket.clone(),
        );
        let from = partition.saved.position.clone();
        #[cfg(any(test, feature = "sabotage"))]
        let from = match self.is_sabotaged(crate::Sabotage::BoundaryForgotten) {
            true => Resume::fresh(from.at),
            false => from,
        };
        self.open.insert(id.clone());
        self.outputs.push_back(Command::Open {
            reader: ReaderId {
                partition: id.clone(),
                attempt,
            },
            range,
            ticket,
            from,
        });
    }

    /// A stream that says nothing for long is opened again. The time during which we held it does
    /// not count: a slow sink is not a dead server.
    pub(super) fn close_stalled(&mut self, now: Now) {
        if self.credit.held {
            return;
        }
        let stalled: Vec<_> = self
            .open_readings()
            .filter(|(_, reading)| reading.quiet_for(now) >= reading.stall(&self.limits))
            .map(|(id, _)| id.clone())
            .collect();
        for id in stalled {
            self.stats.stalls = self.stats.stalls.saturating_add(1);
            self.close(&id, Next::Retry { after: None }, now);
        }
    }

    pub(crate) fn open_readings(&self) -> impl Iterator<Item = (&PartitionId, &Reading)> {
        self.open.iter().filter_map(|id| {
            let reading = self.partitions.get(id)?.reading()?;
            Some((id, reading))
        })
    }
}
