//! Change records of Spanner.
//!
//! A [`Deserializer`] gets a [`DataChange`] at a time: one table, one kind of modification, and one
//! or several rows ([`Mod`]) with their keys and values ([`Object`], [`Cell`]).

mod batch;
mod change;
mod deserializer;
#[doc(hidden)]
pub mod glue;
mod record_filter;
mod tables;
pub mod testing;

pub use crate::bindings::spanner_deserialize::acequia::connector::spanner::Changes;
pub use batch::Batch;
pub use change::{Cell, Cells, DataChange, Members, Mod, Mods, Object};
pub use deserializer::Deserializer;
pub use record_filter::RecordFilter;
pub use tables::{Column, Columns};
