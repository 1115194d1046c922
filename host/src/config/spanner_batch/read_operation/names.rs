//! What a read operation is called, so that a checkpoint can be told to be of another one.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{KeyBound, KeySet, ReadOperation};
use crate::config::spanner_batch::SqlValue;

impl ReadOperation {
    /// Its parts, each with what it is the name of. Values stand there by a digest: they may be parts
    /// of keys.
    pub(in crate::config) fn names(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Query(query) => {
                let params = query.params.iter();
                let values = params.map(|param| json!([param.name, param.value.json()]));
                let values: Vec<_> = values.collect();
                let digest = (!values.is_empty()).then(|| ("params", digest(&values.into())));
                std::iter::once(("query", query.sql.clone()))
                    .chain(digest)
                    .collect()
            }
            Self::Table(table) => {
                let index = table.index.iter().map(|index| ("index", index.clone()));
                std::iter::once(("table", table.table.clone()))
                    .chain(index)
                    .chain([
                        ("columns", table.columns.join(", ")),
                        ("key-set", key_set(&table.key_set)),
                    ])
                    .collect()
            }
        }
    }
}

fn key_set(keys: &KeySet) -> String {
    match keys {
        KeySet::All => "all".to_owned(),
        KeySet::Some { keys, ranges } => {
            let keys: Vec<_> = keys.iter().map(|key| parts(key)).collect();
            let ranges = ranges
                .iter()
                .map(|range| [bound(&range.start), bound(&range.end)]);
            let ranges: Vec<_> = ranges.collect();
            digest(&json!([keys, ranges]))
        }
    }
}

fn bound(bound: &KeyBound) -> Value {
    match bound {
        KeyBound::Closed(key) => json!(["closed", parts(key)]),
        KeyBound::Open(key) => json!(["open", parts(key)]),
    }
}

fn parts(key: &[SqlValue]) -> Value {
    key.iter().map(|part| part.json().clone()).collect()
}

/// Enough of a digest to tell two values apart.
fn digest(values: &Value) -> String {
    const BYTES: usize = 8;
    let digest = Sha256::digest(values.to_string());
    digest
        .iter()
        .take(BYTES)
        .fold(String::from("sha256:"), |mut text, byte| {
            // Writing to a text does not fail.
            let _written = write!(text, "{byte:02x}");
            text
        })
}
