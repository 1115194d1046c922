//! The decoder against the generated types and `serde_json`, which share no code with it.
#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking, and says so for any other variant"
)]

mod bigtable;
mod corpus;
mod random;
#[path = "../../../../tests/soak.rs"]
mod soak;
mod spanner;
