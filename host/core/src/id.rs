//! Names of partitions, readers, items and saves.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The token of a partition, opaque. The root query has no token: its id is empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PartitionId(Arc<str>);

impl PartitionId {
    /// The partition with this token.
    pub fn new(token: &str) -> Self {
        Self(Arc::from(token))
    }

    /// The query without a token, which finds the first partitions.
    pub fn root() -> Self {
        Self::new("")
    }

    /// The query that plans a snapshot: what is read of it, in which parts. No token begins with `#`.
    pub fn plan() -> Self {
        Self::new("#")
    }

    /// The token; empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the query without a token.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the query that plans a snapshot.
    pub fn is_plan(&self) -> bool {
        &*self.0 == "#"
    }
}

impl fmt::Display for PartitionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match &*self.0 {
            "" => "the root query",
            "#" => "the plan",
            token => token,
        })
    }
}

impl fmt::Debug for PartitionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.as_str())
    }
}

impl From<String> for PartitionId {
    fn from(token: String) -> Self {
        Self::new(&token)
    }
}

impl From<PartitionId> for String {
    fn from(id: PartitionId) -> Self {
        id.as_str().to_owned()
    }
}

/// Number of an opening. It grows over the whole scheduler, so two readers never share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attempt(u64);

impl Attempt {
    /// The opening with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// One opening of one partition. Events of an earlier opening are stale.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReaderId {
    /// What is read.
    pub partition: PartitionId,
    /// Which opening it is.
    pub attempt: Attempt,
}

impl fmt::Display for ReaderId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}@{}", self.partition, self.attempt.0)
    }
}

/// Number of an item within one reader: from 0, in stream order, without holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(u64);

impl Seq {
    /// The item with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Number of a save. It grows with every save and goes on after a restart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Generation(u64);

impl Generation {
    /// The save with this number; 0 means that nothing was saved.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
