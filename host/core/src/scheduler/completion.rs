//! The end of everything, and the time of the next step.

use std::time::Duration;

use crate::command::Command;
use crate::event::Now;
use crate::scheduler::{Phase, Scheduler};

impl Scheduler {
    pub(super) fn drain(&mut self, now: Now) {
        self.stopping = true;
        if matches!(self.phase, Phase::Expiring { asked: false, .. }) {
            self.phase = Phase::Running;
        }
        self.close_all(now);
    }

    /// Completes when nothing is left to read, or to resolve after a drain, and all of it is
    /// stored.
    pub(super) fn complete_if_done(&mut self) {
        if self.phase == Phase::Running && self.has_nothing_to_do() && self.saver.is_clean() {
            self.phase = Phase::Complete;
            self.outputs.push_back(Command::Complete {
                drained: self.partitions.len() > self.at_bound.len(),
            });
        }
    }

    /// The last save does not wait for its interval.
    pub(super) fn hurry_last_save(&mut self) {
        if self.has_nothing_to_do() && self.saver.dirty {
            self.saver.urgent();
        }
    }

    pub(crate) fn has_nothing_to_do(&self) -> bool {
        self.partitions.len() == self.at_bound.len()
            || (self.stopping && self.open.is_empty() && self.draining.is_empty())
    }

    pub(super) fn next_timeout(&self, now: Now) -> Option<(Duration, &'static str)> {
        if self.is_over() {
            return None;
        }
        let mut next = Earliest(None);
        next.take(self.saver.next(), "save the checkpoint");
        if !self.stopping {
            let backoff = self.timers.first().map(|(until, _)| *until);
            next.take(backoff, "open a partition again");
        }
        if !self.credit.held {
            let others_wait = !self.queue.is_empty();
            for (_, reading) in self.open_readings() {
                let stall = reading
                    .quiet_since
                    .saturating_add(reading.stall(&self.limits));
                next.take(Some(stall), "close a silent stream");
                let turn = self.turn_end(reading);
                // A turn that is over but has passed nothing is looked at when something comes.
                if others_wait && !reading.ends && turn > now.monotonic {
                    next.take(Some(turn), "end a turn");
                }
            }
        }
        next.0
    }
}

struct Earliest(Option<(Duration, &'static str)>);

impl Earliest {
    fn take(&mut self, at: Option<Duration>, reason: &'static str) {
        if let Some(at) = at
            && self.0.is_none_or(|(earliest, _)| at < earliest)
        {
            self.0 = Some((at, reason));
        }
    }
}
