//! Rows of a table or of a query.
//!
//! A [`Deserializer`] gets a [`Row`] at a time, with one [`Cell`] per column: its name, its type and
//! its value as JSON text. Columns of a query may be unnamed, and several may have one name.

mod batch;
mod deserializer;
#[doc(hidden)]
pub mod glue;
mod record_filter;
mod row;
pub mod testing;
#[cfg(test)]
mod tests;

pub use crate::bindings::rows_deserialize::acequia::connector::rows::Rows;
pub use batch::Batch;
pub use deserializer::Deserializer;
pub use record_filter::RecordFilter;
pub use row::{Cell, Cells, Column, Row};
