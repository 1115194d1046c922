//! What readers say: items, ends, failures.

use std::time::Duration;

use jiff::Timestamp;

use crate::command::{Abort, Command};
use crate::event::{Now, ReadFailure};
use crate::id::{PartitionId, ReaderId};
use crate::item::Item;
use crate::ledger;
use crate::partition::{Next, Noted, Reading, State};
use crate::resume::one_tick_before;
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
                if reading.read.is_past(reading.from) {
                    partition.failures = 0;
                }
                State::Draining { reading, next }
            }
            other @ (State::Waiting
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
        let is_near_now = |at: Timestamp| {
            let oldest = now
                .wall
                .checked_sub(self.limits.heartbeat.saturating_mul(2));
            at >= oldest.unwrap_or(now.wall)
        };
        let caught_up = matches!(item, Item::Heartbeat { at } if is_near_now(at));
        let next = self.what_follows(id, &item);
        #[cfg(any(test, feature = "sabotage"))]
        self.overtake(id, &item);
        let Some(partition) = self.partitions.get_mut(id) else {
            return Ok(None);
        };
        let Some(reading) = partition.reading_mut() else {
            return Ok(None);
        };
        check_order(id, &item, reading.read)?;
        reading.read = read_after(&item, reading.read);
        reading.delivered |= !is_repeat(&item, reading);
        reading.delivered_children |= announces_successors(id, &item);
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
        if reading.read.is_past(reading.from) {
            partition.failures = 0;
        }
        Ok(next)
    }

    fn what_follows(&self, id: &PartitionId, item: &Item) -> Option<Next> {
        match item {
            Item::Finished { .. } => Some(Next::Finish),
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
            | Item::Children { .. }
            | Item::Started { .. }
            | Item::MoveOut { .. } => None,
        }
    }

    #[cfg(any(test, feature = "sabotage"))]
    fn overtake(&mut self, id: &PartitionId, item: &Item) {
        if !self.is_sabotaged(crate::Sabotage::HeartbeatOvertakes) {
            return;
        }
        if let (Item::Heartbeat { at }, Some(partition)) = (item, self.partitions.get_mut(id)) {
            partition.saved.position.pass_all_of(*at);
        }
    }
}

/// Source: records of one query come in commit timestamp order, and after a heartbeat they are
/// above its timestamp
/// (<https://cloud.google.com/spanner/docs/change-streams/details#heartbeat-records>). Resuming
/// stands on that, so a stream that breaks it is not read on.
fn check_order(id: &PartitionId, item: &Item, read: Noted) -> Result<(), Box<Abort>> {
    let got = item.at();
    let repeats = matches!(item, Item::Record { .. }) && got == read.at && read.has_all();
    if got < read.at || repeats {
        return Err(Box::new(Abort::OutOfOrder {
            partition: id.clone(),
            got,
            after: read.at,
        }));
    }
    Ok(())
}

/// A start is inclusive, so a heartbeat at it comes again in every opening and says nothing new.
/// Records that come again are dropped before they get here.
fn is_repeat(item: &Item, reading: &Reading) -> bool {
    matches!(item, Item::Heartbeat { .. }) && !reading.read.is_past(reading.from)
}

/// With mutable ranges the root query finds the first partitions by their start records.
fn announces_successors(id: &PartitionId, item: &Item) -> bool {
    match item {
        Item::Children { partitions, .. } => !partitions.is_empty(),
        Item::Started { partitions, .. } => id.is_root() && !partitions.is_empty(),
        Item::Record { .. }
        | Item::Heartbeat { .. }
        | Item::Finished { .. }
        | Item::MoveIn { .. }
        | Item::MoveOut { .. } => false,
    }
}

fn read_after(item: &Item, read: Noted) -> Noted {
    let at = item.at();
    let watermark = if matches!(item, Item::Heartbeat { .. }) {
        at
    } else if at > read.at {
        one_tick_before(at)
    } else {
        read.watermark
    };
    Noted { at, watermark }
}

impl Reading {
    /// How long it has waited for the server without being held.
    pub(super) fn quiet_for(&self, now: Now) -> Duration {
        let until = self.held_since.unwrap_or(now.monotonic);
        until.saturating_sub(self.quiet_since)
    }
}
