//! A deserializer of Bigtable that fails on what row keys name: `trap` traps, `long` gives a value
//! without an output. Any other row is one output: its id, under its row key.
//!
//! It stands on the raw bindings, since the SDK does not let an author write a wrong column.

#![forbid(unsafe_code)]

use acequia_guest::bigtable::{Batch, Mutations};
use acequia_guest::bindings::bigtable_deserialize::exports::acequia::connector::bigtable_deserialize;
use acequia_guest::bindings::plugin::acequia::connector::types::Texts;
use acequia_guest::bindings::plugin::exports::acequia::connector::plugin;
use acequia_guest::glue::Outputs;
use acequia_guest::{ConfigError, Control, ControlOutput, Description};

/// The deserializer.
pub struct HostileMutations;

impl plugin::Guest for HostileMutations {
    fn describe() -> Description {
        Description::new("hostile-mutations", env!("CARGO_PKG_VERSION"))
    }

    fn configure(_config: String) -> Result<(), Vec<ConfigError>> {
        Ok(())
    }
}

impl bigtable_deserialize::Guest for HostileMutations {
    fn deserialize(batch: Mutations) -> Outputs {
        // Ends in the `unreachable` instruction.
        if has_row(&batch, b"trap") {
            std::process::abort();
        }
        let values = if has_row(&batch, b"long") {
            one_more(&batch.ids)
        } else {
            batch.ids.clone()
        };
        Outputs {
            source: (0..).zip(&batch.ids.ends).map(|(index, _)| index).collect(),
            keys: batch.row_keys,
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

fn has_row(batch: &Mutations, row_key: &[u8]) -> bool {
    Batch::open(batch).is_ok_and(|batch| batch.iter().any(|row| row.row_key() == row_key))
}

/// The same texts, and an empty one.
fn one_more(texts: &Texts) -> Texts {
    let mut texts = texts.clone();
    texts.ends.extend(texts.ends.last().copied());
    texts
}

#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::plugin::export_plugin!(
    HostileMutations with_types_in acequia_guest::bindings::plugin
);
#[cfg(target_arch = "wasm32")]
acequia_guest::bindings::bigtable_deserialize::export_bigtable_deserialize!(
    HostileMutations with_types_in acequia_guest::bindings::bigtable_deserialize
);
