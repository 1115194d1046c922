//! The decoder against the generated types and `serde_json`, which share no code with it.
#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking, and says so for any other variant"
)]

mod chunker;
mod chunks;
mod corpus;
mod drive;
mod frames;
mod generate;
mod objects;
mod property;
mod random;
mod rebuild;
mod records;
mod slow;
#[path = "../../../../tests/soak.rs"]
mod soak;
