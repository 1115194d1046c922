//! Row ranges: who goes on with whose keys.
//!
//! At every moment each key belongs to one partition, or to one token that waits for others. A closed
//! range hands each of its keys on once: what several tokens name goes to the first, what a token
//! names beyond the closed range stays with whoever has it, and what no token names becomes a
//! partition without a token.
//!
//! Source: `google.bigtable.v2.ReadChangeStreamResponse.CloseStream`, whose example of a merge waits
//! for the tokens of all of its parts.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::event::Now;
use crate::id::PartitionId;
use crate::item::Successor;
use crate::partition::{Partition, State};
use crate::range::KeyRange;
use crate::resume::{Covered, RangeToken, Resume};
use crate::scheduler::Scheduler;

impl Scheduler {
    /// The service names the first partitions. Keys that it does not name rest.
    pub(super) fn found_ranges(
        &mut self,
        id: &PartitionId,
        start: Timestamp,
        ranges: &[KeyRange],
        now: Now,
    ) {
        let from = Resume::fresh(start);
        let own = self
            .partitions
            .get(id)
            .and_then(|it| it.saved.range.clone());
        let mut rest = vec![own.unwrap_or_else(KeyRange::all)];
        for range in ranges {
            for piece in take(&mut rest, range) {
                self.add_range([id.clone()].into(), piece, from.clone());
            }
        }
        self.rest_orphans(id, rest, &from, now);
    }

    /// A range is closed, and everything of it is acknowledged.
    pub(super) fn closed(&mut self, id: &PartitionId, successors: Vec<Successor>, now: Now) {
        let Some(partition) = self.partitions.get(id) else {
            return;
        };
        // Nobody goes on behind the bound.
        if successors.is_empty() {
            return;
        }
        let position = partition.saved.position.clone();
        let mut rest: Vec<_> = partition.saved.range.iter().cloned().collect();
        for Successor { target, token } in successors {
            #[cfg(any(test, feature = "sabotage"))]
            if self.is_sabotaged(crate::Sabotage::TokenUncut) {
                take(&mut rest, &token.range);
                self.hand_on(id, &target, token, position.at, now);
                continue;
            }
            for range in take(&mut rest, &token.range) {
                let token = RangeToken {
                    range,
                    token: token.token.clone(),
                };
                self.hand_on(id, &target, token, position.at, now);
            }
        }
        self.rest_orphans(id, rest, &Resume::fresh(position.at), now);
    }

    /// Gives a token to the range that is to go on with it.
    fn hand_on(
        &mut self,
        from: &PartitionId,
        target: &KeyRange,
        token: RangeToken,
        at: Timestamp,
        now: Now,
    ) {
        // What is not inside the target cannot be read there.
        let Some(inside) = target.intersection(&token.range) else {
            return self.add_token(from, token, at);
        };
        for outside in token.range.without(&inside) {
            let token = RangeToken {
                range: outside,
                token: token.token.clone(),
            };
            self.add_token(from, token, at);
        }
        let token = RangeToken {
            range: inside,
            token: token.token,
        };
        match self.collecting.get(target).cloned() {
            Some(id) => self.collect(from, &id, token, at, now),
            None if token.range == *target => self.add_token(from, token, at),
            None => {
                let id = self.add_tokens(from, target.clone(), token, at);
                self.rearm(&id, now.monotonic);
            }
        }
    }

    /// A range that one token is enough for.
    fn add_token(&mut self, from: &PartitionId, token: RangeToken, at: Timestamp) {
        self.add_tokens(from, token.range.clone(), token, at);
    }

    fn add_tokens(
        &mut self,
        from: &PartitionId,
        range: KeyRange,
        token: RangeToken,
        at: Timestamp,
    ) -> PartitionId {
        let position = Resume {
            at,
            covered: Covered::Tokens(vec![token]),
        };
        self.add_range([from.clone()].into(), range, position)
    }

    /// One more token. The range is read when they tile it.
    fn collect(
        &mut self,
        from: &PartitionId,
        id: &PartitionId,
        token: RangeToken,
        at: Timestamp,
        now: Now,
    ) {
        self.adopt(from, id);
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let mut tokens = partition.saved.position.tokens().to_vec();
        tokens.push(token);
        tokens.sort_by(|a, b| a.range.cmp(&b.range));
        partition.saved.position = Resume {
            at: partition.saved.position.at.min(at),
            covered: Covered::Tokens(tokens),
        };
        partition.saved.start = partition.saved.start.min(at);
        let complete = partition.lacking().is_empty();
        #[cfg(any(test, feature = "sabotage"))]
        let complete = complete || self.is_sabotaged(crate::Sabotage::MergeUntiled);
        self.position_moved(id);
        if complete {
            self.stop_collecting(id);
            self.stats.merges = self.stats.merges.saturating_add(1);
            self.enqueue(id);
        } else {
            self.rearm(id, now.monotonic);
        }
    }

    /// Keys that no token speaks of are read again from what is known of them.
    fn rest_orphans(&mut self, from: &PartitionId, rest: Vec<KeyRange>, at: &Resume, now: Now) {
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::OrphanForgotten) {
            return;
        }
        let after = self.limits.orphans_wait;
        for range in rest {
            if self.is_behind_bound(at) {
                self.add_range([from.clone()].into(), range, at.clone());
                continue;
            }
            self.stats.tokenless_restarts = self.stats.tokenless_restarts.saturating_add(1);
            let id = self.add_range([from.clone()].into(), range.clone(), at.clone());
            self.unqueue(&id);
            let until = now.monotonic.saturating_add(after);
            if let Some(partition) = self.partitions.get_mut(&id) {
                partition.state = State::BackingOff { until };
                self.timers.insert((until, id));
            }
            self.tell_reconciled(range, at.clone(), after);
        }
    }

    /// A new partition with these keys. Ranges come again, so each has a number in its name.
    pub(super) fn add_range(
        &mut self,
        parents: BTreeSet<PartitionId>,
        range: KeyRange,
        position: Resume,
    ) -> PartitionId {
        self.named = self.named.saturating_add(1);
        let id = PartitionId::new(&format!("{range}#{}", self.named));
        let mut partition = Partition::new(position.at, parents);
        partition.saved.range = Some(range);
        partition.saved.position = position;
        partition.renote();
        self.stats.found = self.stats.found.saturating_add(1);
        for parent in &partition.saved.parents {
            if let Some(parent) = self.partitions.get_mut(parent) {
                parent.saved.children.insert(id.clone());
            }
        }
        self.insert(id.clone(), partition);
        self.saver.urgent();
        id
    }

    /// `from` ends in `id`.
    fn adopt(&mut self, from: &PartitionId, id: &PartitionId) {
        if let Some(parent) = self.partitions.get_mut(from) {
            parent.saved.children.insert(id.clone());
        }
        if let Some(child) = self.partitions.get_mut(id) {
            child.saved.parents.insert(from.clone());
            self.links.unopened.add(from, id);
        }
        self.saver.urgent();
    }
}

/// Takes the keys of `range` out of `rest`.
fn take(rest: &mut Vec<KeyRange>, range: &KeyRange) -> Vec<KeyRange> {
    let taken = rest
        .iter()
        .filter_map(|piece| piece.intersection(range))
        .collect();
    *rest = rest.iter().flat_map(|piece| piece.without(range)).collect();
    taken
}
