//! What a plugin author depends on.
//!
//! A guest is a `cdylib` with one type that implements one of three traits, and one macro call:
//!
//! | trait | macro | world | what it does |
//! |---|---|---|---|
//! | [`Deserializer`] | [`export_deserializer!`] | `spanner-deserializer` | turns change records into outputs |
//! | [`RecordFilter`] | [`export_record_filter!`] | `spanner-record-filter` | drops change records by their values |
//! | [`NamesFilter`] | [`export_names_filter!`] | `names-filter` | chooses tables and columns by name |
//!
//! ```
//! use acequia_guest::{
//!     ConfigError, Control, ControlOutput, DataChange, Description, Deserializer, Failure, Output,
//! };
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
//! acequia_guest::export_deserializer!(Tables);
//! # fn main() {}
//! ```
//!
//! `cargo build --target wasm32-unknown-unknown` then gives a module that the host takes as it is.
//!
//! The contract's batches are columns; the views here ([`DataChange`], [`Mod`], [`Object`]) read
//! them as records without copying, and [`Output`] writes columns. An author never sees an offset.
//! A batch whose columns do not fit together fails record by record; nothing here panics.

#![deny(unsafe_code)]

mod batch;
mod change;
mod columns;
mod describe;
mod deserializer;
mod filters;
pub mod json;
pub mod log;
mod output;
mod state;
mod tables;
pub mod testing;

#[doc(hidden)]
pub mod bindings;
#[doc(hidden)]
pub mod glue;

pub use batch::Batch;
pub use bindings::deserialize::acequia::connector::spanner::Changes;
pub use bindings::plugin::acequia::connector::types::{
    ConfigError, Control, ControlOutput, Description, FailureKind, Gap, Parameter,
};
pub use change::{Cell, Cells, DataChange, Members, Mod, Mods, Object};
pub use columns::BadBatch;
pub use deserializer::Deserializer;
pub use filters::{NamesFilter, RecordFilter};
pub use output::{Buffers, Failure, Output};
pub use tables::{Column, Columns};
