//! What is remembered of finished partitions, for people who look at a run.
//!
//! Nothing is decided from it, and no checkpoint has it: after a restart it begins anew.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::id::PartitionId;

/// A finished partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Its token.
    pub id: PartitionId,
    /// Whom it followed.
    pub parents: Vec<PartitionId>,
    /// Where its first query started.
    pub start: Timestamp,
    /// Where it ended: where its children start, or its last item.
    pub end: Timestamp,
}

/// The partitions that finished last.
#[derive(Debug, Default)]
pub(crate) struct History {
    past: VecDeque<Past>,
    forgotten: u64,
}

impl History {
    /// Adds one, and forgets the oldest past `max`.
    pub(crate) fn push(&mut self, past: Past, max: usize) {
        self.past.push_back(past);
        while self.past.len() > max {
            self.past.pop_front();
            self.forgotten = self.forgotten.saturating_add(1);
        }
    }

    /// The oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Past> {
        self.past.iter()
    }

    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten
    }
}
