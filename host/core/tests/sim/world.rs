//! The history of a database: what its change stream says, partition by partition.

use acequia_core::{Child, PartitionId, Timestamp};
use jiff::SignedDuration;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;

use super::settings::Settings;
use super::{lineage, ranges, topology};

/// Milliseconds of one tick. Everything in a history happens at a whole tick.
pub(super) const TICK_MS: u64 = 100;

/// The instant of a tick.
pub(super) fn instant(tick: u64) -> Timestamp {
    let base = Timestamp::from_second(1_700_000_000).unwrap();
    base + SignedDuration::from_millis(i64::try_from(tick * TICK_MS).unwrap())
}

pub(super) struct World {
    pub(super) partitions: Vec<Partition>,
    pub(super) records: Vec<Record>,
    /// Ticks at which partitions or ranges changed.
    pub(super) changes: Vec<u64>,
    /// The tick after the last event.
    pub(super) horizon: u64,
    pub(super) keys: usize,
    pub(super) mutable: bool,
    /// Whether partitions are row ranges.
    pub(super) rows: bool,
    /// Whether the service leaves keys out at times.
    pub(super) forgets_keys: bool,
    /// With row ranges: from which tick on the keys are cut where.
    pub(super) tilings: Vec<(u64, Vec<usize>)>,
    /// Per key, its records.
    pub(super) chains: Vec<Vec<usize>>,
}

pub(super) struct Partition {
    pub(super) token: PartitionId,
    pub(super) start: u64,
    pub(super) end: Option<u64>,
    /// Indexes of those whose end began it.
    pub(super) parents: Vec<usize>,
    /// With mutable ranges: who announced it; none if it was there from the beginning.
    pub(super) announcer: Option<usize>,
    /// The stream, in order.
    pub(super) stream: Vec<Said>,
}

pub(super) struct Record {
    pub(super) key: usize,
    pub(super) at: u64,
    pub(super) partition: usize,
    pub(super) transaction: String,
    pub(super) sequence: String,
    pub(super) bytes: u64,
    /// Whether the filter leaves anything of it.
    pub(super) outputs: bool,
}

#[derive(Clone)]
pub(super) enum Said {
    Record(usize),
    Children {
        start: u64,
        partitions: Vec<Child>,
    },
    Started {
        at: u64,
        partitions: Vec<PartitionId>,
    },
    MoveIn {
        at: u64,
        source: PartitionId,
    },
    MoveOut {
        at: u64,
        destination: PartitionId,
    },
    Finished {
        at: u64,
    },
}

impl World {
    pub(super) fn draw(settings: &Settings, random: &mut Random) -> Self {
        let mut history = History::begin(settings);
        for _ in 0..settings.events {
            if random.random_bool(0.7) {
                history.now += random.random_range(1..=3);
            }
            if random.random_bool(settings.change_rate) {
                if settings.rows {
                    topology::change(&mut history, random);
                    continue;
                }
                // Every change has a timestamp of its own, as every transaction that moves keys has.
                if history.world.changes.last() == Some(&history.now) {
                    history.now += 1;
                }
                history.world.changes.push(history.now);
                if settings.mutable {
                    ranges::change(&mut history, random);
                } else {
                    lineage::change(&mut history, random);
                }
            } else {
                history.commit(random);
            }
        }
        if settings.rows {
            topology::go_on_after_the_last_commit(&mut history, random);
        }
        history.end()
    }

    pub(super) fn at(&self, said: &Said) -> u64 {
        match said {
            Said::Record(record) => self.records[*record].at,
            Said::Children { start: at, .. }
            | Said::Started { at, .. }
            | Said::MoveIn { at, .. }
            | Said::MoveOut { at, .. }
            | Said::Finished { at } => *at,
        }
    }

    pub(super) fn find(&self, token: &PartitionId) -> Option<usize> {
        // Tokens are made of their index, so that this is quick.
        let index = token.as_str().strip_prefix('p')?.parse().ok()?;
        (index < self.partitions.len()).then_some(index)
    }

