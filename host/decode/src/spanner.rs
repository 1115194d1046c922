//! Cloud Spanner: the messages of a change stream query into columns of change records.
//!
//! ```text
//! frame (PartialResultSet)   assembler  push: chunks are merged, values become rows
//!   | row                    dialect    one value, encoded as the database's dialect does
//!   v
//! item                       googlesql  data change, heartbeat, children, ... still on the wire
//!   |                        postgres
//!   |                        mutable
//!   v
//! step                       assembler  next: one thing at a time, in the order of the stream
//!   | a data change record   schema     its table, known by the bytes that described it
//!   v                        cells      its objects, cut without being parsed, filtered by plan
//! ChangeBatch                append     appended whole, or not at all
//! ```
//!
//! Frames are read in place: no tree of values is built, and a value that passes is copied once.
//! Only a value that arrives in several frames is gathered first, and then takes the same way.
//! The filter is a plan by name ([`Step::Unplanned`]), so what it drops is never copied.
//!
//! Rows of a partitioned read take a way of their own ([`RowAssembler`]) into a
//! [`RowBatch`](crate::rows::RowBatch), and from there, for a snapshot, into change records
//! ([`ReadRecords`]).
//!
//! A record that is known already, from a recording say, enters a batch by [`Rebuild`].

mod append;
mod assembler;
mod batch;
mod cells;
mod chunk;
mod dialect;
mod frame;
mod googlesql;
mod instant;
mod item;
mod json;
mod layout;
mod mutable;
mod plan;
mod postgres;
mod rebuild;
mod record;
mod rows;
mod schema;
mod step;
mod value;
mod values;

pub use assembler::{Assembler, Covered, Options, Shape};
pub use batch::{ChangeBatch, Objects, Tables};
pub use plan::{TableId, TablePlan, WrongPlan};
pub use rebuild::{Change, READ, Rebuild, TableSchema};
pub use record::Mod;
pub use rows::{KeyJson, ReadRecords, RowAssembler, RowOrigin, RowStart, RowStep};
pub use schema::Column;
pub use step::{ChildPartition, Described, DropReason, Kept, RecordMark, Step};
