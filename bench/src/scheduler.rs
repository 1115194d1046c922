//! What the scheduler and its checkpoints cost as partitions grow.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use acequia_core::{
    Checkpoint, Command, Dependencies, Event, Generation, Item, Limits, Mark, Now, Output,
    PartitionId, ReaderId, Resume, SavedPartition, Scheduler, Seq, SinkState, Start, Timestamp,
};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::Failed;
use crate::error::Of as _;

const WHAT: &str = "the scheduler";

/// Sizes that are measured, as far as the settings let them.
const PARTITIONS: [u32; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Bytes of a token. The service's have about as many.
const TOKEN_BYTES: usize = 120;

/// Costs with so many unfinished partitions, eight of which are read.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Cost {
    /// Unfinished partitions.
    pub partitions: u32,
    /// Time of one event, from its entry until nothing more is wanted, nanoseconds.
    pub event_ns: f64,
    /// Bytes of a checkpoint.
    pub checkpoint_bytes: u64,
    /// Time to take it out of the scheduler, milliseconds.
    pub checkpoint_ms: f64,
    /// Time to encode it, milliseconds.
    pub encode_ms: f64,
}

/// The whole of a scheduler process.
///
/// # Errors
/// A checkpoint cannot be encoded.
pub fn measure(partitions_max: u32, events: u32) -> Result<Vec<Cost>, Failed> {
    let sizes = PARTITIONS
        .into_iter()
        .filter(|size| *size <= partitions_max);
    sizes.map(|size| cost(size, events)).collect()
}

fn cost(partitions: u32, events: u32) -> Result<Cost, Failed> {
    let mut table = Table::set(partitions);
    // The first turn touches memory that the others find.
    table.events(events / 10);
    let event_ns = table.events(events);
    let began = Instant::now();
    let checkpoint = table.scheduler.checkpoint();
    let checkpoint_ms = millis(began);
    let began = Instant::now();
    let bytes = checkpoint.encode().of(WHAT)?;
    let encode_ms = millis(began);
    Ok(Cost {
        partitions,
        event_ns,
        checkpoint_bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        checkpoint_ms,
        encode_ms,
    })
}

/// A scheduler whose readers all say something in turn.
pub struct Table {
    scheduler: Scheduler,
    now: Now,
    readers: Vec<Reading>,
}

struct Reading {
    id: ReaderId,
    next: u64,
    at: Timestamp,
}

impl Table {
    /// A scheduler with so many unfinished partitions, as many of which are read as its limits
    /// allow. Its first checkpoint is saved.
    #[must_use]
    pub fn set(partitions: u32) -> Self {
        let wall = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50);
        let mut table = Self {
            scheduler: Scheduler::new(
                Limits::default(),
                1,
                Start::Checkpoint(saved(partitions, wall)),
            ),
            now: Now {
                monotonic: Duration::ZERO,
                wall,
            },
            readers: Vec::new(),
        };
        table.handle(Event::Tick);
        table
    }

    /// Sends so many events, one record delivered and then durable at a time, and gives the time of
    /// one, nanoseconds.
    #[allow(
        clippy::cast_precision_loss,
        reason = "nanoseconds of a short time fit a float"
    )]
    pub fn events(&mut self, events: u32) -> f64 {
        let began = Instant::now();
        for turn in 0..events / 2 {
            self.delivered(turn as usize, 1);
        }
        began.elapsed().as_nanos() as f64 / f64::from((events / 2 * 2).max(1))
    }

    /// One reader delivers records, which are then made durable: two events.
    pub fn delivered(&mut self, turn: usize, records: u64) {
        let place = turn % self.readers.len().max(1);
        let Some(reading) = self.readers.get_mut(place) else {
            return;
        };
        let items = (0..records).map(|_| reading.record()).collect();
        let reader = reading.id.clone();
        let last = Seq::new(reading.next.saturating_sub(1));
        self.handle(Event::Delivered {
            reader: reader.clone(),
            items,
        });
        self.handle(Event::Durable {
            acknowledged: vec![(reader, last)],
            sink_state: SinkState::default(),
        });
    }

    /// The clock stands still, so nothing but the first checkpoint is saved.
    fn handle(&mut self, event: Event) {
        self.scheduler.handle(event, self.now);
        while let Output::Command(command) = self.scheduler.poll_output(self.now) {
            match command {
                Command::Save { generation, .. } => {
                    self.scheduler.handle(Event::Saved { generation }, self.now);
                }
                Command::Open { reader, from, .. } => self.readers.push(Reading {
                    id: reader,
                    next: 0,
                    at: from.at,
                }),
                Command::Close { .. }
                | Command::Hold { .. }
                | Command::Release { .. }
                | Command::Expired { .. }
                | Command::Replan { .. }
                | Command::Reconciled { .. }
                | Command::Complete { .. }
                | Command::Abort { .. } => {}
            }
        }
    }
}

impl Reading {
    fn record(&mut self) -> Item {
        self.next += 1;
        self.at += SignedDuration::from_micros(1);
        Item::Record {
            at: self.at,
            mark: Mark::sequence("MTQyNDE3ODgzMjY4NzM3NzM1MTk=", "00000000"),
            bytes: 1_000,
            outputs: true,
        }
    }
}

fn saved(partitions: u32, at: Timestamp) -> Checkpoint {
    let partition = |index: u32| {
        let token = format!("{index:0>TOKEN_BYTES$}");
        let saved = SavedPartition {
            range: None,
            ticket: None,
            start: at,
            position: Resume::fresh(at),
            opened: false,
            parents: BTreeSet::new(),
            after: Dependencies::new(),
            children: BTreeSet::new(),
            announced: BTreeMap::new(),
            moves: BTreeMap::new(),
            read_to: None,
        };
        (PartitionId::new(&token), saved)
    };
    Checkpoint {
        named: 0,
        before_snapshot: None,
        identity: BTreeMap::new(),
        generation: Generation::default(),
        watermark: at,
        sink_state: SinkState::default(),
        partitions: (0..partitions).map(partition).collect(),
        tombstones: BTreeMap::new(),
    }
}

fn millis(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1_000.0
}
