//! What batch reads are told to be.

use std::time::Duration;

use crate::spanner::tables::{Contents, Index, Query};

/// For how long a database keeps old versions when its options do not say.
///
/// Source: <https://cloud.google.com/spanner/docs/pitr>, `version_retention_period`: an hour.
pub const VERSION_RETENTION_DEFAULT: Duration = Duration::from_secs(3600);

/// The rows that can be read beside the stream, and how reads of them go.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The rows of tables before the history's first change. A table that is not named has none.
    pub contents: Vec<Contents>,
    /// Secondary indexes that reads may name. Default: none.
    pub indexes: Vec<Index>,
    /// Queries whose answers are written down. Default: none.
    pub queries: Vec<Query>,
    /// How the rows of a plan are dealt among its partitions, in key order: one number for each
    /// partition, its share. A share of 0 makes an empty partition; `[0, 1]` is what the emulator
    /// does. No share at all counts as one partition. Default: four equal shares.
    pub shares: Vec<u32>,
    /// The database's `version_retention_period`. `None`, the default, leaves the option out: an
    /// hour.
    pub version_retention: Option<Duration>,
    /// How rows are laid out on the wire.
    pub wire: RowWire,
    /// The `server-timing` header of every answer, of all calls. Default: none.
    pub server_timing: Option<ServerTiming>,
}

/// What the front ends say that a call took, each where it says so: `gfet4t7; dur=12, afe; dur=5`.
///
/// Source: <https://cloud.google.com/spanner/docs/latency-points>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerTiming {
    /// Google's front end, in milliseconds.
    pub gfe_ms: Option<u32>,
    /// Spanner's API front end, in milliseconds.
    pub afe_ms: Option<u32>,
}

impl ServerTiming {
    /// The header's value; `None` when nothing is said.
    pub(crate) fn header(self) -> Option<String> {
        let said = [("gfet4t7", self.gfe_ms), ("afe", self.afe_ms)].into_iter();
        let said = said.filter_map(|(name, ms)| Some(format!("{name}; dur={}", ms?)));
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            contents: Vec::new(),
            indexes: Vec::new(),
            queries: Vec::new(),
            shares: vec![1; 4],
            version_retention: None,
            wire: RowWire::default(),
            server_timing: None,
        }
    }
}

/// How rows are laid out in `PartialResultSet` messages.
#[derive(Clone, Debug)]
pub struct RowWire {
    /// A message ends with the row that makes it so many; zero counts as one. Default: 100.
    pub rows_per_frame: usize,
    /// A message ends with the value that makes it so many, in the middle of a row too; zero counts
    /// as one. Default: never.
    pub cells_per_frame: Option<usize>,
    /// A value longer than this many bytes is chunked over several messages. Default: never.
    pub chunk_bytes: Option<usize>,
    /// A message without values comes before every n-th. Default: never.
    pub empty_frame_every: Option<usize>,
    /// The metadata is sent again in every n-th message. Default: never.
    pub metadata_every: Option<usize>,
    /// Whether a stream that is resumed begins with the metadata. Default: yes.
    pub metadata_on_resume: bool,
    /// Which messages carry a resume token. Default: each.
    pub resume_tokens: ResumeTokens,
    /// How the stream's last message is marked. Default: not at all, as the emulator does.
    pub last: Last,
    /// The layout of what comes after a resume token. Default: the same.
    pub resumed: Option<Box<RowWire>>,
}

impl Default for RowWire {
    fn default() -> Self {
        Self {
            rows_per_frame: 100,
            cells_per_frame: None,
            chunk_bytes: None,
            empty_frame_every: None,
            metadata_every: None,
            metadata_on_resume: true,
            resume_tokens: ResumeTokens::default(),
            last: Last::default(),
            resumed: None,
        }
    }
}

/// Which messages carry a resume token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResumeTokens {
    /// Every one.
    #[default]
    Each,
    /// None.
    Absent,
    /// Every one, of no bytes: the field is on the wire, and says nothing.
    Empty,
    /// Every n-th, the first is the n-th; zero counts as one.
    Every(usize),
    /// Those that end where a row ends.
    BetweenRows,
    /// Those that end between two values of one row.
    WithinRows,
    /// Those that end within a value.
    WithinValues,
    /// Every one the same, and a stream that is resumed by it is sent from its beginning, as the
    /// emulator does.
    Dummy,
}

/// How a stream's last message is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Last {
    /// Not at all.
    #[default]
    Unmarked,
    /// `last` is set where the last values are.
    Set,
    /// A message without values follows, and `last` is set there.
    Alone,
}
