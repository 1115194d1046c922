//! A row mutation of Bigtable as JSON, with the names of the JSON deserializer.

use std::borrow::Cow;

use acequia_decode::bigtable::{self as decode, MutationBatch};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// A mutation.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutation<'a> {
    /// The id of the table.
    pub(super) table: Cow<'a, str>,
    pub(super) row_key: Bytes<'a>,
    /// Default: `user`.
    #[serde(default)]
    pub(super) mutation_type: MutationType,
    /// Empty for garbage collection, and for nothing else. Default: empty.
    #[serde(default)]
    pub(super) source_cluster_id: Cow<'a, str>,
    /// RFC 3339; whole microseconds.
    pub(super) commit_timestamp: Cow<'a, str>,
    /// Default: 0.
    #[serde(default)]
    pub(super) tie_breaker: i32,
    /// As the commit timestamp. Default: the commit timestamp.
    pub(super) estimated_low_watermark: Option<Cow<'a, str>>,
    pub(super) entries: Vec<Entry<'a>>,
}

/// Who made a mutation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MutationType {
    #[default]
    User,
    GarbageCollection,
}

/// What a mutation did. Timestamps are microseconds.
#[derive(Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Entry<'a> {
    SetCell {
        family: Cow<'a, str>,
        qualifier: Bytes<'a>,
        timestamp_micros: i64,
        value: Bytes<'a>,
    },
    DeleteCells {
        family: Cow<'a, str>,
        qualifier: Bytes<'a>,
        /// Inclusive. Default: 0, which is from the first.
        #[serde(default)]
        start_timestamp_micros: i64,
        /// Exclusive. Default: null, which is to the last, as 0 is on the wire.
        end_timestamp_micros: Option<i64>,
    },
    DeleteFamily {
        family: Cow<'a, str>,
    },
    AddToCell {
        family: Cow<'a, str>,
        qualifier: Bytes<'a>,
        timestamp_micros: i64,
        input: Input<'a>,
    },
    MergeToCell {
        family: Cow<'a, str>,
        qualifier: Bytes<'a>,
        timestamp_micros: i64,
        input: Input<'a>,
    },
}

/// What goes into an aggregate.
#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "a number, a text or {\"base64\":…}")]
pub(super) enum Input<'a> {
    Number(i64),
    Bytes(Bytes<'a>),
}

/// Bytes: a text where they are UTF-8, else an object with their standard, padded Base64. A text is
/// no object, so the two cannot be taken for each other.
#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "a text or {\"base64\":…}")]
pub(super) enum Bytes<'a> {
    Text(Cow<'a, str>),
    Base64 { base64: String },
}

impl<'a> Bytes<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(Cow::Borrowed(text)),
            Err(_) => Self::Base64 {
                base64: STANDARD.encode(bytes),
            },
        }
    }
}

impl<'a> Mutation<'a> {
    /// A mutation of a batch; one past it is empty.
    pub(crate) fn of(batch: &'a MutationBatch, index: usize) -> Self {
        let text = |texts: &'a acequia_decode::Texts| {
            String::from_utf8_lossy(texts.get(index).unwrap_or_default())
        };
        let mutation_type = match batch.is_garbage_collection.get(index) {
            Some(1) => MutationType::GarbageCollection,
            Some(_) | None => MutationType::User,
        };
        Self {
            table: Cow::Borrowed(&batch.table),
            row_key: Bytes::of(batch.row_keys.get(index).unwrap_or_default()),
            mutation_type,
            source_cluster_id: text(&batch.source_cluster_ids),
            commit_timestamp: text(&batch.commit_timestamps),
            tie_breaker: batch.tie_breakers.get(index).copied().unwrap_or_default(),
            estimated_low_watermark: Some(text(&batch.low_watermarks)),
            entries: batch.entries_of(index).map(Entry::of).collect(),
        }
    }
}

impl<'a> Entry<'a> {
    fn of(entry: decode::Entry<'a>) -> Self {
        let family = Cow::Borrowed(entry.family());
        let qualifier = Bytes::of(entry.qualifier().unwrap_or_default());
        match entry {
            decode::Entry::SetCell {
                timestamp_micros,
                value,
                ..
            } => Self::SetCell {
                family,
                qualifier,
                timestamp_micros,
                value: Bytes::of(value),
            },
            decode::Entry::DeleteCells {
                range_start_micros,
                range_end_micros,
                ..
            } => Self::DeleteCells {
                family,
                qualifier,
                start_timestamp_micros: range_start_micros,
                end_timestamp_micros: Some(range_end_micros).filter(|end| *end != 0),
            },
            decode::Entry::DeleteFamily { .. } => Self::DeleteFamily { family },
            decode::Entry::AddToCell {
                timestamp_micros,
                input,
                ..
            } => Self::AddToCell {
                family,
                qualifier,
                timestamp_micros,
                input: Input::of(input),
            },
            decode::Entry::MergeToCell {
                timestamp_micros,
                input,
                ..
            } => Self::MergeToCell {
                family,
                qualifier,
                timestamp_micros,
                input: Input::of(input),
            },
        }
    }
}

impl<'a> Input<'a> {
    fn of(input: decode::Input<'a>) -> Self {
        match input {
            decode::Input::Number(number) => Self::Number(number),
            decode::Input::Bytes(bytes) => Self::Bytes(Bytes::of(bytes)),
        }
    }
}
