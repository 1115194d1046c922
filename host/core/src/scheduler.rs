//! The machine: events in, commands out.
//!
//! This file has the state and the order of work; each submodule has one kind of step.

mod at_bound;
mod completion;
mod delivery;
mod expiry;
mod finishing;
mod holding;
mod lineage;
mod opening;
mod passing;
mod planning;
mod ranges;
mod reconciling;
mod saving;
mod settling;
mod turns;
mod viewing;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use jiff::Timestamp;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::checkpoint::{Checkpoint, SinkState, Tombstone};
use crate::command::{Abort, Command, Output};
use crate::credit::Credit;
use crate::event::{Event, Now};
use crate::history::History;
use crate::id::{Generation, PartitionId, ReaderId};
use crate::limits::Limits;
use crate::links::Links;
use crate::partition::{Partition, State};
use crate::queue::Queue;
use crate::range::KeyRange;
use crate::resume::one_tick_before;
use crate::view::Stats;
use crate::watermark::Watermarks;

use expiry::Expiry;
use saving::Saver;

/// How reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the first query. Nothing is opened before the first save is confirmed, so that a crash
    /// does not forget where reading began.
    Fresh {
        /// Which query is the first.
        first: First,
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

/// The query that a fresh run begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// The root query of a stream.
    #[default]
    Root,
    /// The plan of a snapshot, which a stream may follow.
    Plan,
}

/// Decides what is read, in what order, and what is saved.
#[derive(Debug)]
pub struct Scheduler {
    pub(crate) limits: Limits,
    random: Xoshiro256PlusPlus,
    identity: BTreeMap<String, String>,
    sink_state: SinkState,
    /// The sink as it was before the snapshot. Means nothing once the snapshot is read.
    before_snapshot: SinkState,
    pub(crate) partitions: BTreeMap<PartitionId, Partition>,
    pub(crate) tombstones: BTreeMap<PartitionId, Tombstone>,
    pub(crate) links: Links,
    pub(crate) queue: Queue,
    /// The row ranges that are read up to the bound.
    pub(crate) at_bound: BTreeSet<PartitionId>,
    /// The row ranges that wait for tokens.
    pub(crate) collecting: BTreeMap<KeyRange, PartitionId>,
    /// How many row ranges were given a name.
    named: u64,
    /// When partitions that back off may be opened again, and ranges that wait are looked at.
    pub(crate) timers: BTreeSet<(Duration, PartitionId)>,
    pub(crate) open: BTreeSet<PartitionId>,
    /// Closed partitions whose ledger is not empty.
    pub(crate) draining: BTreeSet<PartitionId>,
    pub(crate) credit: Credit,
    watermarks: Watermarks,
    pub(crate) watermark: Timestamp,
    pub(crate) saver: Saver,
    pub(crate) phase: Phase,
    /// Whether a drain was asked for.
    pub(crate) stopping: bool,
    attempts: u64,
    outputs: VecDeque<Command>,
    stats: Stats,
    history: History,
    #[cfg(any(test, feature = "sabotage"))]
    sabotage: Option<crate::Sabotage>,
}

/// Where the whole is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Running,
    /// A position has expired: everything is being closed, then the host is asked.
    Expiring {
        partition: PartitionId,
        expiry: Expiry,
        cause: String,
        asked: bool,
    },
    Complete,
    Aborted,
}

impl Scheduler {
    /// A scheduler that has done nothing yet. Equal arguments and events give equal outputs.
    pub fn new(limits: Limits, seed: u64, start: Start) -> Self {
        let (checkpoint, fresh_at) = match start {
            Start::Checkpoint(checkpoint) => (checkpoint, None),
            Start::Fresh {
                first,
                at,
                identity,
                sink_state,
            } => (nothing_read(at, identity, sink_state), Some((first, at))),
        };
        let mut scheduler = Self {
            limits,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            identity: checkpoint.identity,
            before_snapshot: checkpoint.before_snapshot.unwrap_or_default(),
            sink_state: checkpoint.sink_state,
            partitions: BTreeMap::new(),
            tombstones: checkpoint.tombstones,
            links: Links::default(),
            queue: Queue::default(),
            at_bound: BTreeSet::new(),
            collecting: BTreeMap::new(),
            named: checkpoint.named,
            timers: BTreeSet::new(),
            open: BTreeSet::new(),
            draining: BTreeSet::new(),
            credit: Credit::default(),
            watermarks: Watermarks::default(),
            watermark: checkpoint.watermark,
            saver: Saver::new(checkpoint.generation, fresh_at.is_some()),
            phase: Phase::Running,
            stopping: false,
            attempts: 0,
            outputs: VecDeque::new(),
            stats: Stats::default(),
            history: History::default(),
            #[cfg(any(test, feature = "sabotage"))]
            sabotage: None,
        };
        for (id, saved) in checkpoint.partitions {
            scheduler.insert(id, Partition::restored(saved));
        }
        match fresh_at {
            Some((first, at)) => scheduler.begin_at(first, at),
            None if scheduler.partitions.is_empty() => scheduler.begin_behind_the_last_bound(),
            None => {}
        }
        scheduler.link_tombstones();
        scheduler
    }

