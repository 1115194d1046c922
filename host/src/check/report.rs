//! What a check tells: the findings, and what would be read.

mod source;

use std::path::PathBuf;

use jiff::Timestamp;
use serde::Serialize;

pub use self::source::{
    BigtableSeen, ColumnSeen, FamilySeen, SnapshotSeen, SourceSeen, SpannerSeen, TableSeen,
};
use super::findings::{Finding, Findings, Level};

/// The result of a check. As JSON it is one object with these members.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The name of the connector; none where the file gives no configuration.
    pub connector: Option<String>,
    /// The worst level of all findings.
    pub outcome: Outcome,
    /// 0 where a run would start, 1 where it would fail, 2 where its configuration is wrong.
    pub exit_code: u8,
    /// Everything that was looked at, in the order of the topics.
    pub findings: Vec<Finding>,
    /// What a run would read, as far as it is known.
    pub would_read: WouldRead,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A run would start.
    Ok,
    /// A run would start, and something may not be meant.
    Warning,
    /// A run would fail.
    Failure,
}

impl Report {
    pub(super) fn new(
        connector: Option<String>,
        findings: Findings,
        would_read: WouldRead,
    ) -> Self {
        let (findings, misconfigured) = findings.finish();
        let worst = findings.iter().map(|finding| finding.level).max();
        let (outcome, exit_code) = match worst {
            None | Some(Level::Ok) => (Outcome::Ok, 0),
            Some(Level::Warning) => (Outcome::Warning, 0),
            Some(Level::Failure) if misconfigured => (Outcome::Failure, 2),
            Some(Level::Failure) => (Outcome::Failure, 1),
        };
        Self {
            connector,
            outcome,
            exit_code,
            findings,
            would_read,
        }
    }
}

/// What a run would read and where it would go, as far as it is known.
#[derive(Debug, Default, Serialize)]
pub struct WouldRead {
    /// What is read; none where the service could not be asked.
    pub source: Option<SourceSeen>,
    /// Where reading would begin; none where it is not known.
    pub begin: Option<BeginSeen>,
    /// How long records are kept.
    pub retention: Option<RetentionSeen>,
    /// The tables that a Spanner change stream watches, by name.
    pub tables: Vec<TableSeen>,
    /// The column families of a Bigtable table, by name.
    pub families: Vec<FamilySeen>,
    /// The components that could be loaded.
    pub components: Vec<ComponentSeen>,
    /// Where outputs would go.
    pub sink: Option<SinkSeen>,
    /// Where progress is kept.
    pub checkpoint: Option<CheckpointSeen>,
}

/// Where reading would begin.
#[derive(Debug, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum BeginSeen {
    /// At a start, inclusive.
    Start {
        /// The first instant that is read.
        at: Timestamp,
        /// What was asked for, where it cannot be read any more.
        asked: Option<Timestamp>,
    },
    /// At a saved checkpoint.
    Saved {
        /// The checkpoint.
        #[serde(flatten)]
        saved: SavedSeen,
        /// The position of the partition that is furthest behind; none where all is read.
        position: Option<Timestamp>,
    },
}

/// A saved checkpoint.
#[derive(Clone, Debug, Serialize)]
pub struct SavedSeen {
    /// Its number.
    pub generation: u64,
    /// Everything up to and including this instant is in the sink.
    pub watermark: Timestamp,
    /// How many partitions are not finished.
    pub partitions: usize,
}

/// How long records are kept, and what that leaves.
#[derive(Debug, Serialize)]
pub struct RetentionSeen {
    /// How long, in seconds.
    pub seconds: u64,
    /// Whether the service says so itself. Otherwise it is `absent-retention-fallback`, or the most
    /// that a table of Bigtable keeps.
    pub declared: bool,
    /// The oldest instant that can be read now, if the stream is that old.
    pub oldest_readable: Timestamp,
    /// How long what would be read first can still be read, in seconds; negative when it has
    /// expired, none where it is not known what would be read first.
    pub headroom_seconds: Option<i64>,
}

/// A component that was loaded and has taken its configuration.
#[derive(Debug, Serialize)]
pub struct ComponentSeen {
    /// What it is for: `names-filter`, `record-filter` or `deserializer`.
    pub role: &'static str,
    /// Its own name.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// Its world in `wit/`.
    pub world: &'static str,
    /// The SHA-256 digest of its bytes, in hexadecimal.
    pub sha256: String,
    /// Whether it imports the log at most. Another one was built for WASI.
    pub pure: bool,
    /// Where the values that it writes hold the id of their record, if they do.
    pub record_id: Option<String>,
    /// The parameters that it takes.
    pub parameters: Vec<ParameterSeen>,
}

/// A parameter of a component.
#[derive(Debug, Serialize)]
pub struct ParameterSeen {
    /// Its name.
    pub name: String,
    /// What it does.
    pub doc: String,
}

/// Where outputs would go.
#[derive(Debug, Serialize)]
pub struct SinkSeen {
    /// `stdout` or `file`.
    pub kind: &'static str,
    /// The files that could be looked at.
    pub files: Vec<FileSeen>,
}

/// A file of outputs or dead letters.
#[derive(Debug, Serialize)]
pub struct FileSeen {
    /// The file.
    pub path: PathBuf,
    /// Its length in bytes; none where it would be created.
    pub length_bytes: Option<u64>,
    /// How many bytes at its end a run would cut off, since no checkpoint describes them.
    pub would_cut_bytes: u64,
}

/// Where progress is kept.
#[derive(Debug, Serialize)]
pub struct CheckpointSeen {
    /// The directory; none where no progress is kept.
    pub directory: Option<PathBuf>,
    /// The process that has it open.
    pub holder: Option<String>,
    /// What is saved there, if it can be read.
    pub saved: Option<SavedSeen>,
}
