//! Tests of the whole product: connectors run as a user runs them, against the sandbox and the real
//! emulator. What one crate can show by itself is tested beside that crate.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says what it skips, and fails by panicking"
)]

mod admin;
mod emulator;
mod end_to_end;
#[path = "guests/folder.rs"]
mod folder;
mod page;
mod soak;
mod tidy;
