//! The configuration: YAML text in, [`Config`] or every mistake of the file out.
//!
//! The file is Fluvio's connector file (`apiVersion`, `meta`, `transforms`) plus one section of
//! ours, named after the [`Connector`]. What comes out is typed and complete: every default is filled
//! in, every relative path is joined with the directory of the file, and nothing has to be checked
//! again.
//!
//! ```text
//! text ── read::Node ── Section, against Connector::options ── typed values ── Config
//!                          │
//!                          └── Report: every mistake, in the order of the file ── Problems
//! ```
//!
//! A section of the file is a table of [`OptionSpec`]s beside the type that it becomes. The table
//! drives reading, defaults, suggestions and the [`schema()`] for editors, so an option is described in
//! one place.

mod bigtable;
mod change_stream;
mod checkpoint;
mod cloud_monitoring;
mod connection;
mod connector;
mod delivery;
mod environment;
mod file;
mod guest_ref;
mod kind;
mod meta;
mod option;
mod options;
mod pipeline;
mod problem;
mod read;
mod resource_name;
mod schema;
mod secret;
mod sink;
mod source;
mod spanner;
mod spanner_batch;
mod telemetry;

pub use bigtable::{AppProfileId, BigtableChangeStream, ClusterId, StateName, TableName};
pub use change_stream::{RETENTION_MARGIN, Resolved, StartError, StartPosition};
pub use checkpoint::{CheckpointStore, ExistingState};
pub use cloud_monitoring::CloudMonitoring;
pub use connection::{Connection, Credentials, Endpoint};
pub use connector::{CONNECTORS, Connector, TYPES};
pub use delivery::RecordIdField;
pub use environment::Environment;
pub use file::{load, parse, parse_in};
pub use guest_ref::{GuestRef, GuestRole, Origin};
pub use kind::Kind;
pub use meta::{Meta, Topic};
pub use option::{OptionSpec, Presence};
pub use pipeline::{OnFailure, Pipeline};
pub use problem::{Problem, Problems, Rejected};
pub use read::{NotAnInstant, parse_duration, parse_instant};
pub use schema::schema;
pub use secret::Secret;
pub use sink::Sink;
pub use source::Source;
pub use spanner::{
    ChangeStreamName, ChangeStreamNameError, DatabaseName, DirectedRead, ReplicaSelection,
    ReplicaType, RequestOptions, RpcPriority, SpannerChangeStream,
};
pub use spanner_batch::{
    KeyBound, KeyRange, KeySet, OnExpiry, Parameter, QueryOperation, ReadOperation, ScalarType,
    SpannerBatch, SqlType, SqlValue, TableOperation, TimestampBound,
};
pub use telemetry::Telemetry;

use std::path::PathBuf;
use std::time::Duration;

/// A connector, configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Who the connector is.
    pub meta: Meta,
    /// The directory of the configuration file.
    pub base_dir: PathBuf,
    /// What is read.
    pub source: Source,
    /// The component that chooses tables and columns. Default: the built-in `names`, configured
    /// with the include and exclude lists.
    pub names_filter: GuestRef,
    /// The component that chooses records by their values. Default: none.
    pub record_filter: Option<GuestRef>,
    /// The component that turns records into outputs. Default: the built-in `json`.
    pub deserializer: GuestRef,
    /// The way between source and sink.
    pub pipeline: Pipeline,
    /// Where outputs go.
    pub sink: Sink,
    /// Where progress is kept.
    pub checkpoint: CheckpointStore,
    /// How often progress is saved. Default: 1 s.
    pub checkpoint_interval: Duration,
    /// What is done with progress that is already there.
    pub existing_state: ExistingState,
    /// Whether the file says `existing-state` itself.
    pub existing_state_written_out: bool,
    /// Where a value holds the id of its record.
    pub record_id_field: RecordIdField,
    /// How long a stopping run may take to write and save what it has read. Default: 20 s.
    pub drain_timeout: Duration,
    /// Who may look at a run.
    pub telemetry: Telemetry,
    /// What is right but probably not meant, one sentence each.
    pub warnings: Vec<String>,
}
