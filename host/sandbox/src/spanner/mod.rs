//! A Spanner service in memory, scripted, with faults: change streams and batch reads.
//!
//! Tests, the demo and offline work need a service that does what the real one documents and what an
//! emulator does not: NaN, `[NULL]` parents, chunks, metadata sent again, early ends, moves of key
//! ranges, expiry, stalls and every gRPC status at every message.
//!
//! ```text
//! History (written out | random | live | flood)  the ground truth: committed()
//!    | entries of a partition, by instant
//!    v
//! World: what may be read now, what is promised  one lock, one clock
//!    | entries
//!    v
//! Framer: value -> chunks -> messages, encoded   Wire says how
//!    | Bytes
//!    v
//! Query: waits, heartbeats, faults, the end      one per open call
//!    v
//! gRPC (tonic), plaintext, loopback
//! ```
//!
//! Beside the stream, tables can be read as they stood at an instant, whole or in partitions: the rooms
//! [`tables`] and [`batch`]. A snapshot and the changes after it are what the history says.
//!
//! A [`Script`] says everything; [`Sandbox::start`] runs it; [`Sandbox::stats`] tells what was asked.
//!
//! Differences from the service, all on purpose: a session does not age, resume tokens replay a whole
//! change-stream query (as the emulator does), the limit of twenty readers of a partition is not kept,
//! and no role or permission is checked.

pub mod batch;
mod fault;
mod growth;
pub mod history;
mod script;
mod serve;
mod server;
mod service;
mod sql;
pub mod tables;
mod wire;
mod world;

pub use batch::Batch;
pub use fault::{Fault, On, OnBatch};
pub use history::History;
pub use script::{Dialect, FinalHeartbeat, Mode, RETENTION_DEFAULT, Script, Watch, Wire};
pub use serve::{Serve, Served};
pub use server::{Sandbox, StartError};
pub use service::{FloodError, REQUESTS_KEPT_MAX, ROOT, Seen, Stats};
