//! The machine.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;

use crate::checkpoint::{Checkpoint, SinkState};
use crate::command::{Command, Output};
use crate::event::{Event, Now};
use crate::id::ReaderId;
use crate::invariant::Violation;
use crate::limits::Limits;
use crate::view::{PartitionView, Stats};

/// How reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the root query.
    Fresh {
        /// Where it starts, inclusive.
        at: Timestamp,
        /// What the checkpoints will belong to.
        identity: BTreeMap<String, String>,
        /// The sink as it is before the first output.
        sink_state: SinkState,
    },
    /// Where a checkpoint ends.
    Checkpoint(Checkpoint),
}

/// Decides what is read, in what order, and what is saved.
#[derive(Debug)]
pub struct Scheduler {
    limits: Limits,
    checkpoint: Checkpoint,
    outputs: VecDeque<Command>,
}

impl Scheduler {
    /// A scheduler that has done nothing yet. Equal arguments and events give equal outputs.
    pub fn new(limits: Limits, _seed: u64, start: Start) -> Self {
        let checkpoint = match start {
            Start::Checkpoint(checkpoint) => checkpoint,
            Start::Fresh {
                at,
                identity,
                sink_state,
            } => Checkpoint {
                identity,
                generation: Default::default(),
                watermark: at,
                sink_state,
                partitions: BTreeMap::new(),
                tombstones: BTreeMap::new(),
            },
        };
        Self {
            limits,
            checkpoint,
            outputs: VecDeque::new(),
        }
    }

    /// Takes in what happened.
    pub fn handle(&mut self, _event: Event, _now: Now) {}

    /// The next thing to do. Call it after every [`Scheduler::handle`] until a timeout comes.
    pub fn poll_output(&mut self, _now: Now) -> Output {
        self.outputs
            .pop_front()
            .map_or(Output::Timeout(None), Output::Command)
    }

    /// What a save at this moment would store, under the generation of the last save.
    pub fn checkpoint(&self) -> Checkpoint {
        self.checkpoint.clone()
    }

    /// Whether [`Command::Complete`] came out.
    pub fn is_complete(&self) -> bool {
        false
    }

    /// Everything up to and including this instant is acknowledged. Never goes back.
    pub fn watermark(&self) -> Timestamp {
        self.checkpoint.watermark
    }

    /// Whether deliveries of this reader are accepted.
    pub fn is_current(&self, _reader: &ReaderId) -> bool {
        false
    }

    /// The unfinished partitions.
    pub fn partitions(&self) -> impl Iterator<Item = PartitionView<'_>> {
        std::iter::empty()
    }

    /// Counts.
    pub fn stats(&self) -> Stats {
        Stats::default()
    }

    /// The bounds it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Checks every rule that the state shows.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn check(&self) -> Result<(), Violation> {
        Ok(())
    }
}
