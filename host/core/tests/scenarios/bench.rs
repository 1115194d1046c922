//! A scheduler on the table: say what happens, look at what it wants.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::{
    Checkpoint, Child, Command, Event, First, Item, Limits, Mark, Now, Output, PartitionId,
    PartitionState, ReadFailure, ReaderId, Resume, Scheduler, Seq, SinkState, Start, Timestamp,
};
use jiff::SignedDuration;

/// The instant that many seconds after the beginning.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

pub(super) struct Bench {
    pub(super) scheduler: Scheduler,
    pub(super) now: Now,
    /// Everything that it wanted so far.
    pub(super) commands: Vec<Command>,
    /// When it wants to be woken, and what for.
    pub(super) timeout: Option<(Duration, &'static str)>,
}

impl Bench {
    /// A root query that starts at 0, at the same time by the wall clock. Nothing is saved.
    pub(super) fn new(limits: Limits) -> Self {
        Self::beginning_with(First::Root, limits)
    }

    /// The same with another query.
    pub(super) fn beginning_with(first: First, limits: Limits) -> Self {
        let start = Start::Fresh {
            first,
            at: at(0),
            identity: BTreeMap::new(),
            sink_state: SinkState::default(),
        };
        Self::start(limits, start)
    }

    pub(super) fn start(limits: Limits, start: Start) -> Self {
        let mut bench = Self {
            scheduler: Scheduler::new(limits, 1, start),
            now: Now {
                monotonic: Duration::ZERO,
                wall: at(0),
            },
            commands: Vec::new(),
            timeout: None,
        };
        bench.poll();
        bench
    }

    /// After the root query, which found these partitions at 0. All of it is saved.
    pub(super) fn with(limits: Limits, partitions: &[&str]) -> Self {
        let mut bench = Self::new(limits);
        bench.save();
        let root = bench.reader("");
        let children = partitions.iter().map(|name| child(name, &[])).collect();
        bench.deliver(
            &root,
            vec![Item::Children {
                start: at(0),
                partitions: children,
            }],
        );
        bench.end(&root);
        bench.save();
        bench
    }

    pub(super) fn handle(&mut self, event: Event) {
        self.scheduler.handle(event, self.now);
        self.poll();
    }

    pub(super) fn poll(&mut self) {
        loop {
            match self.scheduler.poll_output(self.now) {
                Output::Command(command) => self.commands.push(command),
                Output::Timeout(timeout) => {
                    self.timeout = timeout;
                    break;
                }
            }
        }
        self.scheduler.check().unwrap();
    }

    pub(super) fn deliver(&mut self, reader: &ReaderId, items: Vec<Item>) {
        let reader = reader.clone();
        self.handle(Event::Delivered { reader, items });
    }

    pub(super) fn end(&mut self, reader: &ReaderId) {
        let reader = reader.clone();
        self.handle(Event::Ended { reader });
    }

    pub(super) fn fail(&mut self, reader: &ReaderId, failure: ReadFailure) {
        let reader = reader.clone();
        self.handle(Event::ReadFailed { reader, failure });
    }

    pub(super) fn durable(&mut self, reader: &ReaderId, seq: u64) {
        self.handle(Event::Durable {
            acknowledged: vec![(reader.clone(), Seq::new(seq))],
            sink_state: SinkState::new(format!("{reader} {seq}")),
        });
    }

    /// Confirms every save that is asked for.
    pub(super) fn save(&mut self) {
        while let Some(Command::Save { generation, .. }) = self
            .commands
            .iter()
            .rev()
            .find(|command| matches!(command, Command::Save { .. }))
        {
            let generation = *generation;
            let saves = self.saves();
            self.handle(Event::Saved { generation });
            if self.saves() == saves {
                break;
            }
        }
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.now.monotonic += time;
        self.now.wall += SignedDuration::try_from(time).unwrap();
        self.handle(Event::Tick);
    }

    /// The last reader of a partition.
    pub(super) fn reader(&self, partition: &str) -> ReaderId {
        self.opening(partition).0
    }

    /// The last opening of a partition.
    pub(super) fn opening(&self, partition: &str) -> (ReaderId, Resume) {
        let opened = self
            .commands
            .iter()
            .rev()
            .find_map(|command| match command {
                Command::Open { reader, from, .. } if reader.partition.as_str() == partition => {
                    Some((reader.clone(), from.clone()))
                }
                _ => None,
            });
        opened.unwrap_or_else(|| panic!("{partition} was not opened"))
    }

    pub(super) fn openings(&self, partition: &str) -> usize {
        let of_it = |command: &&Command| matches!(command, Command::Open { reader, .. } if reader.partition.as_str() == partition);
        self.commands.iter().filter(of_it).count()
    }

    pub(super) fn saves(&self) -> usize {
        let is_save = |command: &&Command| matches!(command, Command::Save { .. });
        self.commands.iter().filter(is_save).count()
    }

    pub(super) fn saved(&self) -> &Checkpoint {
        let saved = self
            .commands
            .iter()
            .rev()
            .find_map(|command| match command {
                Command::Save { checkpoint, .. } => Some(checkpoint),
                _ => None,
            });
        saved.expect("nothing was saved")
    }

    pub(super) fn wanted(&self, command: &Command) -> bool {
        self.commands.contains(command)
    }

    pub(super) fn state(&self, partition: &str) -> Option<PartitionState> {
        self.scheduler
            .partitions()
            .find(|view| view.id.as_str() == partition)
            .map(|view| view.state)
    }

    pub(super) fn is_finished(&self, partition: &str) -> bool {
        self.scheduler
            .checkpoint()
            .tombstones
            .contains_key(&id(partition))
    }

    pub(super) fn position(&self, partition: &str) -> Resume {
        self.scheduler.checkpoint().partitions[&id(partition)]
            .position
            .clone()
    }
}

pub(super) fn id(partition: &str) -> PartitionId {
    PartitionId::new(partition)
}

pub(super) fn child(name: &str, parents: &[&str]) -> Child {
    Child {
        id: id(name),
        parents: parents.iter().map(|parent| id(parent)).collect(),
    }
}

pub(super) fn children(start: i64, partitions: Vec<Child>) -> Item {
    Item::Children {
        start: at(start),
        partitions,
    }
}

pub(super) fn record(seconds: i64, transaction: &str, sequence: u32) -> Item {
    Item::Record {
        at: at(seconds),
        mark: Mark::sequence(transaction, format!("{sequence:08}")),
        bytes: 10,
        outputs: true,
    }
}

pub(super) fn heartbeat(seconds: i64) -> Item {
    Item::Heartbeat { at: at(seconds) }
}

pub(super) fn unavailable() -> ReadFailure {
    ReadFailure::Retry {
        after: None,
        cause: "unavailable".to_owned(),
    }
}

pub(super) fn out_of_range() -> ReadFailure {
    ReadFailure::OutOfRange {
        cause: "out of range".to_owned(),
    }
}

pub(super) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}
