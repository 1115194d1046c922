//! A query whose stream has an order of its own, and starts after tokens.
//!
//! Within a key the order is that of the commits, and nothing is promised across keys. A token is the
//! number of records of each of its keys that were returned.

use acequia_core::{Item, KeyRange, Mark, RangeToken, Resume, Successor};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::seq::{IteratorRandom, SliceRandom};

use super::service::{Answer, Clock, first_tick_from, is_visible};
use super::topology::{Keys, intersection};
use super::world::{World, instant};

pub(super) struct ByToken {
    /// None for the list of ranges.
    pub(super) keys: Option<Keys>,
    start: u64,
    /// Per key of the world, how many of its records were returned.
    returned: Vec<usize>,
    /// Whether nothing was said yet: a range that does not fit is closed at once when it is opened.
    is_new: bool,
    /// Whether there is a token to go on from.
    has_token: bool,
    /// The tick of the last heartbeat.
    heartbeat: Option<u64>,
    forgets_keys: bool,
}

impl ByToken {
    /// The stream, or why it is refused.
    pub(super) fn open(
        world: &World,
        range: Option<&KeyRange>,
        from: &Resume,
        clock: Clock,
        random: &mut Random,
    ) -> Result<(Self, Option<String>), String> {
        let keys = range.map(|range| world.keys_in(range));
        let mut returned = vec![0; world.keys];
        for key in keys.clone().into_iter().flatten() {
            returned[key] = returned_at(world, range, from, key)?;
        }
        let lost = keys.clone().into_iter().flatten().any(|key| {
            let next = world.next_of(key, returned[key]);
            next.is_some_and(|next| next < clock.earliest && is_visible(next, clock))
        });
        let start = first_tick_from(from.at);
        let is_too_early = from.tokens().is_empty() && start < clock.earliest;
        let stream = Self {
            keys,
            start,
            returned,
            is_new: true,
            has_token: !from.tokens().is_empty(),
            heartbeat: None,
            forgets_keys: world.forgets_keys && random.random_bool(0.3),
        };
        let refused = (lost || is_too_early).then(|| "too far in the past".to_owned());
        Ok((stream, refused))
    }

    pub(super) fn next(
        &mut self,
        world: &World,
        clock: Clock,
        count: usize,
        random: &mut Random,
    ) -> Answer {
        let Some(keys) = self.keys.clone() else {
            return self.list(world, clock, random);
        };
        let records = self.records(world, &keys, clock, count, random);
        let has_ended = self.due(world, &keys, clock).is_empty()
            && records.is_empty()
            && clock.bound.is_some_and(|bound| clock.wall > bound);
        let misfits = !world.tiling(clock.wall).contains(&keys);
        let is_new = std::mem::take(&mut self.is_new);
        if misfits && (is_new || random.random_bool(0.5)) {
            self.take_back(world, &records);
            return self.close(world, &keys, clock, random);
        }
        if !records.is_empty() {
            return Answer::Items(records);
        }
        if has_ended && self.has_token && random.random_bool(0.7) {
            let successors = Vec::new();
            return Answer::Items(vec![(Item::Closed { successors }, None)]);
        }
        if !has_ended && self.heartbeat == Some(clock.wall) {
            return Answer::Nothing;
        }
        self.heartbeat = Some(clock.wall);
        self.has_token = true;
        let item = Item::Continuation {
            token: self.token(&keys),
            low_watermark: self.low_watermark(world, &keys, clock, random),
        };
        Answer::Items(vec![(item, None)])
    }

    /// The current ranges, at times with repeats, and with holes from a service that forgets keys.
    fn list(&self, world: &World, clock: Clock, random: &mut Random) -> Answer {
        let mut tiling = world.tiling(clock.wall);
        if random.random_bool(0.1) {
            let before = world.tiling(random.random_range(0..=clock.wall));
            tiling.extend(before.into_iter().choose(random));
            tiling.shuffle(random);
        }
        if self.forgets_keys {
            tiling.pop();
        }
        let ranges = tiling.iter().map(|keys| world.range_of(keys)).collect();
        let start = instant(self.start);
        Answer::Items(vec![(Item::Ranges { start, ranges }, None)])
    }

