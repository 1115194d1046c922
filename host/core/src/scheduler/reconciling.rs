//! Tokens whose range does not come together.
//!
//! A merge may be undone before all of its parts are closed. A part that is open again by then is read
//! on and never says that it is closed, so the others would wait for ever. A part may also be at the
//! bound, and is asked for its token.
//!
//! To read a token for itself is always right, since its keys are nobody else's: if they belong to
//! another range by then, the service closes it at once. It waits only to spare that, and not for keys
//! that nobody reads: two ranges that lack each other's keys would wait for each other.
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

/// How often it is looked at tokens that wait, as a part of
/// [`Limits::tokens_wait`](crate::Limits::tokens_wait): each 10 s of 2 min.
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
        let collecting = Collecting {
            look: self.next_look(now, until),
            until,
            patience: now.saturating_add(self.limits.orphans_wait),
            openings: self.attempts,
        };
        self.keep_collecting(id, collecting);
    }

    /// The end of the time is not passed over.
    fn next_look(&self, now: Duration, until: Duration) -> Duration {
        let look = now.saturating_add(self.limits.tokens_wait / LOOKS);
        if now < until { look.min(until) } else { look }
    }

    fn keep_collecting(&mut self, id: &PartitionId, collecting: Collecting) {
        self.unqueue(id);
        if let Some(partition) = self.partitions.get_mut(id) {
            if let State::Collecting(before) = partition.state {
                self.timers.remove(&(before.look, id.clone()));
            }
            partition.state = State::Collecting(collecting);
            self.timers.insert((collecting.look, id.clone()));
        }
    }

    pub(super) fn stop_collecting(&mut self, id: &PartitionId) {
        if let Some(partition) = self.partitions.get_mut(id) {
            if let State::Collecting(collecting) = partition.state {
                self.timers.remove(&(collecting.look, id.clone()));
                partition.state = State::Waiting;
            }
            if let Some(range) = &partition.saved.range {
                self.collecting.remove(range);
            }
        }
    }

    /// Looks at tokens that wait: each is read for itself where nobody brings the others any more. What
    /// is read for itself must not look like somebody to wait for, so all of them go together.
    pub(super) fn reconcile(&mut self, id: &PartitionId, now: Now) {
        let Some(collecting) = self.collecting_of(id) else {
            return;
        };
        if self.others_may_come(id, collecting, now) {
            let look = self.next_look(now.monotonic, collecting.until);
            return self.keep_collecting(id, Collecting { look, ..collecting });
        }
        let has_nobody = |id: &&PartitionId| {
            let collecting = self.collecting_of(id);
            collecting.is_some_and(|collecting| !self.others_may_come(id, collecting, now))
        };
        let alone: Vec<_> = self
            .collecting
            .values()
            .filter(has_nobody)
            .cloned()
            .collect();
        for id in alone {
            self.read_for_itself(&id, now);
        }
    }

    fn collecting_of(&self, id: &PartitionId) -> Option<Collecting> {
        match self.partitions.get(id)?.state {
            State::Collecting(collecting) => Some(collecting),
            State::Waiting
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. }
            | State::Open(_)
            | State::Draining { .. } => None,
        }
    }

    fn others_may_come(&self, id: &PartitionId, collecting: Collecting, now: Now) -> bool {
        let Some(partition) = self.partitions.get(id) else {
            return false;
        };
        let lacking = partition.lacking();
        self.partitions.iter().any(|(other, partition)| {
            other != id && may_close(partition, &lacking, collecting, now.monotonic)
        })
    }

    /// One that got its last token meanwhile is left alone.
    fn read_for_itself(&mut self, id: &PartitionId, now: Now) {
        let waits = self.partitions.get(id).filter(|it| it.is_collecting());
        let Some(lacking) = waits.map(Partition::lacking) else {
            return;
        };
        if !self.ask_at_bound(id, &lacking, now) {
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

/// Whether a partition has some of the keys and may still close and hand them on. Whoever has them is
/// waited for a while. After that it must be closing, or not have been opened since: the service closes
/// a range that does not fit as soon as it is opened, so one that was opened since and is read goes on
/// as it is. And in the end nobody is waited for.
fn may_close(
    partition: &Partition,
    lacking: &[KeyRange],
    collecting: Collecting,
    now: Duration,
) -> bool {
    let Some(range) = &partition.saved.range else {
        return false;
    };
    let may_still_close = match &partition.state {
        // Its own tokens wait, too; what it lacks is somebody else's.
        State::Collecting(_) => return false,
        State::AtBound => false,
        State::Draining { .. } => true,
        State::Waiting | State::Queued(_) | State::BackingOff { .. } | State::Open(_) => {
            partition.last_attempt <= collecting.openings
        }
    };
    let is_waited_for = now < collecting.until || (may_still_close && now < collecting.patience);
    let has_some = || {
        lacking
            .iter()
            .any(|part| part.intersection(range).is_some())
    };
    is_waited_for && has_some()
}
