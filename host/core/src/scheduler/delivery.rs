//! What readers say: items, ends, failures.

use crate::command::{Abort, Command};
use crate::event::{Now, ReadFailure};
use crate::id::{PartitionId, ReaderId};
use crate::item::Item;
use crate::ledger;
use crate::partition::{Next, State};
use crate::reading::check_order;
use crate::scheduler::Scheduler;

impl Scheduler {
    pub(super) fn delivered(&mut self, reader: &ReaderId, items: Vec<Item>, now: Now) {
        if !self.is_current(reader) {
            return;
        }
        let id = &reader.partition;
        for item in items {
            let next = match self.enter(id, item, now) {
                Ok(next) => next,
                Err(abort) => return self.abort(*abort),
            };
            if let Some(next) = next {
                self.close(id, next, now);
                break;
            }
        }
        self.pass(id, now);
    }

    /// The stream ended cleanly. What it means is decided when everything is acknowledged.
    pub(super) fn ended(&mut self, reader: &ReaderId, now: Now) {
        if !self.is_current(reader) {
            return;
        }
        let reading = self
            .partitions
            .get(&reader.partition)
            .and_then(|partition| partition.reading());
        let next = Next::CleanEnd {
            quiet: reading.is_some_and(|reading| !reading.delivered),
            children: reading.is_some_and(|reading| reading.delivered_children),
        };
        self.leave(&reader.partition, next, now);
    }

    pub(super) fn read_failed(&mut self, reader: &ReaderId, failure: ReadFailure, now: Now) {
        if !self.is_current(reader) {
            return;
        }
        let id = &reader.partition;
        match failure {
            ReadFailure::Retry { after, .. } => {
                self.stats.retries = self.stats.retries.saturating_add(1);
                self.leave(id, Next::Retry { after }, now);
            }
            ReadFailure::OutOfRange { cause } => self.leave(id, Next::OutOfRange { cause }, now),
            ReadFailure::Lost { cause } => {
                let outdated = false;
                self.leave(id, Next::Replan { cause, outdated }, now);
            }
            ReadFailure::Outdated { cause } => {
                let outdated = true;
                self.leave(id, Next::Replan { cause, outdated }, now);
            }
            ReadFailure::Fatal { cause } => self.abort(Abort::ReadFailed {
                partition: id.clone(),
                cause,
            }),
        }
    }

    /// Stops an open reader.
    pub(super) fn close(&mut self, id: &PartitionId, next: Next, now: Now) {
        let attempt = self
            .partitions
            .get_mut(id)
            .and_then(|partition| partition.open_reading_mut())
            .map(|reading| reading.attempt);
        if let Some(attempt) = attempt {
            self.outputs.push_back(Command::Close {
                reader: ReaderId {
                    partition: id.clone(),
                    attempt,
                },
            });
            self.leave(id, next, now);
        }
    }

    /// The reader is gone; its ledger is what remains.
    fn leave(&mut self, id: &PartitionId, next: Next, now: Now) {
        let Some(partition) = self.partitions.get_mut(id) else {
            return;
        };
        partition.state = match std::mem::replace(&mut partition.state, State::Waiting) {
            State::Open(reading) => {
                if reading.advanced {
                    partition.failures = 0;
                }
                State::Draining { reading, next }
            }
            other @ (State::Waiting
            | State::Collecting(_)
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. }
            | State::Draining { .. }) => other,
        };
        self.open.remove(id);
        self.draining.insert(id.clone());
        self.settle_if_drained(id, now);
    }

    /// Numbers one item. Says what follows if the reader must be closed after it.
    fn enter(
        &mut self,
        id: &PartitionId,
        item: Item,
        now: Now,
    ) -> Result<Option<Next>, Box<Abort>> {
        let caught_up = self.says_nothing_more(&item, now);
        let next = self.what_follows(id, &item);
        #[cfg(any(test, feature = "sabotage"))]
        let item = self.overtake(id, item, now);
        let Some(partition) = self.partitions.get_mut(id) else {
            return Ok(None);
        };
        let Some(reading) = partition.reading_mut() else {
            return Ok(None);
        };
        check_order(id, &item, reading.read)?;
        reading.note(id, &item);
        reading.quiet_since = now.monotonic;
        reading.caught_up = caught_up;
        if matches!(item, Item::Record { .. }) {
            self.stats.records = self.stats.records.saturating_add(1);
        }
        if let Some(bytes) = ledger::bytes_in_flight(&item) {
            self.credit.enter(bytes);
        }
        if reading.ledger.is_drained() {
            reading.undelivered_since = now.monotonic;
        }
        reading.ledger.push(item);
        if reading.advanced {
            partition.failures = 0;
        }
        Ok(next)
    }

    /// Whether the stream has come to its end for now. The low watermark of a row range may lag far
    /// behind while it has.
    fn says_nothing_more(&self, item: &Item, now: Now) -> bool {
        match item {
            Item::Heartbeat { at } => {
                let two = self.limits.heartbeat.saturating_mul(2);
                *at >= now.wall.checked_sub(two).unwrap_or(now.wall)
            }
            Item::Continuation { .. } => true,
            Item::Record { .. }
            | Item::Planned { .. }
            | Item::Resumable(_)
            | Item::Ranges { .. }
            | Item::Closed { .. }
            | Item::Children { .. }
            | Item::Started { .. }
            | Item::Finished { .. }
            | Item::MoveIn { .. }
            | Item::MoveOut { .. } => false,
        }
    }

    fn what_follows(&self, id: &PartitionId, item: &Item) -> Option<Next> {
        match item {
            Item::Finished { .. } | Item::Ranges { .. } | Item::Planned { .. } => {
                Some(Next::Finish)
            }
            Item::Closed { successors } if successors.is_empty() && self.limits.bound.is_none() => {
                Some(Next::CleanEnd {
                    quiet: false,
                    children: false,
                })
            }
            Item::Closed { successors } if successors.is_empty() => Some(Next::AtBound),
            Item::Closed { .. } => Some(Next::Finish),
            Item::MoveIn { at, sources } => {
                #[cfg(any(test, feature = "sabotage"))]
                if self.is_sabotaged(crate::Sabotage::MoveInIgnored) {
                    return None;
                }
                let met = sources
                    .iter()
                    .all(|source| self.is_acknowledged_to(source, *at, id));
                (!met).then(|| Next::MoveIn {
                    at: *at,
                    sources: sources.clone(),
                })
            }
            Item::Record { .. }
            | Item::Heartbeat { .. }
            | Item::Continuation { .. }
            | Item::Resumable(_)
            | Item::Children { .. }
            | Item::Started { .. }
            | Item::MoveOut { .. } => None,
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn overtake(&mut self, id: &PartitionId, item: Item, now: Now) -> Item {
        if self.is_sabotaged(crate::Sabotage::ClosedUnacknowledged)
            && let Item::Closed { successors } = item
        {
            self.closed(id, successors, now);
            let successors = Vec::new();
            return Item::Closed { successors };
        }
        let heartbeats = self.is_sabotaged(crate::Sabotage::HeartbeatOvertakes);
        if let (true, Some(partition)) = (heartbeats, self.partitions.get_mut(id)) {
            let position = &mut partition.saved.position;
            if let Item::Heartbeat { at } = item {
                position.pass_all_of(at);
            } else if let Item::Continuation {
                token,
                low_watermark,
            } = &item
                && let Some(range) = &partition.saved.range
            {
                position.pass_token(range, token.clone(), *low_watermark);
            }
        }
        item
    }
}