    /// The partitions that a root query finds.
    pub(super) fn alive_at(&self, tick: u64) -> Vec<usize> {
        let alive = |partition: &Partition| {
            partition.start <= tick && partition.end.is_none_or(|end| tick < end)
        };
        (0..self.partitions.len())
            .filter(|index| alive(&self.partitions[*index]))
            .collect()
    }

    /// The first tick from `tick` on at which no range changed.
    pub(super) fn quiet_tick(&self, mut tick: u64) -> u64 {
        while self.changes.contains(&tick) {
            tick += 1;
        }
        tick
    }
}

/// A history while it is drawn.
pub(super) struct History {
    pub(super) world: World,
    /// Per key, the partition that has it.
    pub(super) owner: Vec<usize>,
    last_write: Vec<Option<u64>>,
    pub(super) now: u64,
    transactions: u32,
}

impl History {
    pub(super) fn begin(settings: &Settings) -> Self {
        let keys = settings.keys;
        let mut history = Self {
            world: World {
                partitions: Vec::new(),
                records: Vec::new(),
                changes: Vec::new(),
                horizon: 0,
                keys,
                mutable: settings.mutable,
                rows: settings.rows,
                forgets_keys: settings.forgets_keys,
                tilings: Vec::new(),
                chains: vec![Vec::new(); keys],
            },
            owner: vec![0; keys],
            last_write: vec![None; keys],
            now: 0,
            transactions: 0,
        };
        if settings.rows {
            topology::begin(&mut history, settings.first_partitions);
            return history;
        }
        for _ in 0..settings.first_partitions {
            history.add(Vec::new(), None);
        }
        for key in 0..keys {
            history.owner[key] = key * settings.first_partitions / keys;
        }
        history.now = 1;
        history
    }

    pub(super) fn end(mut self) -> World {
        self.world.horizon = self.now + 1;
        self.world
    }

    pub(super) fn add(&mut self, parents: Vec<usize>, announcer: Option<usize>) -> usize {
        let index = self.world.partitions.len();
        self.world.partitions.push(Partition {
            token: PartitionId::new(&format!("p{index}")),
            start: self.now,
            end: None,
            parents,
            announcer,
            stream: Vec::new(),
        });
        index
    }

    pub(super) fn token(&self, partition: usize) -> PartitionId {
        self.world.partitions[partition].token.clone()
    }

    pub(super) fn say(&mut self, partition: usize, said: Said) {
        self.world.partitions[partition].stream.push(said);
    }

    pub(super) fn alive(&self) -> Vec<usize> {
        (0..self.world.partitions.len())
            .filter(|index| self.world.partitions[*index].end.is_none())
            .collect()
    }

    pub(super) fn keys_of(&self, partition: usize) -> Vec<usize> {
        (0..self.owner.len())
            .filter(|key| self.owner[*key] == partition)
            .collect()
    }

    /// A transaction over some keys. A key has one commit at a timestamp at most, as in Spanner.
    fn commit(&mut self, random: &mut Random) {
        self.transactions += 1;
        // Ids have no order.
        let transaction = format!("t{:03}", self.transactions * 7919 % 1000);
        for sequence in 0..random.random_range(1..=3) {
            let key = random.random_range(0..self.owner.len());
            if self.last_write[key] == Some(self.now) {
                continue;
            }
            self.last_write[key] = Some(self.now);
            let bytes = match random.random_bool(0.03) {
                true => 2000,
                false => random.random_range(1..100),
            };
            let outputs = random.random_bool(0.85);
            self.write(key, &transaction, sequence, bytes, outputs);
        }
    }

    /// One record of a transaction.
    pub(super) fn write(
        &mut self,
        key: usize,
        transaction: &str,
        sequence: u32,
        bytes: u64,
        outputs: bool,
    ) {
        let partition = self.owner[key];
        let record = self.world.records.len();
        self.world.records.push(Record {
            key,
            at: self.now,
            partition,
            transaction: transaction.to_owned(),
            sequence: format!("{sequence:08}"),
            bytes,
            outputs,
        });
        self.world.chains[key].push(record);
        if !self.world.rows {
            self.say(partition, Said::Record(record));
        }
    }
}
