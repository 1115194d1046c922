//! Every sink keeps the same promises: one suite, run by each implementation, and what is special to each.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test helper that cannot go on fails its test"
)]

mod batches;
mod conformance;
mod faults;
mod file;
mod file_system;
mod power;
#[path = "../../../tests/soak.rs"]
mod soak;
mod stdout;
mod targets;
