//! Saved state as JSON for programs.

use std::collections::{BTreeMap, BTreeSet};

use acequia_core::{
    Covered, Dependencies, Generation, Move, PartitionId, SavedPartition, SinkState, Timestamp,
    Tombstone,
};
use serde::Serialize;

use super::{SavedState, StateError, word};

/// The version of the members below. It grows when one changes its meaning or goes; more members
/// may come without it.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Exported<'a> {
    format: &'static str,
    version: u32,
    connector: &'a str,
    exported_at: Timestamp,
    /// What the state belongs to.
    identity: &'a BTreeMap<String, String>,
    generation: Generation,
    /// Everything up to and including this instant is in the sink.
    watermark: Timestamp,
    /// The sink's own text.
    sink_state: &'a SinkState,
    /// The length of the encoded checkpoint.
    bytes: usize,
    /// Unfinished ones.
    partitions: Vec<Partition<'a>>,
    /// Finished ones that others still refer to.
    finished: Vec<Finished<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Partition<'a> {
    /// The whole token; empty for the root query.
    token: &'a PartitionId,
    state: &'static str,
    start: Timestamp,
    /// Everything before it is in the sink.
    position: Timestamp,
    /// What of the instant of the position is in the sink, too: `nothing`, `all`, or per
    /// transaction the last record sequence.
    covered: &'a Covered,
    watermark: Timestamp,
    parents: &'a BTreeSet<PartitionId>,
    /// By token, `end` or the instant up to which it is waited for.
    waits_for: &'a Dependencies,
    children: &'a BTreeSet<PartitionId>,
    announced: &'a BTreeMap<PartitionId, Timestamp>,
    moves: &'a BTreeMap<PartitionId, Move>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Finished<'a> {
    token: &'a PartitionId,
    start: Timestamp,
    parents: &'a BTreeSet<PartitionId>,
    moves: &'a BTreeMap<PartitionId, Move>,
}

impl SavedState {
    /// The whole state as one JSON object, with `now` as its date. Its members are described in the
    /// README.
    ///
    /// # Errors
    /// [`StateError::Export`] if the encoder fails, which no state is known to cause.
    pub fn export(&self, now: Timestamp) -> Result<String, StateError> {
        let checkpoint = &self.checkpoint;
        let exported = Exported {
            format: "acequia-state",
            version: VERSION,
            connector: &self.config.meta.name,
            exported_at: now,
            identity: &checkpoint.identity,
            generation: checkpoint.generation,
            watermark: checkpoint.watermark,
            sink_state: &checkpoint.sink_state,
            bytes: self.bytes,
            partitions: checkpoint.partitions.iter().map(partition).collect(),
            finished: checkpoint.tombstones.iter().map(finished).collect(),
        };
        let mut text = serde_json::to_string_pretty(&exported).map_err(StateError::Export)?;
        text.push('\n');
        Ok(text)
    }
}

fn partition<'a>((token, saved): (&'a PartitionId, &'a SavedPartition)) -> Partition<'a> {
    Partition {
        token,
        state: word(saved),
        start: saved.start,
        position: saved.position.at,
        covered: &saved.position.covered,
        watermark: saved.position.watermark(),
        parents: &saved.parents,
        waits_for: &saved.after,
        children: &saved.children,
        announced: &saved.announced,
        moves: &saved.moves,
    }
}

fn finished<'a>((token, tombstone): (&'a PartitionId, &'a Tombstone)) -> Finished<'a> {
    Finished {
        token,
        start: tombstone.start,
        parents: &tombstone.parents,
        moves: &tombstone.moves,
    }
}
