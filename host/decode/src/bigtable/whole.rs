//! A mutation whose messages are all there.

use bytes::Bytes;
use jiff::Timestamp;

use super::Mutation;
use super::data_change::{CONTINUATION, DataChange, GARBAGE_COLLECTION, USER};
use crate::Malformed;
use crate::wire::utf8;

/// What the first message says of the mutation.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) row_key: Bytes,
    /// Empty for garbage collection.
    pub(super) source_cluster_id: Bytes,
    pub(super) commit: Timestamp,
    pub(super) tie_breaker: i32,
}

/// A mutation on the wire.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) head: Head,
    /// The messages before the last one.
    pub(super) before: Vec<Bytes>,
    pub(super) last: Bytes,
    pub(super) token: Box<str>,
    pub(super) low_watermark: Timestamp,
    /// Bytes of its frames.
    pub(super) bytes: u64,
}

impl Head {
    /// Reads the head of the first message.
    pub(super) fn read(change: &DataChange<'_>, message: &Bytes) -> Result<Self, Malformed> {
        let has_cluster = !change.source_cluster_id.is_empty();
        match (change.kind, has_cluster) {
            (USER, true) | (GARBAGE_COLLECTION, false) => {}
            (USER, false) => {
                return Err(Malformed::expected("a value").within("source_cluster_id"));
            }
            (GARBAGE_COLLECTION, true) => {
                let what = "no value for garbage collection";
                return Err(Malformed::expected(what).within("source_cluster_id"));
            }
            (CONTINUATION, _) => {
                let what = "USER or GARBAGE_COLLECTION before CONTINUATION";
                return Err(Malformed::expected(what).within("type"));
            }
            _ => {
                let what = "a type that is known; a newer Acequia may be needed";
                return Err(Malformed::expected(what).within("type"));
            }
        }
        let missing = |field| Malformed::expected("a value").within(field);
        if change.row_key.is_empty() {
            return Err(missing("row_key"));
        }
        Ok(Self {
            row_key: message.slice_ref(change.row_key),
            source_cluster_id: message.slice_ref(change.source_cluster_id.as_bytes()),
            commit: change.commit.ok_or_else(|| missing("commit_timestamp"))?,
            tie_breaker: change.tie_breaker,
        })
    }

    pub(super) fn is_garbage_collection(&self) -> bool {
        self.source_cluster_id.is_empty()
    }
}

impl Whole {
    /// The messages, in order.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Bytes> {
        self.before.iter().chain([&self.last])
    }

    /// What the batch takes besides the entries.
    pub(super) fn mutation(&self) -> Result<Mutation<'_>, Malformed> {
        let source_cluster_id = utf8(&self.head.source_cluster_id)?;
        Ok(Mutation {
            row_key: &self.head.row_key,
            source_cluster_id: Some(source_cluster_id).filter(|id| !id.is_empty()),
            commit: self.head.commit,
            tie_breaker: self.head.tie_breaker,
            low_watermark: self.low_watermark,
        })
    }
}
