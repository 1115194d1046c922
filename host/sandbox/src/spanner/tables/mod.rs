//! Tables with rows, as they stood at an instant.
//!
//! ```text
//! Contents: the rows before the first change --+
//!                                              +--> state: the table's rows at T, in key order
//! committed changes with a timestamp <= T -----+      |
//!                                                     v
//!            Chosen: columns, index, key set --> Selected: rows of cells, as the wire has them
//! ```
//!
//! A value is JSON as change records write it: INT64 and NUMERIC as strings, BYTES in Base64, FLOAT64
//! as a number or `"NaN"`, a JSON column as a string that holds JSON. [`value`] and [`types`] write it
//! shortly.

mod cell;
mod chosen;
mod contents;
mod key;
mod key_set;
mod query;
mod selected;
mod state;
pub mod types;
pub mod value;

pub(crate) use chosen::{Chosen, Tables};
pub use contents::{BaseRows, Contents, Drawn, Index};
pub use query::Query;
pub(crate) use query::looks_partitionable;
pub(crate) use selected::Selected;
