//! A query whose stream is in the order of commit timestamps, and starts at one.

use acequia_core::{Child, Covered, Item, Mark, PartitionId, Resume};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;

use super::service::{Answer, Clock, is_visible, tick_of};
use super::world::{Said, World, instant};

pub(super) struct ByTime {
    stream: Vec<Said>,
    /// Whether the stream ends by itself after its last item.
    ends: bool,
    from: Resume,
    start: u64,
    cursor: usize,
    read: u64,
    heartbeat: Option<u64>,
    /// Whether a query that ends at the bound says so by a heartbeat before.
    closes_with_heartbeat: bool,
}

impl ByTime {
    /// The stream, or why it is refused.
    pub(super) fn open(
        world: &World,
        partition: &PartitionId,
        from: Resume,
        clock: Clock,
        random: &mut Random,
    ) -> Result<(Self, Option<String>), String> {
        let start = tick_of(from.at);
        let mut refused = (start < clock.earliest).then(|| "too far in the past".to_owned());
        let (stream, ends) = if partition.is_root() {
            (root_stream(world, start, random), true)
        } else {
            let index = world.find(partition).ok_or("an unknown token was opened")?;
            let partition = &world.partitions[index];
            if start < partition.start || partition.end.is_some_and(|end| start > end) {
                refused = Some("invalid for the partition".to_owned());
            }
            (
                partition.stream.clone(),
                partition.end.is_some() && !world.mutable,
            )
        };
        let stream = Self {
            stream,
            ends,
            from,
            start,
            cursor: 0,
            read: start,
            heartbeat: None,
            closes_with_heartbeat: random.random_bool(0.5),
        };
        Ok((stream, refused))
    }

    /// Whether an end would hide children: a server that ends cleanly after some of them cannot be
    /// told from one that ended.
    pub(super) fn may_end_early(&self) -> bool {
        self.cursor == 0
            || !matches!(
                self.stream.get(self.cursor - 1),
                Some(Said::Children { .. } | Said::Started { .. })
            )
    }

    pub(super) fn next(
        &mut self,
        world: &World,
        clock: Clock,
        count: usize,
        random: &mut Random,
    ) -> Answer {
        if random.random_bool(0.1)
            && let Some(before) = self.tick_before_next(world, clock)
        {
            return self.beat(before);
        }
        let items = self.items(world, clock, count);
        if !items.is_empty() {
            return Answer::Items(items);
        }
        if self.ends && self.cursor == self.stream.len() {
            return Answer::Ended;
        }
        match clock.bound.filter(|bound| clock.wall > *bound) {
            Some(bound) if self.closes_with_heartbeat && self.heartbeat != Some(bound) => {
                self.beat(bound)
            }
            Some(_) => Answer::Ended,
            None if self.heartbeat.is_none_or(|last| last < clock.wall) => self.beat(clock.wall),
            None => Answer::Nothing,
        }
    }

    fn items(&mut self, world: &World, clock: Clock, count: usize) -> Vec<(Item, Option<usize>)> {
        let mut items = Vec::new();
        while items.len() < count
            && let Some(said) = self.stream.get(self.cursor).cloned()
            && is_visible(world.at(&said), clock)
        {
            self.cursor += 1;
            let at = world.at(&said);
            if at < self.start {
                continue;
            }
            let Said::Record(record) = said else {
                self.read = at;
                items.push((item_of(said), None));
                break;
            };
            let item = record_item(world, record);
            if self.drops(&item) {
                continue;
            }
            let large = matches!(&item, Item::Record { bytes, .. } if *bytes > 100);
            if large && !items.is_empty() {
                self.cursor -= 1;
                break;
            }
            self.read = at;
            items.push((item, Some(record)));
            if large {
                break;
            }
        }
        items
    }

    fn drops(&self, item: &Item) -> bool {
        match item {
            Item::Record {
                at,
                mark:
                    Mark::Sequence {
                        transaction,
                        sequence,
                    },
                ..
            } => self.from.covers(*at, transaction, sequence),
            _ => false,
        }
    }

    /// The tick before the next item, if it lies between what was read and the item.
    fn tick_before_next(&self, world: &World, clock: Clock) -> Option<u64> {
        let next = world.at(self.stream.get(self.cursor)?);
        let before = next.checked_sub(1)?;
        let news = self.heartbeat.is_none_or(|last| last < before);
        (is_visible(next, clock) && before > self.read && news).then_some(before)
    }

    fn beat(&mut self, tick: u64) -> Answer {
        if tick < self.read {
            return Answer::Nothing;
        }
        self.read = tick;
        self.heartbeat = Some(tick);
        Answer::Items(vec![(Item::Heartbeat { at: instant(tick) }, None)])
    }
}

/// Whether a saved position has the record behind it.
pub(super) fn is_behind(world: &World, record: usize, position: &Resume) -> bool {
    let record = &world.records[record];
    position.covers(instant(record.at), &record.transaction, &record.sequence)
}

/// Whether a position has everything at `tick` behind it.
pub(super) fn is_past(position: &Resume, tick: u64) -> bool {
    position.at > instant(tick)
        || (position.at == instant(tick) && position.covered == Covered::All)
}

fn root_stream(world: &World, start: u64, random: &mut Random) -> Vec<Said> {
    let tokens: Vec<_> = world
        .alive_at(start)
        .into_iter()
        .map(|index| world.partitions[index].token.clone())
        .collect();
    let size = random.random_range(1..=tokens.len().max(1));
    tokens
        .chunks(size)
        .map(|chunk| {
            if world.mutable {
                return Said::Started {
                    at: start,
                    partitions: chunk.to_vec(),
                };
            }
            let child = |id: &PartitionId| Child {
                id: id.clone(),
                parents: Vec::new(),
            };
            Said::Children {
                start,
                partitions: chunk.iter().map(child).collect(),
            }
        })
        .collect()
}

fn record_item(world: &World, record: usize) -> Item {
    let record = &world.records[record];
    Item::Record {
        at: instant(record.at),
        mark: Mark::sequence(record.transaction.as_str(), record.sequence.as_str()),
        bytes: record.bytes,
        outputs: record.outputs,
    }
}

fn item_of(said: Said) -> Item {
    match said {
        Said::Record(_) => unreachable!("records have items of their own"),
        Said::Children { start, partitions } => Item::Children {
            start: instant(start),
            partitions,
        },
        Said::Started { at, partitions } => Item::Started {
            at: instant(at),
            partitions,
        },
        Said::MoveIn { at, source } => Item::MoveIn {
            at: instant(at),
            sources: vec![source],
        },
        Said::MoveOut { at, destination } => Item::MoveOut {
            at: instant(at),
            destinations: vec![destination],
        },
        Said::Finished { at } => Item::Finished { at: instant(at) },
    }
}
