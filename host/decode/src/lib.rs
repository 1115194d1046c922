//! Sans-io decoders: the messages of a change stream into columns of change records.
//!
//! One room per source; what both need stands beside them.
//!
//! There is no clock, no I/O and no randomness here, and no order that differs from run to run.
//! Bytes that are not what the service documents are an error that names the place and never a
//! value; they cannot panic, and what they allocate is bounded by what was sent and by named limits.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

pub mod bigtable;
mod blobs;
mod malformed;
mod room;
pub mod rows;
pub mod spanner;
mod texts;
mod times;
mod timestamp;
mod wire;

pub use blobs::{BadColumn, Blobs};
pub use malformed::Malformed;
pub use texts::Texts;
pub use times::Times;