    /// Whatever comes next, of any key; more often the oldest.
    fn records(
        &mut self,
        world: &World,
        keys: &Keys,
        clock: Clock,
        count: usize,
        random: &mut Random,
    ) -> Vec<(Item, Option<usize>)> {
        let mut items = Vec::new();
        if random.random_bool(0.1) {
            return items;
        }
        while items.len() < count {
            let due = self.due(world, keys, clock).into_iter();
            let chosen = match random.random_bool(0.7) {
                true => due.min(),
                false => due.choose(random),
            };
            let Some((at, key)) = chosen else {
                break;
            };
            let record = world.chains[key][self.returned[key]];
            let bytes = world.records[record].bytes;
            if bytes > 100 && !items.is_empty() {
                break;
            }
            self.returned[key] += 1;
            self.has_token = true;
            let mark = Mark::Token {
                token: self.token(keys),
                low_watermark: self.low_watermark(world, keys, clock, random),
            };
            let item = Item::Record {
                at: instant(at),
                mark,
                bytes,
                outputs: world.records[record].outputs,
            };
            items.push((item, Some(record)));
            if bytes > 100 {
                break;
            }
        }
        items
    }

    /// Per key, the tick of the record that can come next.
    fn due(&self, world: &World, keys: &Keys, clock: Clock) -> Vec<(u64, usize)> {
        let due = keys.clone().filter_map(|key| {
            let at = world.next_of(key, self.returned[key])?;
            is_visible(at, clock).then_some((at, key))
        });
        due.collect()
    }

    fn take_back(&mut self, world: &World, records: &[(Item, Option<usize>)]) {
        for record in records.iter().filter_map(|(_, record)| *record) {
            self.returned[world.records[record].key] -= 1;
        }
    }

    /// The range is not one of the current ones. Some tokens name all of their target, as a service
    /// was seen to do.
    fn close(&self, world: &World, keys: &Keys, clock: Clock, random: &mut Random) -> Answer {
        let mut successors = Vec::new();
        for target in world.tiling(clock.wall) {
            let Some(both) = intersection(&target, keys) else {
                continue;
            };
            let named = match random.random_bool(0.2) {
                true => &target,
                false => &both,
            };
            let token = RangeToken {
                range: world.range_of(named),
                token: self.token(&both),
            };
            let target = world.range_of(&target);
            successors.push(Successor { target, token });
        }
        successors.shuffle(random);
        if self.forgets_keys && successors.len() > 1 {
            successors.pop();
        }
        Answer::Items(vec![(Item::Closed { successors }, None)])
    }

    fn token(&self, keys: &Keys) -> Box<str> {
        let counts = keys.clone().map(|key| self.returned[key].to_string());
        let counts: Vec<_> = counts.collect();
        format!("{}:{}", keys.start, counts.join(",")).into()
    }

    /// At times behind one that was sent before.
    fn low_watermark(
        &self,
        world: &World,
        keys: &Keys,
        clock: Clock,
        random: &mut Random,
    ) -> acequia_core::Timestamp {
        let next = keys
            .clone()
            .filter_map(|key| world.next_of(key, self.returned[key]))
            .min();
        let true_one = next.unwrap_or(clock.wall).min(clock.wall);
        instant(true_one.saturating_sub(random.random_range(0..4)))
    }
}

/// How many records of a key lie before a position.
pub(super) fn returned_at(
    world: &World,
    range: Option<&KeyRange>,
    from: &Resume,
    key: usize,
) -> Result<usize, String> {
    let tokens = from.tokens();
    if tokens.is_empty() {
        let start = first_tick_from(from.at);
        let chain = &world.chains[key];
        return Ok(chain.partition_point(|record| world.records[*record].at < start));
    }
    let mut of_key = tokens
        .iter()
        .filter(|token| world.keys_in(&token.range).contains(&key));
    let (Some(token), None) = (of_key.next(), of_key.next()) else {
        return Err(format!("the tokens of {range:?} do not tile it"));
    };
    let is_inside = range.is_some_and(|range| token.range.without(range).is_empty());
    read_token(&token.token, key)
        .filter(|_| is_inside)
        .ok_or_else(|| format!("the token of {} does not speak of key {key}", token.range))
}

fn read_token(token: &str, key: usize) -> Option<usize> {
    let (first, counts) = token.split_once(':')?;
    let place = key.checked_sub(first.parse().ok()?)?;
    counts.split(',').nth(place)?.parse().ok()
}

impl World {
    /// The tick of the record of a key that follows so many.
    fn next_of(&self, key: usize, returned: usize) -> Option<u64> {
        let record = self.chains[key].get(returned)?;
        Some(self.records[*record].at)
    }
}
