//! Tokens whose range does not come together.
//!
//! A merge may be undone before all of its parts are closed. A part that is open again by then is read
//! on and never says that it is closed, so the others would wait for ever. A part may also be at the
//! bound, and is asked for its token.
//!
//! To read a token for itself is always right, since its keys are nobody else's: if they belong to
//! another range by then, the service closes it at once. It waits only to spare that.
//!
//! Source: Beam's `PartitionReconciler` exists for this race. It looks for keys that nobody reads;
//! here each key is known to belong to somebody, so only the tokens that wait are looked at.

use std::time::Duration;

use crate::command::Command;
use crate::event::Now;
use crate::id::PartitionId;
use crate::partition::{Collecting, Partition, State};
use crate::range::KeyRange;
use crate::resume::{Covered, Resume};
use crate::scheduler::Scheduler;

/// How often it is looked again at tokens whose time is over while others may still come, as a part of
/// [`Limits::tokens_wait`](crate::Limits::tokens_wait): 10 s of 2 min.
const LOOKS: u32 = 12;

impl Scheduler {
    /// A range that lacks tokens waits for them.
    pub(super) fn begin_collecting(&mut self, id: &PartitionId) {
        let range = self
            .partitions
            .get(id)
            .and_then(|it| it.saved.range.clone());
        if let Some(range) = range {
            self.collecting.insert(range, id.clone());
        }
        self.rearm(id, Duration::ZERO);
    }

    /// The time to wait begins anew.
    pub(super) fn rearm(&mut self, id: &PartitionId, now: Duration) {
        let until = now.saturating_add(self.limits.tokens_wait);
        let patience = now.saturating_add(self.limits.orphans_wait);
        let openings = self.attempts;
        self.collect_until(
            id,
            Collecting {
                until,
                patience,
                openings,
            },
        );
    }

    fn collect_until(&mut self, id: &PartitionId, collecting: Collecting) {
        self.unqueue(id);
        if let Some(partition) = self.partitions.get_mut(id) {
            if let State::Collecting(before) = partition.state {
                self.timers.remove(&(before.until, id.clone()));
            }
            partition.state = State::Collecting(collecting);
            self.timers.insert((collecting.until, id.clone()));
        }
    }

    pub(super) fn stop_collecting(&mut self, id: &PartitionId) {
        if let Some(partition) = self.partitions.get_mut(id) {
            if let State::Collecting(collecting) = partition.state {
                self.timers.remove(&(collecting.until, id.clone()));
                partition.state = State::Waiting;
            }
            if let Some(range) = &partition.saved.range {
                self.collecting.remove(range);
            }
        }
    }

    /// The time of the tokens is over: each is read for itself, unless others may still come and their
    /// time is not over, too.
    pub(super) fn reconcile(&mut self, id: &PartitionId, now: Now) {
        let Some(partition) = self.partitions.get(id) else {
            return;
        };
        let State::Collecting(collecting) = partition.state else {
            return;
        };
        let lacking = partition.lacking();
        let others_may_come = self.partitions.iter().any(|(other, partition)| {
            other != id && may_close(partition, &lacking, collecting.openings)
        });
        if others_may_come && now.monotonic < collecting.patience {
            let until = now
                .monotonic
                .saturating_add(self.limits.tokens_wait / LOOKS);
            self.collect_until(
                id,
                Collecting {
                    until,
                    ..collecting
                },
            );
        } else if !self.ask_at_bound(id, &lacking, now) {
            self.take_apart(id, None);
        }
    }

    /// Every token of a range that waits becomes a partition: from the token, or from an instant where
    /// it has expired.
    pub(super) fn take_apart(&mut self, id: &PartitionId, instead: Option<&Resume>) {
        self.stop_collecting(id);
        let Some(saved) = self.forget(id) else {
            return;
        };
        #[cfg(any(test, feature = "sabotage"))]
        self.keep_taken_apart(id, &saved);
        for token in saved.position.tokens() {
            let position = instead.cloned().unwrap_or_else(|| Resume {
                at: saved.position.at,
                covered: Covered::Tokens(vec![token.clone()]),
            });
            if instead.is_none() {
                self.stats.reconciled = self.stats.reconciled.saturating_add(1);
            }
            self.tell_reconciled(token.range.clone(), position.clone(), Duration::ZERO);
            self.add_range(saved.parents.clone(), token.range.clone(), position);
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn keep_taken_apart(&mut self, id: &PartitionId, saved: &crate::SavedPartition) {
        if self.is_sabotaged(crate::Sabotage::TokenKept) {
            self.insert(id.clone(), Partition::restored(saved.clone()));
            self.rearm(id, Duration::MAX);
        }
        if let (true, Some(range)) = (
            self.is_sabotaged(crate::Sabotage::TakenApartStays),
            &saved.range,
        ) {
            self.collecting.insert(range.clone(), id.clone());
        }
    }

    pub(super) fn tell_reconciled(&mut self, range: KeyRange, from: Resume, after: Duration) {
        self.outputs
            .push_back(Command::Reconciled { range, from, after });
    }
}

/// Whether a partition that has some of the keys may still close and hand them on: it is closing, or
/// was not opened since. The service closes a range that does not fit as soon as it is opened, so one
/// that was opened since and is read goes on as it is.
fn may_close(partition: &Partition, lacking: &[KeyRange], openings: u64) -> bool {
    let Some(range) = &partition.saved.range else {
        return false;
    };
    let has_some = || {
        lacking
            .iter()
            .any(|part| part.intersection(range).is_some())
    };
    match &partition.state {
        // Its own tokens wait, too; what it lacks is somebody else's.
        State::Collecting(_) | State::AtBound => false,
        State::Draining { .. } => has_some(),
        State::Waiting | State::Queued(_) | State::BackingOff { .. } | State::Open(_) => {
            partition.last_attempt <= openings && has_some()
        }
    }
}
