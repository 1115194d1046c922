//! The change stream of a Bigtable table, from the YAML file to the lines of the sink.
//!
//! ```text
//! history -> sandbox -> acequia -> file -> compared with the truth, entry by entry
//! ```
//!
//! A history that lies an hour back is read in one sweep, and its partitions are those that were left
//! in the end. Where they are to move while they are read, the sandbox's clock starts at the
//! beginning of the history, and time passes.

mod ends;
mod expiry;
mod faults;
mod filters;
mod killed;
mod profile;
mod reading;
mod requests;
mod rows;
mod slow;
mod state;
mod truth;
mod turns;
mod watched;