    /// Takes in what happened. Poll the outputs before the next call.
    pub fn handle(&mut self, event: Event, now: Now) {
        if self.is_over() {
            return;
        }
        match event {
            Event::Delivered { reader, items } => self.delivered(&reader, items, now),
            Event::Ended { reader } => self.ended(&reader, now),
            Event::ReadFailed { reader, failure } => self.read_failed(&reader, failure, now),
            Event::Durable {
                acknowledged,
                sink_state,
            } => self.durable(acknowledged, sink_state, now),
            Event::Rejected { cause } => self.abort(Abort::Rejected { cause }),
            Event::Saved { generation } => self.saved(generation),
            Event::SaveFailed {
                generation,
                failure,
            } => self.save_failed(generation, failure, now),
            Event::Restarted { at, sink_state } => self.restarted(at, sink_state, now),
            Event::Retention { retention } => self.limits.retention = retention,
            Event::Drain => self.drain(now),
            Event::Tick => {}
        }
        self.advance(now);
    }

    /// The next thing to do. Call it after every [`Scheduler::handle`] until a timeout comes.
    pub fn poll_output(&mut self, now: Now) -> Output {
        if self.outputs.is_empty() {
            self.advance(now);
        }
        match self.outputs.pop_front() {
            Some(command) => Output::Command(command),
            None => Output::Timeout(self.next_timeout(now)),
        }
    }

    /// What a save at this moment would store, under the generation of the last save.
    pub fn checkpoint(&self) -> Checkpoint {
        self.snapshot(self.saver.generation)
    }

    /// Whether everything is finished, or drained, and saved.
    pub fn is_complete(&self) -> bool {
        self.phase == Phase::Complete
    }

    /// Everything up to and including this instant is acknowledged. Never goes back.
    pub fn watermark(&self) -> Timestamp {
        self.watermark
    }

    /// Whether deliveries of this reader are accepted. What a reader delivers after its close must
    /// go neither here nor to the sink.
    pub fn is_current(&self, reader: &ReaderId) -> bool {
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::StaleReaderAccepted) {
            return self
                .partitions
                .get(&reader.partition)
                .is_some_and(|partition| partition.reading().is_some());
        }
        self.partitions
            .get(&reader.partition)
            .is_some_and(|partition| match &partition.state {
                State::Open(reading) => reading.attempt == reader.attempt,
                State::Waiting
                | State::Collecting(_)
                | State::AtBound
                | State::Queued(_)
                | State::BackingOff { .. }
                | State::Draining { .. } => false,
            })
    }

    /// The bounds it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Breaks one rule on purpose.
    #[cfg(any(test, feature = "sabotage"))]
    pub fn sabotage(&mut self, sabotage: crate::Sabotage) {
        self.sabotage = Some(sabotage);
    }

    #[cfg(any(test, feature = "sabotage"))]
    pub(crate) fn is_sabotaged(&self, sabotage: crate::Sabotage) -> bool {
        self.sabotage == Some(sabotage)
    }

    /// Everything that follows from the state and the time, in the order in which one step makes
    /// the next possible.
    fn advance(&mut self, now: Now) {
        if self.is_over() {
            return;
        }
        self.wake_backing_off(now);
        self.close_stalled(now);
        self.hold_or_release(now);
        self.end_turns(now);
        self.open_queued(now);
        self.ask_about_expiry();
        self.raise_watermark();
        self.hurry_last_save();
        self.save_if_due(now);
        self.complete_if_done();
    }

    /// Nothing follows an abort.
    fn abort(&mut self, cause: Abort) {
        if !self.is_over() {
            self.phase = Phase::Aborted;
            self.outputs.push_back(Command::Abort { cause });
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Complete | Phase::Aborted)
    }
}

fn nothing_read(
    at: Timestamp,
    identity: BTreeMap<String, String>,
    sink_state: SinkState,
) -> Checkpoint {
    Checkpoint {
        identity,
        generation: Generation::default(),
        watermark: one_tick_before(at),
        before_snapshot: Some(sink_state.clone()),
        sink_state,
        partitions: BTreeMap::new(),
        tombstones: BTreeMap::new(),
        named: 0,
    }
}
