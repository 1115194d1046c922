//! Every checkpoint store keeps the same promises: one suite, run by each implementation, and what is
//! special to the file store.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test helper that cannot go on fails its test"
)]

mod conformance;
mod faults;
mod power;
mod refusals;
mod targets;
