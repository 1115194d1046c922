//! Writing a history out by hand, in the order in which it happened.

use bytes::Bytes;
use jiff::Timestamp;

use super::{
    History, Recorded,
    mutation::{Entry, Mutation, Source},
    topology::Boundaries,
};

/// The cluster of [`Builder::write`].
pub(super) const CLUSTER: &str = "cluster-1";

/// Why a history cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A step lies before an earlier one.
    #[error("something happened after {0} already: write steps in order of time")]
    Backwards(Timestamp),
    /// A row's mutations at one cluster are not in order, or two of them have the same commit timestamp
    /// and tie breaker.
    #[error(
        "row `{}` holds a commit at or after {at} already: commits of a row at a cluster are in \
         order", row_key.escape_ascii()
    )]
    RowBackwards {
        /// The row.
        row_key: Bytes,
        /// The later step's commit timestamp.
        at: Timestamp,
    },
    /// A commit timestamp has a finer fraction than the service's.
    #[error("{0} is not a whole microsecond, as commit timestamps are")]
    Fraction(Timestamp),
    /// A mutation is of no row.
    #[error("a row key cannot be empty")]
    NoRow,
    /// A partition is split where it begins.
    #[error("`{}` is a boundary already, or empty: split somewhere else", .0.escape_ascii())]
    Boundary(Bytes),
    /// Partitions are merged where none meet.
    #[error("no partitions meet at `{}`: merge where there is a boundary", .0.escape_ascii())]
    NoBoundary(Bytes),
}

/// A history in the making. A wrong step is kept and reported by [`Builder::build`].
#[derive(Clone, Debug)]
pub struct Builder {
    recorded: Recorded,
    error: Option<BuildError>,
}

impl Builder {
    pub(super) fn new(created: Timestamp) -> Self {
        Self {
            recorded: Recorded::new(created),
            error: None,
        }
    }

    /// Divides the key space at `keys` from the creation on. Before any other step.
    #[must_use]
    pub fn partitions(self, keys: &[&str]) -> Self {
        let created = self.recorded.created;
        let keys = keys.iter().map(|key| Bytes::from((*key).to_owned()));
        keys.fold(self, |builder, key| {
            builder.divide(created, |boundaries| boundaries.split(key))
        })
    }

    /// A user's mutation at `cluster-1`.
    #[must_use]
    pub fn write(
        self,
        at: Timestamp,
        row_key: impl Into<Bytes>,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Self {
        self.mutation(Mutation {
            row_key: row_key.into(),
            commit_timestamp: at,
            tie_breaker: 0,
            source: Source::User(CLUSTER.to_owned()),
            entries: entries.into_iter().collect(),
        })
    }

    /// What garbage collection deleted.
    #[must_use]
    pub fn collect(
        self,
        at: Timestamp,
        row_key: impl Into<Bytes>,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Self {
        self.mutation(Mutation {
            row_key: row_key.into(),
            commit_timestamp: at,
            tie_breaker: 0,
            source: Source::GarbageCollection,
            entries: entries.into_iter().collect(),
        })
    }

    /// A mutation, readable as soon as it is committed.
    #[must_use]
    pub fn mutation(self, mutation: Mutation) -> Self {
        self.replicated(mutation.commit_timestamp, mutation)
    }

    /// A mutation that can be read from `arrives` on. When that is longer after its commit than the
    /// script's replication delay, it lies below a low watermark that readers may have been told.
    #[must_use]
    pub fn replicated(mut self, arrives: Timestamp, mutation: Mutation) -> Self {
        let added = self.recorded.add(arrives, mutation);
        self.note(added)
    }

    /// A partition is split at `key`, which belongs to the second of the two.
    #[must_use]
    pub fn split(self, at: Timestamp, key: impl Into<Bytes>) -> Self {
        let key = key.into();
        self.divide(at, |boundaries| boundaries.split(key))
    }

    /// The two partitions that meet at `key` become one.
    #[must_use]
    pub fn merge(self, at: Timestamp, key: impl Into<Bytes>) -> Self {
        let key = key.into();
        self.divide(at, |boundaries| boundaries.merge(key))
    }

    /// The key space is divided at `keys` and nowhere else, whatever it was before: partitions end
    /// that overlap their successors in every possible way.
    #[must_use]
    pub fn divided(self, at: Timestamp, keys: &[&str]) -> Self {
        self.divide(at, |boundaries| {
            *boundaries = Boundaries::default();
            keys.iter()
                .try_for_each(|key| boundaries.split(Bytes::from((*key).to_owned())))
        })
    }

    /// The history, or the first thing that is wrong with it.
    ///
    /// # Errors
    /// The first step that cannot be.
    pub fn build(self) -> Result<History, BuildError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(History::of(self.recorded)),
        }
    }

    fn divide(
        mut self,
        at: Timestamp,
        change: impl FnOnce(&mut Boundaries) -> Result<(), BuildError>,
    ) -> Self {
        let divided = self.recorded.divide(at, change);
        self.note(divided)
    }

    fn note(mut self, step: Result<(), BuildError>) -> Self {
        self.error = self.error.or(step.err());
        self
    }
}

impl Boundaries {
    pub(super) fn split(&mut self, key: Bytes) -> Result<(), BuildError> {
        if self.add(key.clone()) {
            Ok(())
        } else {
            Err(BuildError::Boundary(key))
        }
    }

    pub(super) fn merge(&mut self, key: Bytes) -> Result<(), BuildError> {
        if self.remove(&key) {
            Ok(())
        } else {
            Err(BuildError::NoBoundary(key))
        }
    }
}
