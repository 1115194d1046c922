//! Components under the host: honest, hostile, and of the wrong kind.
//!
//! They are the test guests of `tests/guests`, which `cargo xtask guests` builds.

#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do the functions that tests share"
)]

mod asleep;
mod batches;
mod bigtable;
mod filters;
#[path = "../../../tests/guests/folder.rs"]
mod folder;
mod guests;
mod hostile;
mod loading;
mod poison;
mod rows;
mod shaping;
#[path = "../../../tests/soak.rs"]
mod soak;
mod third_party;
