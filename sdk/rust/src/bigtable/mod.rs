//! Row mutations of Bigtable.
//!
//! A [`Deserializer`] gets a [`Mutation`] at a time: one atomic write to one row. What it did is its
//! entries ([`Entry`]), each with its family and its [`Change`].

mod batch;
mod deserializer;
mod entry;
#[doc(hidden)]
pub mod glue;
mod mutation;
mod record_filter;
pub mod testing;
#[cfg(test)]
mod tests;

pub use crate::bindings::bigtable_deserialize::acequia::connector::bigtable::Mutations;
pub use batch::Batch;
pub use deserializer::Deserializer;
pub use entry::{Change, Entries, Entry, Input};
pub use mutation::Mutation;
pub use record_filter::RecordFilter;
