//! What a sandbox is told to be.

use std::time::Duration;

use crate::{
    clock::Clock,
    spanner::{
        batch::Batch,
        fault::Fault,
        history::{History, Table, shop},
    },
};

/// How long a stream keeps its records when its options do not say.
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams>, data retention: seven days.
pub const RETENTION_DEFAULT: Duration = Duration::from_secs(7 * 24 * 3600);

/// The whole of a sandbox: the database, its stream, what the stream holds, and what goes wrong.
#[derive(Clone, Debug)]
pub struct Script {
    /// The database's dialect. Default: GoogleSQL.
    pub dialect: Dialect,
    /// The change stream's name, as it was created. Default: `ShopStream`.
    pub stream: String,
    /// The stream's partition mode. Default: immutable.
    pub mode: Mode,
    /// The stream's retention. `None`, the default, leaves the option out: seven days.
    pub retention: Option<Duration>,
    /// What INFORMATION_SCHEMA says that the stream watches. Default: everything.
    pub watch: Watch,
    /// The tables that INFORMATION_SCHEMA describes and that can be read. Default: those of the shop.
    pub tables: Vec<Table>,
    /// What the stream holds.
    pub history: History,
    /// What goes wrong. Each change-stream query meets the first fault that is left for it.
    pub faults: Vec<Fault>,
    /// Where "now" comes from. Default: the machine's clock.
    pub clock: Clock,
    /// How records are laid out on the wire.
    pub wire: Wire,
    /// The shortest heartbeat interval that queries may ask for. Default: 1 s, as the service; the
    /// emulator takes 100 ms.
    pub heartbeat_min: Duration,
    /// When a bounded query says goodbye with a heartbeat at its end.
    pub final_heartbeat: FinalHeartbeat,
    /// The rows of tables, and how batch reads of them go. Default: no rows but those of the history.
    pub batch: Batch,
}

impl Script {
    /// A GoogleSQL database whose stream holds `history`, with every other field at its default.
    #[must_use]
    pub fn new(history: History) -> Self {
        Self {
            dialect: Dialect::GoogleSql,
            stream: "ShopStream".to_owned(),
            mode: Mode::Immutable,
            retention: None,
            watch: Watch::Everything,
            tables: vec![shop::orders(), shop::customers()],
            history,
            faults: Vec::new(),
            clock: Clock::System,
            wire: Wire::default(),
            heartbeat_min: Duration::from_secs(1),
            final_heartbeat: FinalHeartbeat::WhenSilent,
            batch: Batch::default(),
        }
    }
}

/// A database's dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// GoogleSQL.
    #[default]
    GoogleSql,
    /// PostgreSQL.
    Postgres,
}

/// A stream's `partition_mode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// `IMMUTABLE_KEY_RANGE`: a partition ends when its key range changes.
    #[default]
    Immutable,
    /// `MUTABLE_KEY_RANGE`: key ranges move between partitions that live on.
    Mutable,
}

/// What INFORMATION_SCHEMA says that the stream watches. The history is not filtered by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// `FOR ALL`: no table is listed.
    #[default]
    Everything,
    /// These tables; with `None` whole, else the named columns only.
    Tables(Vec<(String, Option<Vec<String>>)>),
}

/// When a bounded query ends with a heartbeat at its end timestamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalHeartbeat {
    /// Only when the query has sent nothing else, as the emulator does.
    #[default]
    WhenSilent,
    /// At every end by the bound.
    Always,
    /// Never.
    Never,
}

/// How records are laid out in `PartialResultSet` messages. The default is the plain layout: one row
/// in a message, nothing chunked, metadata once, no resume tokens.
#[derive(Clone, Debug)]
pub struct Wire {
    /// Rows in one message; zero counts as one. Default: 1.
    pub rows_per_frame: usize,
    /// Values longer than this many bytes are chunked over several messages. Default: never.
    pub chunk_bytes: Option<usize>,
    /// A message without values comes before every n-th. Default: never.
    pub empty_frame_every: Option<usize>,
    /// The metadata is sent again in every n-th message. Default: never.
    pub metadata_every: Option<usize>,
    /// Every message carries a resume token, even between two chunks of one value. Default: no.
    pub resume_tokens: bool,
    /// Arrays of the record envelope without elements are NULL instead of empty. Default: no.
    pub null_for_empty: bool,
    /// Parents of the first partitions are `[NULL]` instead of `[]`. Default: no.
    pub null_root_parents: bool,
    /// Every struct begins with a field that readers have not met. Default: no.
    pub unfamiliar_fields: bool,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            rows_per_frame: 1,
            chunk_bytes: None,
            empty_frame_every: None,
            metadata_every: None,
            resume_tokens: false,
            null_for_empty: false,
            null_root_parents: false,
            unfamiliar_fields: false,
        }
    }
}
