//! Tests of the scheduler from outside: a simulator and readable scenarios.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test ends at its first surprise, looks for one thing among many and prints what it counted"
)]

mod scenarios;
mod sim;
#[path = "../../../tests/soak.rs"]
mod soak;
