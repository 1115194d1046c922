//! A deserializer of rows that fails on what their keys name: `"trap"` traps, `"long"` gives a value
//! without an output. Any other row is one output: its id, under its key.
//!
//! It stands on the raw bindings, since the SDK does not let an author write a wrong column.

#![forbid(unsafe_code)]

use acequia_guest::bindings::plugin::acequia::connector::types::{Blobs, Texts};
use acequia_guest::bindings::plugin::exports::acequia::connector::plugin;
use acequia_guest::bindings::rows_deserialize::exports::acequia::connector::rows_deserialize;
use acequia_guest::glue::Outputs;
use acequia_guest::rows::{Batch, Rows};
use acequia_guest::{ConfigError, Control, ControlOutput, Description};

/// The deserializer.
pub struct HostileRows;

impl plugin::Guest for HostileRows {
    fn describe() -> Description {
        Description::new("hostile-rows", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: String) -> Result<(), Vec<ConfigError>> {
        Ok(())
    }
}

impl rows_deserialize::Guest for HostileRows {
    fn deserialize(batch: Rows) -> Outputs {
        // Ends in the `unreachable` instruction.
        if has_row(&batch, "\"trap\"") {
            std::process::abort();
        }
        let values = if has_row(&batch, "\"long\"") {
            one_more(&batch.ids)
        } else {
            batch.ids.clone()
        };
        Outputs {
            source: (0..).zip(&batch.ids.ends).map(|(index, _)| index).collect(),
            keys: Blobs {
                bytes: batch.keys.bytes,
                ends: batch.keys.ends,
            },
            values,
            topics: Texts {
                bytes: Vec::new(),
                ends: Vec::new(),
            },
            failures: Vec::new(),
        }
    }

    fn deserialize_control(_event: Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

fn has_row(batch: &Rows, key: &str) -> bool {
    Batch::open(batch).is_ok_and(|batch| batch.iter().any(|row| row.key() == Some(key)))
}

/// The same texts, and an empty one.
fn one_more(texts: &Texts) -> Texts {
    let mut texts = texts.clone();
    texts.ends.extend(texts.ends.last().copied());
    texts
}

#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::plugin::export_plugin!(
    HostileRows with_types_in acequia_guest::bindings::plugin
);
#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::rows_deserialize::export_rows_deserialize!(
    HostileRows with_types_in acequia_guest::bindings::rows_deserialize
);
