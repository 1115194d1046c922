//! Batches of mutations made by hand, for the native unit tests of a guest.
//!
//! ```
//! use acequia_guest::bigtable::Change;
//! use acequia_guest::bigtable::testing::{Row, batch};
//!
//! let mutations = batch("Orders", &[Row {
//!     row_key: b"order#7",
//!     entries: &[("state", Change::DeleteFamily)],
//!     ..Row::default()
//! }]);
//! assert_eq!(mutations.entry_ends, [1]);
//! ```

use super::{Change, Deserializer, Input, Mutations, glue};
use crate::bindings::plugin::acequia::connector::types::Times;
pub use crate::testing::Outcome;
use crate::testing::{count, empty_blobs, empty_texts, outcomes, push_blob, push_text};

/// A mutation of one row. The default has empty texts, an empty row key and no entries.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each field is what the view of its name shows")]
pub struct Row<'a> {
    pub id: &'a str,
    pub row_key: &'a [u8],
    pub is_garbage_collection: bool,
    pub source_cluster_id: &'a str,
    pub commit_timestamp: &'a str,
    pub commit_time: (i64, u32),
    pub tie_breaker: i32,
    pub estimated_low_watermark: &'a str,
    /// Per entry: the family, and what was done to it.
    pub entries: &'a [(&'a str, Change<'a>)],
}

/// A batch of these mutations of a table.
#[must_use]
pub fn batch(table: &str, rows: &[Row<'_>]) -> Mutations {
    let mut mutations = empty(table);
    for row in rows {
        push(&mut mutations, row);
    }
    mutations
}

/// Runs a deserializer over a batch as the exported component does: outputs first, then failures.
pub fn deserialize<T: Deserializer>(guest: &T, mutations: &Mutations) -> Vec<Outcome> {
    outcomes(&glue::deserialize(Some(guest), mutations))
}

fn push(to: &mut Mutations, row: &Row<'_>) {
    push_text(&mut to.ids, row.id);
    push_blob(&mut to.row_keys, row.row_key);
    to.is_garbage_collection
        .push(u8::from(row.is_garbage_collection));
    push_text(&mut to.source_cluster_ids, row.source_cluster_id);
    push_text(&mut to.commit_timestamps, row.commit_timestamp);
    to.commit_times.seconds.push(row.commit_time.0);
    to.commit_times.nanos.push(row.commit_time.1);
    to.tie_breakers.push(row.tie_breaker);
    push_text(&mut to.low_watermarks, row.estimated_low_watermark);
    for (family, change) in row.entries {
        to.entry_families.push(count(to.families.ends.len()));
        push_text(&mut to.families, family);
        push_cells(to, &Cells::of(change));
    }
    to.entry_ends.push(count(to.entry_kinds.len()));
}

/// The columns of an entry, where each that its kind does not have is 0 or empty.
#[derive(Default)]
struct Cells<'a> {
    kind: u8,
    qualifier: &'a [u8],
    timestamp_micros: i64,
    value: &'a [u8],
    addend: Option<i64>,
    start_micros: i64,
    end_micros: i64,
}

impl<'a> Cells<'a> {
    fn of(change: &Change<'a>) -> Self {
        match *change {
            Change::SetCell {
                qualifier,
                timestamp_micros,
                value,
            } => Self {
                qualifier,
                timestamp_micros,
                value,
                ..Self::default()
            },
            Change::DeleteCells {
                qualifier,
                start_micros,
                end_micros,
            } => Self {
                kind: 1,
                qualifier,
                start_micros,
                end_micros: end_micros.unwrap_or_default(),
                ..Self::default()
            },
            Change::DeleteFamily => Self {
                kind: 2,
                ..Self::default()
            },
            Change::AddToCell {
                qualifier,
                timestamp_micros,
                input,
            } => Self {
                kind: 3,
                qualifier,
                timestamp_micros,
                ..Self::input(input)
            },
            Change::MergeToCell {
                qualifier,
                timestamp_micros,
                input,
            } => Self {
                kind: 4,
                qualifier,
                timestamp_micros,
                ..Self::input(input)
            },
        }
    }

    fn input(input: Input<'a>) -> Self {
        match input {
            Input::Number(number) => Self {
                addend: Some(number),
                ..Self::default()
            },
            Input::Bytes(value) => Self {
                value,
                ..Self::default()
            },
        }
    }
}

fn push_cells(to: &mut Mutations, cells: &Cells<'_>) {
    to.entry_kinds.push(cells.kind);
    push_blob(&mut to.qualifiers, cells.qualifier);
    to.timestamps_micros.push(cells.timestamp_micros);
    push_blob(&mut to.values, cells.value);
    to.has_addend.push(u8::from(cells.addend.is_some()));
    to.addends.push(cells.addend.unwrap_or_default());
    to.range_starts_micros.push(cells.start_micros);
    to.range_ends_micros.push(cells.end_micros);
}

fn empty(table: &str) -> Mutations {
    Mutations {
        table: table.to_owned(),
        ids: empty_texts(),
        row_keys: empty_blobs(),
        is_garbage_collection: Vec::new(),
        source_cluster_ids: empty_texts(),
        commit_timestamps: empty_texts(),
        commit_times: Times {
            seconds: Vec::new(),
            nanos: Vec::new(),
        },
        tie_breakers: Vec::new(),
        low_watermarks: empty_texts(),
        entry_ends: Vec::new(),
        families: empty_texts(),
        entry_kinds: Vec::new(),
        entry_families: Vec::new(),
        qualifiers: empty_blobs(),
        timestamps_micros: Vec::new(),
        values: empty_blobs(),
        has_addend: Vec::new(),
        addends: Vec::new(),
        range_starts_micros: Vec::new(),
        range_ends_micros: Vec::new(),
    }
}
