//! Rows of a table or of a query, read in partitions at one timestamp.
//!
//! ```text
//! frame (PartialResultSet)  assembler  push: chunks are merged, values queue up
//!   |                       columns    names and types, from the metadata
//!   v
//! RowStep                   assembler  next: a row, or a token once all before it is handed out
//!   | a row                 render     each value by its type, as change records write it
//!   v                       key        the primary key, byte for byte as change records write it
//! RowBatch                  assembler  appended whole, or not at all
//!   |
//!   v
//! ChangeBatch               reads      READ records, where a snapshot goes before a stream
//! ```
//!
//! A token may stand inside a row and inside a value. What is pending there is its `carry`
//! ([`RowStep::Token`]); an assembler that starts with it goes on as if nothing had happened.
//!
//! Source: google/spanner/v1/result_set.proto, `PartialResultSet`.

mod assembler;
mod carry;
mod columns;
mod key;
mod plan;
mod reads;
mod render;
mod step;

pub use assembler::RowAssembler;
pub use key::KeyJson;
pub use reads::ReadRecords;
pub use step::{RowOrigin, RowStart, RowStep};
