//! Cloud Bigtable: the messages of a change stream into columns of row mutations.
//!
//! ```text
//! frame (ReadChangeStreamResponse)   merge    push: messages become whole mutations
//!   |                                cell     the pieces of a value follow one another
//!   v
//! whole mutation                     whole    still on the wire, one message or many
//!   |                                control  heartbeat, close_stream
//!   v
//! step                               assembler  next: one thing at a time, in stream order
//!   | its entries                    entry    one after the other, filtered by
//!   v                                answers  the plan for families and columns
//! MutationBatch                      append   appended whole, or not at all
//! ```
//!
//! Messages are read in place: no tree of values is built, and a value that passes is copied once,
//! into its column, also one that arrives in pieces. The filter is a plan by name
//! ([`Step::Unplanned`]), so what it drops is never copied.
//!
//! A mutation that is known already, from a recording say, enters a batch by
//! [`MutationBatch::push`].

mod answers;
mod append;
mod assembler;
mod batch;
mod cell;
mod control;
mod data_change;
mod entry;
mod merge;
mod names;
mod range;
mod step;
mod whole;

pub use assembler::{Assembler, Options};
pub use batch::{Mutation, MutationBatch};
pub use entry::{Entry, EntryKind, Input};
pub use names::{FamilyColumns, Names, NamesPlan, WrongPlan};
pub use range::RowRange;
pub use step::{DropReason, Kept, MutationMark, Step, Successor};
