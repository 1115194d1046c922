//! Batches of rows made by hand, for the native unit tests of a guest.
//!
//! ```
//! use acequia_guest::rows::testing::{Line, Source, batch};
//!
//! let rows = batch(
//!     &Source {
//!         table: "Singers",
//!         columns: &[("SingerId", r#"{"code":"INT64"}"#, true)],
//!         ..Source::default()
//!     },
//!     &[Line {
//!         key: r#"{"SingerId":"1"}"#,
//!         values: &[r#""1""#],
//!         ..Line::default()
//!     }],
//! );
//! assert_eq!(rows.cells.ends, [3]);
//! ```

use super::{Deserializer, Rows, glue};
pub use crate::testing::Outcome;
use crate::testing::{empty_texts, outcomes, push_text};

/// What all rows of a batch have in common. The default has empty texts and no columns.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each field is what the view of its name shows")]
pub struct Source<'a> {
    pub table: &'a str,
    pub read_timestamp: &'a str,
    pub partition: &'a str,
    /// Per column: its name, its type as JSON text, and whether it is part of the primary key.
    pub columns: &'a [(&'a str, &'a str, bool)],
}

/// One row. The default has empty texts and no values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<'a> {
    /// The id.
    pub id: &'a str,
    /// The primary key as JSON text; empty for none.
    pub key: &'a str,
    /// Per column: the value as JSON text.
    pub values: &'a [&'a str],
}

/// A batch of these rows.
#[must_use]
pub fn batch(source: &Source<'_>, lines: &[Line<'_>]) -> Rows {
    let mut rows = Rows {
        table: source.table.to_owned(),
        read_timestamp: source.read_timestamp.to_owned(),
        partition: source.partition.to_owned(),
        column_names: empty_texts(),
        column_types: empty_texts(),
        column_keys: Vec::new(),
        ids: empty_texts(),
        keys: empty_texts(),
        cells: empty_texts(),
    };
    for (name, type_json, is_primary_key) in source.columns {
        push_text(&mut rows.column_names, name);
        push_text(&mut rows.column_types, type_json);
        rows.column_keys.push(u8::from(*is_primary_key));
    }
    for line in lines {
        push_text(&mut rows.ids, line.id);
        push_text(&mut rows.keys, line.key);
        for value in line.values {
            push_text(&mut rows.cells, value);
        }
    }
    rows
}

/// Runs a deserializer over a batch as the exported component does: outputs first, then failures.
pub fn deserialize<T: Deserializer>(guest: &T, rows: &Rows) -> Vec<Outcome> {
    outcomes(&glue::deserialize(Some(guest), rows))
}
