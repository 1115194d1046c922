//! Turns: how more partitions than places are read fairly.

use std::time::Duration;

use crate::event::Now;
use crate::id::PartitionId;
use crate::partition::Next;
use crate::reading::Reading;
use crate::scheduler::Scheduler;

impl Scheduler {
    /// Closes partitions whose turn is over while others wait for a place, the longest open first.
    pub(super) fn end_turns(&mut self, now: Now) {
        if self.stopping || self.credit.held {
            return;
        }
        let waiting = self.queue.len();
        let free = self.limits.max_open.get().saturating_sub(self.open.len());
        let Some(wanted) = waiting.checked_sub(free).filter(|wanted| *wanted > 0) else {
            return;
        };
        let mut over: Vec<_> = self
            .open_readings()
            .filter(|(_, reading)| self.is_turn_over(reading, now))
            .map(|(id, reading)| (reading.attempt, id.clone()))
            .collect();
        over.sort();
        for (_, id) in over.into_iter().take(wanted) {
            self.end_turn(&id, now);
        }
    }

    fn end_turn(&mut self, id: &PartitionId, now: Now) {
        self.stats.turns = self.stats.turns.saturating_add(1);
        self.close(id, Next::Requeue, now);
    }

    /// A turn that ended where it began would read the same records for ever, so it lasts until
    /// something was passed. Children do not move the position, and the end comes right after them:
    /// it is waited for, or they would be read again in every turn. One that goes on from a token
    /// reads nothing again. A part of a snapshot ends by itself and keeps its place.
    fn is_turn_over(&self, reading: &Reading, now: Now) -> bool {
        let loses_nothing = reading.caught_up && reading.from_token.is_some();
        (reading.advanced || loses_nothing)
            && !reading.delivered_children
            && !reading.ends
            && (reading.caught_up || now.monotonic >= self.turn_end(reading))
    }

    pub(super) fn turn_end(&self, reading: &Reading) -> Duration {
        reading.opened.saturating_add(self.limits.turn)
    }
}
