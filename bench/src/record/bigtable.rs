//! The order as a mutation of a Bigtable row: nine cells of one family, about 620 bytes on the
//! wire.

use acequia_sandbox::bigtable::history::{Entry, Mutation, Source};
use jiff::Timestamp;
use serde_json::Value;

use super::{KEY, row};

/// The family of every cell.
const FAMILY: &str = "order";

/// When the cells were written: 2026-11-30T20:41:00.123Z, in whole milliseconds as Bigtable keeps it.
const WRITTEN_MICROS: i64 = 1_796_071_260_123_000;

/// An order that was placed: its key is the row's, its other columns are set.
#[must_use]
pub fn mutation() -> Mutation {
    let mut row = row();
    let key = row.remove(KEY).as_ref().map(text).unwrap_or_default();
    let cell = |(name, value): (&String, &Value)| {
        Entry::set(FAMILY, name.clone(), WRITTEN_MICROS, text(value))
    };
    Mutation {
        row_key: key.into(),
        commit_timestamp: Timestamp::UNIX_EPOCH,
        tie_breaker: 0,
        source: Source::User("main-c1".to_owned()),
        entries: row.iter().map(cell).collect(),
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
