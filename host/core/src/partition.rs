//! One unfinished partition: what is saved of it, and what it does.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::SavedPartition;
use crate::credit::Credit;
use crate::id::PartitionId;
use crate::item::{Item, Mark};
use crate::ledger;
use crate::queue::Place;
use crate::range::KeyRange;
use crate::reading::{Noted, Reading};
use crate::resume::Covered;

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
    /// The number of the last opening; 0 before the first in this process.
    pub(crate) last_attempt: u64,
}

/// What a partition does.
#[derive(Debug)]
pub(crate) enum State {
    /// Waits for its dependencies.
    Waiting,
    /// Waits for the tokens of the rest of its range.
    Collecting(Collecting),
    /// Is read up to the bound.
    AtBound,
    /// Waits for a place.
    Queued(Place),
    /// Waits after a failure, for a timer.
    BackingOff { until: Duration },
    /// Is read.
    Open(Reading),
    /// Is closed; the ledger is not empty.
    Draining { reading: Reading, next: Next },
}

/// A row range some of whose keys are still read by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Collecting {
    /// When it is looked at next whether the others will ever come.
    pub(crate) look: Duration,
    /// Until when whoever reads the keys is waited for.
    pub(crate) until: Duration,
    /// When nobody is waited for any more.
    pub(crate) patience: Duration,
    /// The number of the last opening, of any partition, when the last token came.
    pub(crate) openings: u64,
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
    /// What the snapshot was planned with is gone; whether its instant is, too.
    Replan { cause: String, outdated: bool },
    /// Keys came in from these partitions.
    MoveIn {
        at: Timestamp,
        sources: Vec<PartitionId>,
    },
    /// The stream said that the partition is finished.
    Finish,
    /// The stream said that the row range is read up to the bound.
    AtBound,
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
            last_attempt: 0,
        }
    }

    /// Brings what the indexes will know up to the position.
    pub(crate) fn renote(&mut self) {
        self.noted = Noted::of(&self.saved.position);
    }

    /// The part of its range that no token speaks of, where it goes on from tokens.
    pub(crate) fn lacking(&self) -> Vec<KeyRange> {
        match (&self.saved.range, self.saved.position.tokens()) {
            (Some(_), []) | (None, _) => Vec::new(),
            (Some(range), tokens) => range.without_all(tokens.iter().map(|token| &token.range)),
        }
    }

    pub(crate) fn is_collecting(&self) -> bool {
        matches!(self.state, State::Collecting(_))
    }

    pub(crate) fn is_at_bound(&self) -> bool {
        matches!(self.state, State::AtBound)
    }

    pub(crate) fn reading(&self) -> Option<&Reading> {
        match &self.state {
            State::Open(reading) | State::Draining { reading, .. } => Some(reading),
            State::Waiting
            | State::Collecting(_)
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. } => None,
        }
    }

    pub(crate) fn reading_mut(&mut self) -> Option<&mut Reading> {
        match &mut self.state {
            State::Open(reading) | State::Draining { reading, .. } => Some(reading),
            State::Waiting
            | State::Collecting(_)
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. } => None,
        }
    }

    pub(crate) fn open_reading_mut(&mut self) -> Option<&mut Reading> {
        match &mut self.state {
            State::Open(reading) => Some(reading),
            State::Draining { .. }
            | State::Waiting
            | State::Collecting(_)
            | State::AtBound
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
            State::Waiting
            | State::Collecting(_)
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. } => return None,
        };
        while let Some(item) = reading.ledger.pop_passed() {
            *moved = true;
            if let Some(bytes) = ledger::bytes_in_flight(&item) {
                credit.leave(bytes);
            }
            match item {
                Item::Record {
                    at,
                    mark:
                        Mark::Sequence {
                            transaction,
                            sequence,
                        },
                    ..
                } => position.pass_record(at, transaction, sequence),
                Item::Record {
                    mark:
                        Mark::Token {
                            token,
                            low_watermark,
                        },
                    ..
                }
                | Item::Continuation {
                    token,
                    low_watermark,
                } => {
                    // The root query has no keys to go on with.
                    if let Some(range) = &self.saved.range {
                        position.pass_token(range, token, low_watermark);
                    }
                }
                Item::Record {
                    mark: Mark::Row { number },
                    ..
                } => position.pass_row(number),
                Item::Resumable(token) => position.pass_row_token(token),
                Item::Heartbeat { at } => position.pass_all_of(at),
                said @ (Item::Planned { .. }
                | Item::Ranges { .. }
                | Item::Closed { .. }
                | Item::Children { .. }
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
            Covered::Nothing | Covered::All | Covered::Tokens(_) | Covered::Rows(_) => 0,
        }
    }
}
