//! An Acequia deserializer: one flat JSON object per cell that was set or deleted.
//!
//! ```json
//! {"id":"…#0","table":"orders","row":"order#7","column":"state:paid",
//!  "at":"2026-01-31T12:00:00.000001Z","value":"yes"}
//! ```
//!
//! (on one line). `value` is null where cells were deleted, and `column` is `state:` and the
//! qualifier, or the family alone where all of it was deleted. The key of an output is the row key, so
//! that all changes of a row have the same.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use acequia_guest::bigtable::{Change, Deserializer, Entry, Mutation};
use acequia_guest::{
    ConfigError, Control, ControlOutput, Description, Failure, Output,
    export_bigtable_deserializer, json,
};

/// The deserializer. It takes no parameters.
struct Cells;

impl Deserializer for Cells {
    fn describe() -> Description {
        // The pointer says where the id stands in a value, so that consumers can drop repeats.
        // Remove `with_record_id` once values hold no id there, or are no JSON.
        Description::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_record_id("/id")
    }

    fn configure(config: &str) -> Result<Self, Vec<ConfigError>> {
        if config == "{}" {
            Ok(Self)
        } else {
            Err(vec![ConfigError::new("", "there are no parameters")])
        }
    }

    fn deserialize(&self, mutation: &Mutation<'_>, out: &mut Output) -> Result<(), Failure> {
        // A mutation that fails gives no output. What becomes of it is the operator's choice:
        // `on-failure` in the configuration.
        for entry in mutation.entries() {
            out.push(mutation.row_key(), value(mutation, &entry)?);
        }
        Ok(())
    }

    fn control(&self, event: &Control) -> Vec<ControlOutput> {
        let Control::Gap(gap) = event else {
            // A stream that follows no snapshot never sees another.
            return Vec::new();
        };
        let mut value = Vec::new();
        value.extend_from_slice(b"{\"id\":");
        json::string(&mut value, &gap.id);
        value.extend_from_slice(b",\"lost_from\":");
        json::string(&mut value, &gap.lost_from);
        value.extend_from_slice(b",\"resumed_at\":");
        json::string(&mut value, &gap.resumed_at);
        value.push(b'}');
        vec![ControlOutput {
            key: String::new(),
            // Only texts went in, so it is one.
            value: String::from_utf8(value).unwrap_or_default(),
            topic: String::new(),
        }]
    }
}

fn value(mutation: &Mutation<'_>, entry: &Entry<'_>) -> Result<Vec<u8>, Failure> {
    let (column, cell) = match entry.change {
        Change::SetCell {
            qualifier, value, ..
        } => (column(entry, qualifier)?, Some(text(value, "a value")?)),
        Change::DeleteCells { qualifier, .. } => (column(entry, qualifier)?, None),
        Change::DeleteFamily => (entry.family.to_owned(), None),
        Change::AddToCell { .. } | Change::MergeToCell { .. } => {
            return Err(Failure::unsupported("aggregates are not handled"));
        }
    };
    let mut value = Vec::new();
    value.extend_from_slice(b"{\"id\":");
    json::string(&mut value, &format!("{}#{}", mutation.id(), entry.index));
    value.extend_from_slice(b",\"table\":");
    json::string(&mut value, mutation.table());
    value.extend_from_slice(b",\"row\":");
    json::string(&mut value, text(mutation.row_key(), "the row key")?);
    value.extend_from_slice(b",\"column\":");
    json::string(&mut value, &column);
    value.extend_from_slice(b",\"at\":");
    json::string(&mut value, mutation.commit_timestamp());
    value.extend_from_slice(b",\"value\":");
    match cell {
        Some(cell) => json::string(&mut value, cell),
        None => value.extend_from_slice(b"null"),
    }
    value.push(b'}');
    Ok(value)
}

/// The column as a text: family, colon, qualifier.
fn column(entry: &Entry<'_>, qualifier: &[u8]) -> Result<String, Failure> {
    Ok(format!("{}:{}", entry.family, text(qualifier, "a qualifier")?))
}

/// Row keys, qualifiers and values are bytes; this component is for tables where they are texts.
fn text<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str, Failure> {
    std::str::from_utf8(bytes).map_err(|_| Failure::unsupported(format!("{what} is not UTF-8")))
}

export_bigtable_deserializer!(Cells);
