//! A closed partition whose ledger is empty: what becomes of it.

use std::time::Duration;

use jiff::Timestamp;
use rand::RngExt;

use crate::checkpoint::Until;
use crate::command::Abort;
use crate::event::Now;
use crate::id::PartitionId;
use crate::limits::CleanEnd;
use crate::partition::{Next, State};
use crate::queue::Place;
use crate::scheduler::Scheduler;
use crate::scheduler::expiry::Expiry;

impl Scheduler {
    pub(super) fn settle_if_drained(&mut self, id: &PartitionId, now: Now) {
        #[cfg(any(test, feature = "sabotage"))]
        self.drop_undrained(id);
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let next = match &partition.state {
            State::Draining { reading, next } if reading.ledger.is_drained() => next.clone(),
            State::Draining { .. }
            | State::Waiting
            | State::Collecting(_)
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. }
            | State::Open(_) => return,
        };
        partition.state = State::Waiting;
        self.draining.remove(id);
        match next {
            Next::Requeue => self.enqueue(id),
            Next::Finish => self.finish(id),
            Next::AtBound => self.stop_at_bound(id),
            Next::Retry { after } => {
                partition.ended_at_bound = false;
                self.back_off(id, after, now);
            }
            Next::MoveIn { at, sources } => self.wait_for_sources(id, at, sources),
            Next::CleanEnd { quiet, children } => self.settle_clean_end(id, quiet, children, now),
            Next::OutOfRange { cause } => self.settle_out_of_range(id, cause, now),
            Next::Replan { cause, outdated } => self.settle_lost_plan(id, cause, outdated, now),
        }
    }

    /// Puts a partition into the queue, or lets it wait if it depends on others.
    pub(super) fn enqueue(&mut self, id: &PartitionId) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        if !partition.saved.after.is_empty() {
            partition.state = State::Waiting;
            return;
        }

        let place = Place {
            openings: self.stats.openings,
            position: partition.saved.position.at,
            id: id.clone(),
        };
        partition.state = State::Queued(place.clone());
        self.queue.insert(place);
    }

    /// Takes a partition out of the queue, to wait.
    pub(super) fn unqueue(&mut self, id: &PartitionId) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        if let State::Queued(place) = &partition.state {
            self.queue.remove(place);
            partition.state = State::Waiting;
        }
    }

    fn wait_for_sources(&mut self, id: &PartitionId, at: Timestamp, sources: Vec<PartitionId>) {
        for source in sources {
            if self.is_acknowledged_to(&source, at, id) {
                continue;
            }
            if let Some(partition) = self.partitions.get_mut(id) {
                partition.saved.after.insert(source.clone(), Until::At(at));
                self.links.waiters.add(&source, id);
                self.saver.dirty = true;
            }
        }
        self.enqueue(id);
    }

    /// An end without children or the bound is not the end of the partition: what the server
    /// would have sent next would be lost.
    fn settle_clean_end(&mut self, id: &PartitionId, quiet: bool, children: bool, now: Now) {
        let bound = self.limits.bound.filter(|_| !id.is_root());
        let finishes = self.limits.clean_end == CleanEnd::Finishes;
        let reopens = self.limits.clean_end == CleanEnd::Reopens;
        #[cfg(any(test, feature = "sabotage"))]
        let finishes = finishes || self.is_sabotaged(crate::Sabotage::FinishOnCleanEnd);
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let finishes = finishes || partition.saved.is_of_snapshot(id);
        let past_bound = bound.is_some_and(|bound| now.wall > bound);
        let reached = bound.is_some_and(|bound| partition.saved.position.includes_all_of(bound))
            || (past_bound && quiet && partition.ended_at_bound);
        if finishes || (!reopens && (reached || children)) {
            return self.finish(id);
        }
        partition.ended_at_bound = past_bound;
        self.stats.early_ends = self.stats.early_ends.saturating_add(1);
        self.back_off(id, None, now);
    }

    /// Source: OUT_OF_RANGE is what Spanner says for a start outside of a token's life and for one
    /// older than the retention; the text is not a contract. Our own state tells them apart. Expiry
    /// comes first: children come in several records, and if the process stopped between two of
    /// them, taking the known ones for all would lose the others in silence.
    fn settle_out_of_range(&mut self, id: &PartitionId, cause: String, now: Now) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let position = partition.saved.position.at;
        let oldest = now.wall.checked_sub(self.limits.retention).ok();
        if oldest.is_some_and(|oldest| position < oldest) {
            self.expire(id, Expiry::Position, cause, now);
        } else if !partition.saved.children.is_empty() {
            self.finish(id);
        } else {
            self.abort(Abort::OutOfRange {
                partition: id.clone(),
                position,
                cause,
            });
        }
    }

    fn back_off(&mut self, id: &PartitionId, after: Option<Duration>, now: Now) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        partition.failures = partition.failures.saturating_add(1);
        let failures = partition.failures;
        let delay = self.jitter(failures).max(after.unwrap_or_default());
        let until = now.monotonic.saturating_add(delay);
        if let Some(partition) = self.partitions.get_mut(id) {
            partition.state = State::BackingOff { until };
            self.timers.insert((until, id.clone()));
        }
    }

    /// Full jitter: anything between zero and the ceiling, to the microsecond.
    pub(super) fn jitter(&mut self, failures: u32) -> Duration {
        let ceiling = self.limits.backoff.ceiling(failures).as_micros();
        let ceiling = u64::try_from(ceiling).unwrap_or(u64::MAX);
        Duration::from_micros(self.random.random_range(0..=ceiling))
    }

    pub(super) fn wake_backing_off(&mut self, now: Now) {
        while let Some((until, _)) = self.timers.first() {
            if *until > now.monotonic {
                break;
            }
            if let Some((_, id)) = self.timers.pop_first() {
                self.wake(&id, now);
            }
        }
    }

    fn wake(&mut self, id: &PartitionId, now: Now) {
        match self.partitions.get(id).map(|partition| &partition.state) {
            Some(State::Collecting(_)) => self.reconcile(id, now),
            Some(State::BackingOff { .. }) => self.enqueue(id),
            Some(
                State::Waiting
                | State::AtBound
                | State::Queued(_)
                | State::Open(_)
                | State::Draining { .. },
            )
            | None => {}
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn drop_undrained(&mut self, id: &PartitionId) {
        if !self.is_sabotaged(crate::Sabotage::ReopenUndrained) {
            return;
        }
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        if let State::Draining {
            reading,
            next: Next::Requeue | Next::Retry { .. },
        } = &mut partition.state
        {
            while let Some(item) = reading.ledger.pop_any() {
                if let Some(bytes) = crate::ledger::bytes_in_flight(&item) {
                    self.credit.leave(bytes);
                }
            }
        }
    }
}
