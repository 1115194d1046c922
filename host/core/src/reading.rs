//! One opening of a partition: how far it is read, and what is not passed yet.

use std::time::Duration;

use jiff::Timestamp;

use crate::command::Abort;
use crate::event::Now;
use crate::id::{Attempt, PartitionId};
use crate::item::{Item, Mark};
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::resume::{Resume, one_tick_before};

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
    /// The token at which it was opened, if it is one.
    pub(crate) from_token: Option<Box<str>>,
    /// The number of the first row that it sends, of a part of a snapshot.
    pub(crate) from_row: u64,
    /// Whether it ends by itself: a part of a snapshot, or the plan of one.
    pub(crate) ends: bool,
    /// Whether the last item said that there is nothing more yet.
    pub(crate) caught_up: bool,
    /// Whether it said anything that was not known where it was opened.
    pub(crate) delivered: bool,
    /// Whether it is read past where it was opened.
    pub(crate) advanced: bool,
    pub(crate) delivered_children: bool,
}

/// A position without its boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) at: Timestamp,
    pub(crate) watermark: Timestamp,
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

    /// At the instant, of which nothing is known to be read, unless it was reached before.
    fn raised(self, at: Timestamp) -> Self {
        if at > self.at {
            Self {
                at,
                watermark: one_tick_before(at),
            }
        } else {
            self
        }
    }

    pub(crate) fn is_past(self, other: Self) -> bool {
        (self.at, self.watermark) > (other.at, other.watermark)
    }
}

impl Reading {
    /// One that begins now.
    pub(crate) fn begin(attempt: Attempt, position: &Resume, ends: bool, now: Now) -> Self {
        let from = Noted::of(position);
        let from_token = match position.tokens() {
            [only] => Some(only.token.clone()),
            _ => None,
        };
        Self {
            attempt,
            ledger: Ledger::default(),
            from,
            read: from,
            opened: now.monotonic,
            quiet_since: now.monotonic,
            held_since: None,
            undelivered_since: now.monotonic,
            from_token,
            from_row: position.rows_done(),
            ends,
            caught_up: false,
            delivered: false,
            advanced: false,
            delivered_children: false,
        }
    }

    /// How long it may say nothing. The first row of a query may take minutes.
    pub(crate) fn stall(&self, limits: &Limits) -> Duration {
        match self.ends {
            true => limits.snapshot_stall,
            false => limits.stall,
        }
    }

    /// How long it has waited for the server without being held.
    pub(crate) fn quiet_for(&self, now: Now) -> Duration {
        let until = self.held_since.unwrap_or(now.monotonic);
        until.saturating_sub(self.quiet_since)
    }

    /// Takes in how far the item goes.
    pub(crate) fn note(&mut self, id: &PartitionId, item: &Item) {
        self.read = read_after(item, self.read);
        self.advanced |= match item {
            Item::Record {
                mark: Mark::Token { .. },
                ..
            } => true,
            Item::Record {
                mark: Mark::Row { .. },
                ..
            } => true,
            Item::Resumable(token) => token.row > self.from_row,
            Item::Continuation { token, .. } => self.from_token.as_ref() != Some(token),
            Item::Record {
                mark: Mark::Sequence { .. },
                ..
            }
            | Item::Heartbeat { .. }
            | Item::Planned { .. }
            | Item::Ranges { .. }
            | Item::Closed { .. }
            | Item::Children { .. }
            | Item::Started { .. }
            | Item::Finished { .. }
            | Item::MoveIn { .. }
            | Item::MoveOut { .. } => self.read.is_past(self.from),
        };
        self.delivered |= !is_repeat(item, self);
        self.delivered_children |= announces_successors(id, item);
    }
}

/// Source: records of one query come in commit timestamp order, and after a heartbeat they are
/// above its timestamp
/// (<https://cloud.google.com/spanner/docs/change-streams/details#heartbeat-records>). Resuming
/// stands on that, so a stream that breaks it is not read on. A row range promises an order per row
/// only, and resumes by tokens.
pub(crate) fn check_order(id: &PartitionId, item: &Item, read: Noted) -> Result<(), Box<Abort>> {
    let (got, repeats) = match item {
        Item::Record {
            mark: Mark::Token { .. },
            ..
        }
        | Item::Continuation { .. }
        | Item::Resumable(_)
        | Item::Closed { .. } => return Ok(()),
        Item::Record { at, .. } => (*at, *at == read.at && read.has_all()),
        Item::Heartbeat { at }
        | Item::Planned { at, .. }
        | Item::Ranges { start: at, .. }
        | Item::Children { start: at, .. }
        | Item::Started { at, .. }
        | Item::Finished { at }
        | Item::MoveIn { at, .. }
        | Item::MoveOut { at, .. } => (*at, false),
    };
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
    matches!(item, Item::Heartbeat { .. } | Item::Continuation { .. }) && !reading.advanced
}

/// With mutable ranges the root query finds the first partitions by their start records.
fn announces_successors(id: &PartitionId, item: &Item) -> bool {
    match item {
        Item::Children { partitions, .. } => !partitions.is_empty(),
        Item::Started { partitions, .. } => id.is_root() && !partitions.is_empty(),
        Item::Record { .. }
        | Item::Heartbeat { .. }
        | Item::Continuation { .. }
        | Item::Planned { .. }
        | Item::Resumable(_)
        | Item::Ranges { .. }
        | Item::Closed { .. }
        | Item::Finished { .. }
        | Item::MoveIn { .. }
        | Item::MoveOut { .. } => false,
    }
}

fn read_after(item: &Item, read: Noted) -> Noted {
    match item {
        Item::Record {
            mark: Mark::Token { low_watermark, .. },
            ..
        }
        | Item::Continuation { low_watermark, .. } => read.raised(*low_watermark),
        Item::Closed { .. } | Item::Resumable(_) => read,
        Item::Heartbeat { at } => Noted {
            at: *at,
            watermark: *at,
        },
        Item::Record { at, .. }
        | Item::Planned { at, .. }
        | Item::Ranges { start: at, .. }
        | Item::Children { start: at, .. }
        | Item::Started { at, .. }
        | Item::Finished { at }
        | Item::MoveIn { at, .. }
        | Item::MoveOut { at, .. } => read.raised(*at),
    }
}
