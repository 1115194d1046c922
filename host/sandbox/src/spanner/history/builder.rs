//! Writing a history out by hand, in the order in which it happened.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    History, Recorded,
    capture::RowChange,
    change::{DataChange, End, Entry, ValueCapture},
};

/// Why a history cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A step names a partition that was not begun.
    #[error("partition `{0}` does not exist: begin it with `partition`, or as a child of another")]
    Unknown(String),
    /// A token is begun twice.
    #[error("partition `{0}` exists already: choose another token")]
    Twice(String),
    /// A step adds to a partition whose life has ended.
    #[error("partition `{0}` has ended: add to the ones that follow it")]
    Ended(String),
    /// A step lies before what its partition already holds.
    #[error("partition `{token}` already holds something after {at}: write steps in order of time")]
    Backwards {
        /// The partition.
        token: String,
        /// The step's instant.
        at: Timestamp,
    },
}

/// A history in the making. A wrong step is kept and reported by [`Builder::build`].
#[derive(Clone, Debug)]
pub struct Builder {
    pub(super) recorded: Recorded,
    error: Option<BuildError>,
}

/// One transaction in the making.
#[derive(Clone, Debug, Default)]
pub struct Commit {
    pub(super) parts: Vec<(String, Vec<RowChange>)>,
    pub(super) id: Option<String>,
    pub(super) tag: String,
    pub(super) system: bool,
}

impl Commit {
    /// A transaction without changes or tag, whose id will be given in order.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What it changed in the key range of `token`.
    #[must_use]
    pub fn on(mut self, token: &str, changes: impl IntoIterator<Item = RowChange>) -> Self {
        self.parts
            .push((token.to_owned(), changes.into_iter().collect()));
        self
    }

    /// Its `server_transaction_id`.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    /// Its transaction tag.
    #[must_use]
    pub fn tag(mut self, tag: &str) -> Self {
        tag.clone_into(&mut self.tag);
        self
    }

    /// Marks it as Spanner's own (TTL, backfill).
    #[must_use]
    pub fn system(mut self) -> Self {
        self.system = true;
        self
    }
}

impl Builder {
    pub(super) fn new(created: Timestamp) -> Self {
        let recorded = Recorded::new(created, ValueCapture::default());
        Self {
            recorded,
            error: None,
        }
    }

    /// Which values later commits record. Default: `OLD_AND_NEW_VALUES`.
    #[must_use]
    pub fn capture(mut self, capture: ValueCapture) -> Self {
        self.recorded.capture = capture;
        self
    }

    /// A first partition, as old as the stream.
    #[must_use]
    pub fn partition(mut self, token: &str) -> Self {
        let created = self.recorded.created;
        let begun = self.recorded.begin(token, &[], created);
        self.note(begun)
    }

    /// A transaction that changed rows of one partition.
    #[must_use]
    pub fn commit(
        self,
        at: Timestamp,
        token: &str,
        changes: impl IntoIterator<Item = RowChange>,
    ) -> Self {
        self.transaction(at, Commit::new().on(token, changes))
    }

    /// A transaction, on any number of partitions.
    #[must_use]
    pub fn transaction(mut self, at: Timestamp, commit: Commit) -> Self {
        let added = self.recorded.transaction(at, &commit);
        self.note(added)
    }

    /// A record as it is, for what the other steps do not make.
    #[must_use]
    pub fn record(mut self, token: &str, change: DataChange) -> Self {
        let added = self.recorded.add(token, Entry::Change(Arc::new(change)));
        self.note(added)
    }

    /// A heartbeat among the records.
    #[must_use]
    pub fn heartbeat(mut self, at: Timestamp, token: &str) -> Self {
        let added = self.recorded.add(token, Entry::Heartbeat(at));
        self.note(added)
    }

    /// `token` ends and its key range is divided among `children`.
    #[must_use]
    pub fn split(mut self, at: Timestamp, token: &str, children: &[&str]) -> Self {
        let ended = self.recorded.split(at, token, children);
        self.note(ended)
    }

    /// `parents` end and `child` holds all of their key ranges.
    #[must_use]
    pub fn merge(mut self, at: Timestamp, parents: &[&str], child: &str) -> Self {
        let ended = self.recorded.merge(at, parents, child);
        self.note(ended)
    }

    /// `token` ends and `child` holds its key range.
    #[must_use]
    pub fn moved(mut self, at: Timestamp, token: &str, child: &str) -> Self {
        let ended = self.recorded.move_to(at, token, child);
        self.note(ended)
    }

    /// Mutable key ranges: `by` announces new partitions.
    #[must_use]
    pub fn starts(mut self, at: Timestamp, by: &str, tokens: &[&str]) -> Self {
        let started = self.recorded.starts(at, by, tokens);
        self.note(started)
    }

    /// Mutable key ranges: a key range goes from one partition to another.
    #[must_use]
    pub fn moves_range(mut self, at: Timestamp, from: &str, to: &str) -> Self {
        let moved = self.recorded.moves_range(at, from, to);
        self.note(moved)
    }

    /// Mutable key ranges: `token` ends.
    #[must_use]
    pub fn closes(mut self, at: Timestamp, token: &str) -> Self {
        self.recorded.mutable = true;
        let ended = self.recorded.end(at, token, End::Closed);
        self.note(ended)
    }

    /// The history, or the first thing that is wrong with it.
    ///
    /// # Errors
    /// The first step that cannot be.
    pub fn build(self) -> Result<History, BuildError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(History {
                recorded: self.recorded,
                growth: None,
                flood: None,
            }),
        }
    }

    fn note(mut self, step: Result<(), BuildError>) -> Self {
        self.error = self.error.or(step.err());
        self
    }
}
