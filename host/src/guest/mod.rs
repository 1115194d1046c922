//! The WebAssembly side of the host: components that choose and shape records.
//!
//! ```text
//! configuration ─ load ──────────────────────────────┐
//!   origin   bytes, digest, core module -> component │
//!   fit      exports and imports against the world   │ once
//!   about    describe, configure                     │
//!                                                    v
//!            Live: an instance, made anew after it was stopped
//!              │
//!   batch ──> params ──> call (time, memory, epochs) ──> answer checked ──> outputs, failures
//! ```
//!
//! A component is never trusted. It gets the log and a WASI without anything behind it; each call
//! has a limit on time, memory and the size of the answer; each answer is checked against every rule
//! of `wit/`. An instance that broke a rule is thrown away. What that means for the records is the
//! caller's to decide: a deserializer's failures are narrowed down to the records at fault, a
//! filter's stop the run.

mod about;
mod answer;
mod bindings;
mod bisect;
mod cache;
mod call;
mod control;
mod deserializer;
mod engine;
mod failure;
mod fit;
mod functions;
mod instance;
pub mod limits;
mod live;
mod load;
mod log;
mod message;
mod meter;
mod names_filter;
mod names_kept;
mod of_shape;
mod origin;
mod params;
mod plugins;
mod record_filter;
mod record_id;
mod state;
mod world;

pub use about::{About, Parameter};
pub use answer::AnswerError;
pub use bisect::BisectError;
pub use cache::CodeCache;
pub use call::CallError;
pub use control::{Control, Gap, SnapshotRestart};
pub use deserializer::Deserializer;
pub use engine::EngineError;
pub use failure::{Deserialized, FailureKind, RecordFailure};
pub use fit::{MisfitError, NoWorldError};
pub use instance::Stopped;
pub use limits::Limits;
pub use live::{ConfigError, StartError};
pub use load::LoadError;
pub use meter::{Cost, Listen, Meter};
pub use names_filter::NamesFilter;
pub use origin::OriginError;
pub use plugins::{Plugin, Plugins};
pub use record_filter::RecordFilter;
pub(crate) use record_id::RecordIds;
pub use world::World;
