//! Tests of the scheduler from outside: a simulator and readable scenarios.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test ends at its first surprise and prints what it counted"
)]

mod scenarios;
mod sim;
