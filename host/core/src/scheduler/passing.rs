//! The acknowledged prefix: what moves when items are passed.

use jiff::Timestamp;

use crate::checkpoint::{Move, SinkState};
use crate::command::Abort;
use crate::event::Now;
use crate::id::{PartitionId, ReaderId, Seq};
use crate::item::Item;
use crate::reading::Noted;
use crate::scheduler::Scheduler;

impl Scheduler {
    /// All acknowledgements of the event count before anything is saved, so that positions and the
    /// state of the sink stay one cut.
    pub(super) fn durable(
        &mut self,
        acknowledged: Vec<(ReaderId, Seq)>,
        sink_state: SinkState,
        now: Now,
    ) {
        if sink_state != self.sink_state {
            self.sink_state = sink_state;
            self.saver.dirty = true;
        }
        for (reader, seq) in acknowledged {
            let reading = self
                .partitions
                .get_mut(&reader.partition)
                .and_then(|partition| partition.reading_mut());
            if let Some(reading) = reading.filter(|reading| reading.attempt == reader.attempt) {
                reading.ledger.acknowledge(seq);
                self.pass(&reader.partition, now);
            }
        }
    }

    /// Moves everything that the acknowledged prefix allows.
    pub(super) fn pass(&mut self, id: &PartitionId, now: Now) {
        #[cfg(any(test, feature = "sabotage"))]
        self.pass_without_acknowledgement(id);
        while let Some(partition) = self.partitions.get_mut(id) {
            let mut moved = false;
            let said = partition.pass_records(&mut self.credit, &mut moved);
            if moved {
                if let Some(reading) = partition.reading_mut() {
                    reading.undelivered_since = now.monotonic;
                }
                self.position_moved(id);
            }
            match said {
                Some(item) => self.apply(id, item, now),
                None => break,
            }
        }
        self.settle_if_drained(id, now);
    }

    fn apply(&mut self, id: &PartitionId, item: Item, now: Now) {
        match item {
            Item::Planned { at, parts, then } => self.planned(id, at, parts, then),
            Item::Ranges { start, ranges } => self.found_ranges(id, start, &ranges, now),
            Item::Closed { successors } => self.closed(id, successors, now),
            Item::Children { start, partitions } => self.children(id, start, partitions, now),
            Item::Started { at, partitions } => self.started(id, at, partitions, now),
            Item::MoveOut { at, destinations } => self.moved_out(id, at, destinations),
            Item::MoveIn { at, .. } | Item::Finished { at } => self.passed(id, at),
            Item::Record { .. }
            | Item::Heartbeat { .. }
            | Item::Continuation { .. }
            | Item::Resumable(_) => {}
        }
    }

    /// Everything before `at` is acknowledged.
    pub(super) fn passed(&mut self, id: &PartitionId, at: Timestamp) {
        if let Some(partition) = self.partitions.get_mut(id) {
            partition.saved.position.advance_to(at);
        }
        self.position_moved(id);
    }

    fn moved_out(&mut self, id: &PartitionId, at: Timestamp, destinations: Vec<PartitionId>) {
        self.passed(id, at);
        for destination in destinations {
            let settled = self.tombstones.contains_key(&destination)
                || self
                    .partitions
                    .get(&destination)
                    .is_some_and(|destination| destination.saved.position.at > at);
            let Some(partition) = self.partitions.get_mut(id) else {
                return;
            };
            // A repeat after opening again must not revive a move that is settled.
            let known = partition.saved.moves.get(&destination);
            if known.is_some_and(|known| known.at >= at) {
                continue;
            }
            partition
                .saved
                .moves
                .insert(destination.clone(), Move { at, settled });
            if !settled {
                self.links.sources.add(&destination, id);
            }
            self.saver.dirty = true;
        }
        self.wake_waiters(id);
    }

    /// Brings everything up to date that depends on where a partition is.
    pub(super) fn position_moved(&mut self, id: &PartitionId) {
        let limit = self.limits.boundary_transactions_max;
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        if partition.boundary_len() > limit {
            let at = partition.saved.position.at;
            return self.abort(Abort::BoundaryFull {
                partition: id.clone(),
                at,
                limit,
            });
        }
        self.saver.dirty = true;
        let before = partition.noted;
        let after = Noted::of(&partition.saved.position);
        if before == after {
            return;
        }
        partition.noted = after;
        self.watermarks.remove(before.watermark);
        self.watermarks.insert(after.watermark);
        if after.at > before.at {
            self.forget_before(id, after.at);
            self.settle_moves_into(id, after.at);
        }
        self.wake_waiters(id);
    }

    /// What is strictly before the position will not be read again.
    fn forget_before(&mut self, id: &PartitionId, at: Timestamp) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let announced = &mut partition.saved.announced;
        if !announced.is_empty() {
            let kept = announced
                .clone()
                .into_iter()
                .filter(|(_, start)| *start >= at);
            let gone = std::mem::replace(announced, kept.collect());
            for (started, _) in gone.iter().filter(|(_, start)| **start < at) {
                self.links.announcers.remove(started, id);
                self.saver.compactable.insert(started.clone());
            }
        }
        partition
            .saved
            .moves
            .retain(|_, moved| !moved.settled || moved.at >= at);
    }

    /// A destination whose position is past a move does not ask for its source again.
    pub(super) fn settle_moves_into(&mut self, id: &PartitionId, at: Timestamp) {
        for source in self.links.sources.of(id) {
            let unfinished = self
                .partitions
                .get_mut(&source)
                .map(|partition| (partition.saved.position.at, &mut partition.saved.moves));
            if let Some((position, moves)) = unfinished {
                if let Some(moved) = moves.get_mut(id).filter(|moved| moved.at < at) {
                    moved.settled = true;
                    if moved.at < position {
                        moves.remove(id);
                    }
                    self.links.sources.remove(id, &source);
                }
            } else if let Some(tombstone) = self.tombstones.get_mut(&source)
                && tombstone.moves.get(id).is_none_or(|moved| moved.at < at)
            {
                tombstone.moves.remove(id);
                self.links.sources.remove(id, &source);
                self.saver.compactable.insert(source);
            }
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn pass_without_acknowledgement(&mut self, id: &PartitionId) {
        if !self.is_sabotaged(crate::Sabotage::PositionPastPrefix) {
            return;
        }
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        let reading = partition.reading();
        let read = reading.map(|reading| reading.read);
        let last = reading.and_then(|reading| reading.ledger.last_token());
        let position = &mut partition.saved.position;
        if let (Some((token, at)), Some(range)) = (last, &partition.saved.range) {
            position.pass_token(range, token, at);
            return self.position_moved(id);
        }
        match read {
            Some(read) if read.has_all() => position.pass_all_of(read.at),
            Some(read) => position.advance_to(read.at),
            None => {}
        }
        self.position_moved(id);
    }
}
