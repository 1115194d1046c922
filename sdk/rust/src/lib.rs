//! What a plugin author depends on.
//!
//! A guest is a `cdylib` with one type that implements one of these traits, and one macro call:
//!
//! | trait | macro | world | what it does |
//! |---|---|---|---|
//! | [`spanner::Deserializer`] | [`export_spanner_deserializer!`] | `spanner-deserializer` | turns change records into outputs |
//! | [`spanner::RecordFilter`] | [`export_spanner_record_filter!`] | `spanner-record-filter` | drops change records by their values |
//! | [`bigtable::Deserializer`] | [`export_bigtable_deserializer!`] | `bigtable-deserializer` | turns row mutations into outputs |
//! | [`bigtable::RecordFilter`] | [`export_bigtable_record_filter!`] | `bigtable-record-filter` | drops row mutations by their values |
//! | [`NamesFilter`] | [`export_names_filter!`] | `names-filter` | chooses tables and columns, families and qualifiers by name |
//!
//! ```
//! use acequia_guest::spanner::{DataChange, Deserializer};
//! use acequia_guest::{ConfigError, Control, ControlOutput, Description, Failure, Output};
//!
//! struct Tables;
//!
//! impl Deserializer for Tables {
//!     fn describe() -> Description {
//!         Description::new("tables", env!("CARGO_PKG_VERSION"))
//!     }
//!
//!     fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
//!         Ok(Self)
//!     }
//!
//!     fn deserialize(&self, change: &DataChange<'_>, out: &mut Output) -> Result<(), Failure> {
//!         for row in change.mods() {
//!             out.push(row.keys().text().unwrap_or_default(), change.table());
//!         }
//!         Ok(())
//!     }
//!
//!     fn control(&self, _event: &Control) -> Vec<ControlOutput> {
//!         Vec::new()
//!     }
//! }
//!
//! acequia_guest::export_spanner_deserializer!(Tables);
//! # fn main() {}
//! ```
//!
//! The same for Bigtable, where a record is a row mutation and its parts are entries:
//!
//! ```
//! use acequia_guest::bigtable::{Deserializer, Mutation};
//! use acequia_guest::{ConfigError, Control, ControlOutput, Description, Failure, Output};
//!
//! struct Families;
//!
//! impl Deserializer for Families {
//!     fn describe() -> Description {
//!         Description::new("families", env!("CARGO_PKG_VERSION"))
//!     }
//!
//!     fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
//!         Ok(Self)
//!     }
//!
//!     fn deserialize(&self, mutation: &Mutation<'_>, out: &mut Output) -> Result<(), Failure> {
//!         for entry in mutation.entries() {
//!             out.push(mutation.row_key(), entry.family);
//!         }
//!         Ok(())
//!     }
//!
//!     fn control(&self, _event: &Control) -> Vec<ControlOutput> {
//!         Vec::new()
//!     }
//! }
//!
//! acequia_guest::export_bigtable_deserializer!(Families);
//! # fn main() {}
//! ```
//!
//! `cargo build --target wasm32-unknown-unknown` then gives a module that the host takes as it is.
//!
//! The contract's batches are columns; the views here ([`spanner::DataChange`],
//! [`bigtable::Mutation`]) read them as records without copying, and [`Output`] writes columns. An
//! author never sees an offset. A batch whose columns do not fit together fails record by record;
//! nothing here panics.

#![deny(unsafe_code)]

pub mod bigtable;
mod columns;
mod describe;
mod export;
pub mod json;
pub mod log;
mod names;
mod output;
pub mod spanner;
mod state;
pub mod testing;

#[doc(hidden)]
pub mod bindings;
#[doc(hidden)]
pub mod glue;

pub use bindings::plugin::acequia::connector::types::{
    ConfigError, Control, ControlOutput, Description, FailureKind, Gap, Parameter,
};
pub use columns::BadBatch;
pub use names::NamesFilter;
pub use output::{Buffers, Failure, Output};
