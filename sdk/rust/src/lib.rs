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
//! | [`rows::Deserializer`] | [`export_rows_deserializer!`] | `rows-deserializer` | turns rows into outputs |
//! | [`rows::RecordFilter`] | [`export_rows_record_filter!`] | `rows-record-filter` | drops rows by their values |
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
//! The same for rows, where a record is a row of a table or of a query and its parts are cells:
//!
//! ```
//! use acequia_guest::rows::{Deserializer, Row};
//! use acequia_guest::{ConfigError, Control, ControlOutput, Description, Failure, Output};
//!
//! struct Names;
//!
//! impl Deserializer for Names {
//!     fn describe() -> Description {
//!         Description::new("names", env!("CARGO_PKG_VERSION"))
//!     }
//!
//!     fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
//!         Ok(Self)
//!     }
//!
//!     fn deserialize(&self, row: &Row<'_>, out: &mut Output) -> Result<(), Failure> {
//!         let name = row.column("Name").ok_or_else(|| Failure::unsupported("no column Name"))?;
//!         out.push(row.key().unwrap_or_default(), name.json);
//!         Ok(())
//!     }
//!
//!     fn control(&self, _event: &Control) -> Vec<ControlOutput> {
//!         Vec::new()
//!     }
//! }
//!
//! acequia_guest::export_rows_deserializer!(Names);
//! # fn main() {}
//! ```
//!
//! `cargo build --target wasm32-unknown-unknown` then gives a module that the host takes as it is.
//!
//! The contract's batches are columns; the views here ([`spanner::DataChange`],
//! [`bigtable::Mutation`], [`rows::Row`]) read them as records without copying, and [`Output`] writes columns. An
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
pub mod rows;
pub mod spanner;
mod state;
pub mod testing;

#[doc(hidden)]
pub mod bindings;
#[doc(hidden)]
pub mod glue;

pub use bindings::plugin::acequia::connector::types::{
    ConfigError, Control, ControlOutput, Description, FailureKind, Gap, Parameter, SnapshotRestart,
};
pub use columns::BadBatch;
pub use names::NamesFilter;
pub use output::{Buffers, Failure, Output};
