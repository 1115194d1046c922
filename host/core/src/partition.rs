//! One unfinished partition: what is saved of it, and what it does.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::SavedPartition;
use crate::credit::Credit;
use crate::id::{Attempt, PartitionId};
use crate::item::Item;
use crate::ledger::{self, Ledger};
use crate::queue::Place;
use crate::resume::{Covered, Resume};

/// An unfinished partition.
#[derive(Debug)]
pub(crate) struct Partition {
    pub(crate) saved: SavedPartition,
    pub(crate) state: State,
    /// Openings in a row that did not get past where they began.
    pub(crate) failures: u32,
    /// Whether the last query ended cleanly with the bound in the past.
    pub(crate) ended_at_bound: bool,
    /// The position that the indexes know of.
    pub(crate) noted: Noted,
}

/// A position without its boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) at: Timestamp,
    pub(crate) watermark: Timestamp,
}

/// What a partition does.
#[derive(Debug)]
pub(crate) enum State {
    /// Waits for its dependencies.
    Waiting,
    /// Waits for a place.
    Queued(Place),
    /// Waits after a failure, for a timer.
    BackingOff { until: Duration },
    /// Is read.
    Open(Reading),
    /// Is closed; the ledger is not empty.
    Draining { reading: Reading, next: Next },
}

/// What follows when the ledger is empty.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// Open again when it is its turn.
    Requeue,
    /// The stream ended cleanly.
    CleanEnd {
        /// This reader delivered nothing.
        quiet: bool,
        /// This reader delivered children. Those of an earlier one may be a part of them.
        children: bool,
    },
    /// The stream failed.
    Retry { after: Option<Duration> },
    /// The server said OUT_OF_RANGE.
    OutOfRange { cause: String },
    /// Keys came in from these partitions.
    MoveIn {
        at: Timestamp,
        sources: Vec<PartitionId>,
    },
    /// The stream said that the partition is finished.
    Finish,
}

/// One opening.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) attempt: Attempt,
    pub(crate) ledger: Ledger,
    /// Where it was opened.
    pub(crate) from: Noted,
    /// What was read: the instant, and whether all of it.
    pub(crate) read: Noted,
    pub(crate) opened: Duration,
    /// Since when it waits for the server; moved forward by the time that it was held.
    pub(crate) quiet_since: Duration,
    /// Since when it is held.
    pub(crate) held_since: Option<Duration>,
    /// Since when the first item of the ledger has waited to be acknowledged, while it has items.
    pub(crate) undelivered_since: Duration,
    /// Whether the last item was a heartbeat near the wall clock.
    pub(crate) caught_up: bool,
    /// Whether it said anything that was not known where it was opened.
    pub(crate) delivered: bool,
    pub(crate) delivered_children: bool,
}

impl Noted {
    pub(crate) fn of(position: &Resume) -> Self {
        Self {
            at: position.at,
            watermark: position.watermark(),
        }
    }

    pub(crate) fn has_all(self) -> bool {
        self.watermark == self.at
    }

    pub(crate) fn is_past(self, other: Self) -> bool {
        (self.at, self.watermark) > (other.at, other.watermark)
    }
}

impl Partition {
    pub(crate) fn new(start: Timestamp, parents: BTreeSet<PartitionId>) -> Self {
        Self::restored(SavedPartition::found(start, parents))
    }

    pub(crate) fn restored(saved: SavedPartition) -> Self {
        let noted = Noted::of(&saved.position);
        Self {
            saved,
            state: State::Waiting,
            failures: 0,
            ended_at_bound: false,
            noted,
        }
    }

    pub(crate) fn reading(&self) -> Option<&Reading> {
        match &self.state {
            State::Open(reading) | State::Draining { reading, .. } => Some(reading),
            State::Waiting | State::Queued(_) | State::BackingOff { .. } => None,
        }
    }

    pub(crate) fn reading_mut(&mut self) -> Option<&mut Reading> {
        match &mut self.state {
            State::Open(reading) | State::Draining { reading, .. } => Some(reading),
            State::Waiting | State::Queued(_) | State::BackingOff { .. } => None,
        }
    }

    pub(crate) fn open_reading_mut(&mut self) -> Option<&mut Reading> {
        match &mut self.state {
            State::Open(reading) => Some(reading),
            State::Draining { .. }
            | State::Waiting
            | State::Queued(_)
            | State::BackingOff { .. } => None,
        }
    }

    /// Moves the position past acknowledged records and heartbeats. Gives the next acknowledged
    /// item of another kind, if there is one, and sets `moved` if anything was passed.
    pub(crate) fn pass_records(&mut self, credit: &mut Credit, moved: &mut bool) -> Option<Item> {
        let position = &mut self.saved.position;
        let reading = match &mut self.state {
            State::Open(reading) | State::Draining { reading, .. } => reading,
            State::Waiting | State::Queued(_) | State::BackingOff { .. } => return None,
        };
        while let Some(item) = reading.ledger.pop_passed() {
            *moved = true;
            if let Some(bytes) = ledger::bytes_in_flight(&item) {
                credit.leave(bytes);
            }
            match item {
                Item::Record {
                    at,
                    transaction,
                    sequence,
                    ..
                } => position.pass_record(at, transaction, sequence),
                Item::Heartbeat { at } => position.pass_all_of(at),
                said @ (Item::Children { .. }
                | Item::Started { .. }
                | Item::Finished { .. }
                | Item::MoveIn { .. }
                | Item::MoveOut { .. }) => return Some(said),
            }
        }
        None
    }

    pub(crate) fn boundary_len(&self) -> usize {
        match &self.saved.position.covered {
            Covered::Some(boundary) => boundary.len(),
            Covered::Nothing | Covered::All => 0,
        }
    }
}
