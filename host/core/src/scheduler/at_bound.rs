//! Row ranges that are read up to the bound.
//!
//! Such a range keeps its keys: with a later bound it goes on from its token, and a range that waits
//! for tokens may need the one that it has. The service closes it with status OK and says nothing of
//! who has its keys next, although its other half may be on the way into a merge.

use crate::event::Now;
use crate::id::PartitionId;
use crate::item::Successor;
use crate::partition::{Partition, State};
use crate::range::KeyRange;
use crate::resume::{RangeToken, Resume, one_tick_after};
use crate::scheduler::Scheduler;

impl Scheduler {
    /// Everything of the range up to the bound is read and acknowledged.
    pub(super) fn stop_at_bound(&mut self, id: &PartitionId) {
        let bound = self.limits.bound;
        let Some((bound, partition)) = bound.zip(self.partitions.get_mut(id)) else {
            return self.enqueue(id);
        };
        partition.saved.read_to = Some(bound);
        partition.saved.position.at = partition.saved.position.at.max(one_tick_after(bound));
        let saved = partition.saved.clone();
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::ForgottenAtBound) {
            return self.finish(id);
        }
        self.rest(id);
        self.position_moved(id);
        self.remember_end(id, &saved);
        self.saver.urgent();
    }

    /// Puts a partition into the queue, unless nothing of it is left to read.
    pub(super) fn enqueue_within_bound(&mut self, id: &PartitionId) {
        let bound = self.limits.bound;
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let saved = &mut partition.saved;
        if saved.range.is_some() && is_behind(&saved.position, bound) {
            saved.read_to = saved.read_to.max(bound);
        }
        if bound.is_some() && saved.read_to >= bound {
            return self.rest(id);
        }
        saved.read_to = None;
        if !matches!(partition.state, State::Queued(_)) {
            self.enqueue(id);
        }
    }

    /// Whether a start there is behind the bound.
    pub(super) fn is_behind_bound(&self, position: &Resume) -> bool {
        is_behind(position, self.limits.bound)
    }

    /// Ranges at the bound give the tokens of keys that others lack. One that has no token, since
    /// nothing was said of it, is read again from where the others are. Says whether there is any.
    pub(super) fn ask_at_bound(
        &mut self,
        id: &PartitionId,
        lacking: &[KeyRange],
        now: Now,
    ) -> bool {
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::NotAskedAtBound) {
            return false;
        }
        let has_some = |partition: &Partition| {
            let own = partition.saved.range.as_ref();
            own.is_some_and(|own| lacking.iter().any(|part| part.intersection(own).is_some()))
        };
        let asked: Vec<_> = self
            .at_bound
            .iter()
            .filter(|id| self.partitions.get(*id).is_some_and(has_some))
            .cloned()
            .collect();
        for other in &asked {
            self.give_away(other, id, now);
        }
        if !asked.is_empty() && self.is_collecting(id) {
            self.rearm(id, now.monotonic);
        }
        !asked.is_empty()
    }

    fn give_away(&mut self, from: &PartitionId, to: &PartitionId, now: Now) {
        let bound = self.limits.bound;
        let Some((target, at)) = self.partitions.get(to).and_then(|to| {
            let range = to.saved.range.clone()?;
            Some((range, to.saved.position.at))
        }) else {
            return;
        };
        self.at_bound.remove(from);
        let Some(partition) = self.partitions.get_mut(from) else {
            return;
        };
        partition.state = State::Waiting;
        let tokens = partition.saved.position.tokens().to_vec();
        if tokens.is_empty() {
            partition.saved.read_to = None;
            // Nothing up to the bound is left in it, so any start from its own on will do.
            let at = at.max(partition.saved.start);
            let at = bound.map_or(at, |bound| at.min(bound));
            partition.saved.start = partition.saved.start.min(at);
            partition.saved.position = Resume::fresh(at);
            self.position_moved(from);
            return self.enqueue(from);
        }
        let successors = tokens.iter().flat_map(|token| cut(token, &target));
        self.closed(from, successors.collect(), now);
        self.finish(from);
    }

    fn rest(&mut self, id: &PartitionId) {
        self.unqueue(id);
        if let Some(partition) = self.partitions.get_mut(id) {
            partition.state = State::AtBound;
            self.at_bound.insert(id.clone());
        }
    }

    fn is_collecting(&self, id: &PartitionId) -> bool {
        self.partitions
            .get(id)
            .is_some_and(Partition::is_collecting)
    }
}

/// A start without a token behind the bound leaves nothing to read. With tokens the instant is an
/// estimate, and the stream says when it is at the bound.
fn is_behind(position: &Resume, bound: Option<jiff::Timestamp>) -> bool {
    position.tokens().is_empty() && bound.is_some_and(|bound| position.at > bound)
}

/// What of a token goes to the target, and what is read for itself.
fn cut(token: &RangeToken, target: &KeyRange) -> Vec<Successor> {
    let of = |range: &KeyRange| RangeToken {
        range: range.clone(),
        token: token.token.clone(),
    };
    let inside = token.range.intersection(target);
    let inside = inside.iter().map(|inside| Successor {
        target: target.clone(),
        token: of(inside),
    });
    let outside = token.range.without(target);
    let outside = outside.iter().map(|outside| Successor {
        target: outside.clone(),
        token: of(outside),
    });
    inside.chain(outside).collect()
}
