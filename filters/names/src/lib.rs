//! Names filter: table, column, family and qualifier patterns.
//!
//! ```text
//! configure(json) --lists--> Filter { tables, columns, families, qualifiers }
//! names           --Filter--> one bool each
//! ```
//!
//! Every list holds Java regular expressions that must match a whole name ([`java`]). The host asks
//! once per name and keeps the answer; a pattern that runs into its step limit is an error and stops
//! the run. Only `guest` knows that this is a WebAssembly component.
#![forbid(unsafe_code)]

mod guest;
pub mod java;
pub mod lists;
