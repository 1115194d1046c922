//! Cloud Bigtable: row mutations in columns.

mod batch;
mod entry;

pub use batch::{Mutation, MutationBatch};
pub use entry::{Entry, EntryKind, Input};
