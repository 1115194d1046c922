//! What is saved: a consistent cut through all partitions and the sink.

mod encoding;
mod rewind;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use encoding::CheckpointError;
pub use rewind::RewindError;

use crate::id::{Generation, PartitionId};
use crate::range::KeyRange;
use crate::resume::Resume;

/// Positions, and the state of the sink with exactly what lies before them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Checkpoint {
    /// What the checkpoint belongs to: source, sink, guests. Opaque here.
    pub identity: BTreeMap<String, String>,
    /// Number of the save.
    pub generation: Generation,
    /// Everything up to and including this instant is in the sink.
    pub watermark: Timestamp,
    /// The sink, with exactly what lies before the positions.
    pub sink_state: SinkState,
    /// Unfinished partitions, and row ranges that are read up to the bound.
    pub partitions: BTreeMap<PartitionId, SavedPartition>,
    /// Finished partitions that others still refer to.
    pub tombstones: BTreeMap<PartitionId, Tombstone>,
    /// How many row ranges were given a name. Ranges come again, and their names do not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub named: u64,
    /// The sink as it was before the snapshot, while the snapshot is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_snapshot: Option<SinkState>,
}

impl Checkpoint {
    /// Whether a snapshot is planned or read.
    pub fn is_of_snapshot(&self) -> bool {
        let mut partitions = self.partitions.iter();
        partitions.any(|(id, partition)| partition.is_of_snapshot(id))
    }

    /// Whether reading may go on with another bound and skip nothing. A partition that a token names
    /// is forgotten at the bound, so those that are left are not all; row ranges stay.
    pub fn bound_may_move(&self) -> bool {
        let mut partitions = self.partitions.values();
        partitions.all(|partition| partition.range.is_some())
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What a sink needs to know to go on after a restart. Opaque here; empty before the first output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SinkState(String);

impl SinkState {
    /// The sink's own text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The sink's own text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An unfinished partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SavedPartition {
    /// Its row keys; none where a token names the partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<KeyRange>,
    /// What the source needs to read it, where it is a part of a snapshot. Opaque here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<Box<str>>,
    /// Where its first query starts, inclusive.
    pub start: Timestamp,
    /// Where the next query starts, and what of that instant is done.
    pub position: Resume,
    /// Whether it was opened at least once.
    pub opened: bool,
    /// Whom it follows.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub parents: BTreeSet<PartitionId>,
    /// Whom it still waits for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub after: Dependencies,
    /// The partitions in which it ends, as far as they are acknowledged.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub children: BTreeSet<PartitionId>,
    /// Partitions whose start it announced at its position, so that it will announce them again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub announced: BTreeMap<PartitionId, Timestamp>,
    /// Where its keys went, until the destination is past the move.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moves: BTreeMap<PartitionId, Move>,
    /// The bound up to which the row range is read. Behind a later bound it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_to: Option<Timestamp>,
}

impl SavedPartition {
    /// Whether it is a part of a snapshot, or the plan of one.
    pub(crate) fn is_of_snapshot(&self, id: &PartitionId) -> bool {
        self.ticket.is_some() || id.is_plan()
    }

    /// One that was found and not opened.
    pub(crate) fn found(start: Timestamp, parents: BTreeSet<PartitionId>) -> Self {
        Self {
            range: None,
            ticket: None,
            start,
            position: Resume::fresh(start),
            opened: false,
            parents,
            after: Dependencies::new(),
            children: BTreeSet::new(),
            announced: BTreeMap::new(),
            moves: BTreeMap::new(),
            read_to: None,
        }
    }
}

/// Whom a partition waits for, and until when.
pub type Dependencies = BTreeMap<PartitionId, Until>;

/// How far another partition must be acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// Up to and including the instant.
    At(Timestamp),
    /// To its end.
    End,
}

/// Keys that went to another partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Move {
    /// When.
    pub at: Timestamp,
    /// Whether the destination is acknowledged past it.
    pub settled: bool,
}

/// A finished partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Tombstone {
    /// Where its first query started.
    pub start: Timestamp,
    /// Whom it followed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub parents: BTreeSet<PartitionId>,
    /// Where its keys went, while a destination is not past the move.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moves: BTreeMap<PartitionId, Move>,
}
