//! The shell around the sans-io crates: everything that does I/O.
//!
//! ```text
//!   source  ->  decode  ->  pipeline (guests)  ->  sink
//!      ^                                             |
//!      |            acequia_core::Scheduler          v
//!      +----------------  driver  <---------- acknowledged ----> checkpoint store
//! ```
//!
//! [`run`] assembles the parts of a configuration and hands them to the driver, the one loop that
//! feeds the scheduler and carries out what it says. [`source`] opens partition streams and hands
//! out deliveries, whose records are a [`batch`]; [`spanner`] and [`bigtable`] are the clients below
//! it, and [`google`] is what they share. The pipeline runs [`guest`] components over batches and
//! writes what they give to a [`sink`]; when that is durable the scheduler hears of it and a
//! [`checkpoint_store`] saves how far things are. [`config`] is where YAML ends: behind it everything
//! is typed. [`check`] looks at all of that before a run. [`recording`] keeps batches in a file, and
//! [`replay`] feeds them to a component without a source or a sink. [`files`] is the file system as
//! sinks and stores see it. [`status`] is what a run looks like to whoever asks: the admin server, and
//! the metrics. [`state`] shows and moves what a stopped run has saved.
#![forbid(unsafe_code)]

mod admin;
pub mod batch;
pub mod bigtable;
mod chain;
pub mod check;
pub mod checkpoint_store;
pub mod command;
pub mod config;
mod driver;
pub mod files;
pub mod google;
pub mod guest;
mod pipeline;
pub mod recording;
pub mod replay;
pub mod run;
pub mod sink;
pub mod source;
pub mod spanner;
pub mod state;
pub mod status;
mod telemetry;

pub use driver::{Outcome, RunError, Tally};
pub use pipeline::Recording;
