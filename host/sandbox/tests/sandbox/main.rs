//! The sandbox seen through an ordinary gRPC client.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "in a test a surprise is a failure"
)]

mod catalog;
mod client;
mod decode;
mod drain;
mod faults;
mod flood;
mod life;
mod live;
mod mutable;
mod opening;
mod wire;
