//! Change-stream services in memory, scripted, with faults.
//!
//! Tests, the demo and offline work need services that do what the real ones document and what an
//! emulator does not. Each has a room: [`spanner`] and [`bigtable`]. What a room holds follows one plan:
//!
//! ```text
//! history -> the ground truth: committed()
//!    |
//!    v
//! world -> what may be read now               one lock, one clock
//!    |
//!    v
//! wire -> messages, encoded
//!    |
//!    v
//! service -> one call: waits, heartbeats, faults, the end
//! ```
//!
//! Shared are the [`Clock`], faults and how they strike a call ([`What`]), the timer of live
//! histories ([`Until`]), and a listener whose connections can be cut: gRPC, plaintext, loopback.

#![forbid(unsafe_code)]

pub mod bigtable;
mod clock;
mod codec;
mod fault;
mod growing;
mod growth;
mod grpc;
mod line;
mod listen;
pub mod spanner;
mod strike;
mod watched;

pub use clock::{Clock, ManualClock, rfc3339};
pub use fault::{Fault, What};
pub use growth::Until;
pub use listen::ListenError;
