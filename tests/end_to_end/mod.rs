//! A connector against the sandbox, from its YAML file to the lines of its sink.
//!
//! ```text
//! history -> sandbox -> acequia (in this process, or the binary) -> file -> compared with the truth
//! ```
//!
//! What must come out is the sandbox's own account of what was committed, never what a run gave
//! before. [`place`] is a folder with a configuration and what a run leaves in it; [`process`] runs
//! the binary; [`truth`] compares. Histories lie an hour back, so that a run with an end finishes
//! as fast as it can read.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do the functions that tests share"
)]

mod bigtable;
mod check;
mod cloud_monitoring;
mod edges;
mod ends;
mod expiry;
mod faults;
mod golden_config;
mod guests;
mod histories;
mod mutable;
mod names;
mod new_plugin;
pub(crate) mod place;
mod plugins;
pub(crate) mod process;
mod recordings;
mod requests;
mod restart;
mod rewind;
pub(crate) mod shop;
mod spanner_batch;
mod state;
mod state_seen;
pub(crate) mod truth;
mod turns;
mod values;
mod windows;
