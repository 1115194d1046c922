//! What a record costs.
//!
//! ```text
//! run ──spawns──> serve                        one process: frames encoded beforehand
//!  │                ▲ gRPC over loopback
//!  └──spawns──> client raw | prost | pipeline  one process a sample, which measures itself
//! ```
//!
//! Every sample is a process of its own, so that no sample finds the memory or the caches of another
//! warm. Samples go in rounds (A B C, A B C, …): what slows the machine down for a while slows all of
//! them down. What is compared is the client's CPU time per record, since on a small machine server
//! and client share the cores; wall rates stand beside it.
//!
//! [`raw`](client::raw) is the limit of the transport: tonic, and a codec that keeps frames as bytes.
//! [`prost`](client::prost) is what every ordinary client does: decode, here thrown away at once.
//! [`pipeline`](client::pipeline) is `acequia run` with the built-in deserializer in WebAssembly and
//! the file sink.
//!
//! Each is taken twice, with the same order: as a change record of Spanner and as a mutation of
//! Bigtable. The [`Stream`](server::Stream) of the server says which it is; the drains and the
//! configuration go by it. The rooms `spanner` and `bigtable` hold what differs: [the
//! record](record), the server that floods, the requests, the columns, the native deserializer.
#![forbid(unsafe_code)]

pub mod client;
mod config;
pub mod cores;
mod error;
pub mod latency;
mod machine;
mod meter;
pub mod record;
mod report;
pub mod rounds;
pub mod scheduler;
pub mod server;
pub mod service;
pub mod settings;
pub mod shape;
mod spread;
mod table;
pub mod whole;

pub use error::Failed;
