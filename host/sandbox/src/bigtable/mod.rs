//! A Bigtable change-stream service in memory, scripted, with faults.
//!
//! The service's own emulator has no change streams. This one has both RPCs of the data service, and
//! of the admin services what tells the retention and the routing. It refuses what the service is
//! known to refuse.
//!
//! ```text
//! History (written out | random | live | flood)  the ground truth: committed()
//!    | a log of mutations, and topologies by instant
//!    v
//! World: what may be read now, what fits now     one lock, one clock
//!    | mutations of a range from a position on
//!    v
//! messages: mutation -> chunks, encoded          Wire says how
//!    | Bytes
//!    v
//! Read: waits, heartbeats, faults, the close     one per open stream
//!    v
//! gRPC (tonic), plaintext, loopback
//! ```
//!
//! A [`Script`] says everything; [`Sandbox::start`] runs it; [`Sandbox::stats`] tells what was asked.
//!
//! A stream whose range is no partition any more sends what the log held at the change, then a close
//! with one token for each successor. Nothing is kept for streams that are not open: a range that does
//! not fit when it is opened is closed at once, and one that fits again never hears of a close.
//!
//! Differences from the service, all on purpose: there is one table, no permission is checked, a token
//! is readable text, and garbage collection is in the history or does not happen.

mod fault;
mod growth;
pub mod history;
mod position;
mod script;
mod serve;
mod server;
mod service;
mod wire;
mod world;

pub use fault::{Fault, On, retryable};
pub use history::{History, KeyRange};
pub use script::{
    AppProfile, Closes, Cookies, READER, RETENTION_DEFAULT, Routing, Script, TokenRanges, Wire,
};
pub use serve::{Serve, Served};
pub use server::{Sandbox, StartError};
pub use service::{CALLS_KEPT_MAX, From, Seen, SeenRead, Stats};
