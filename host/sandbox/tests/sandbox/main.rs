//! The sandboxes seen through ordinary gRPC clients.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "in a test a surprise is a failure"
)]

mod bigtable;
mod spanner;
