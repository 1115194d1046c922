//! Makes a history grow, step by step, from a seed: transactions on the shop's rows, and partitions
//! that split, merge and move. A key belongs to one partition at a time, and all partitions together
//! hold every key.

use std::{collections::BTreeMap, ops::Range};

use jiff::Timestamp;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    Recorded,
    builder::{BuildError, Commit},
    capture::RowChange,
    change::End,
    rows::Rows,
};

/// Keys are spread over this many places, which partitions divide among themselves.
const PLACES: u64 = 1 << 32;

/// Grows one history.
#[derive(Debug)]
pub(crate) struct Grower {
    rng: Xoshiro256PlusPlus,
    owned: BTreeMap<String, Range<u64>>,
    rows: Rows,
    keys: u64,
    rows_per_commit_max: usize,
    tokens: u64,
    mutable: bool,
}

/// What bounds a grower.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    pub(crate) keys: u64,
    pub(crate) rows_per_commit_max: usize,
    pub(crate) large_row_bytes: Option<usize>,
    pub(crate) mutable: bool,
}

impl Grower {
    pub(crate) fn new(seed: u64, bounds: &Bounds) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            owned: BTreeMap::new(),
            rows: Rows::new(bounds.large_row_bytes),
            keys: bounds.keys.max(1),
            rows_per_commit_max: bounds.rows_per_commit_max.max(1),
            tokens: 0,
            mutable: bounds.mutable,
        }
    }

    pub(crate) fn rng(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.rng
    }

    /// How many partitions live.
    pub(crate) fn living(&self) -> usize {
        self.owned.len()
    }

    /// Begins `count` first partitions of equal share.
    pub(crate) fn begin(&mut self, to: &mut Recorded, count: u32) -> Result<(), BuildError> {
        to.mutable = self.mutable;
        let count = u64::from(count.max(1));
        for index in 0..count {
            let token = self.token();
            to.begin(&token, &[], to.created)?;
            self.owned
                .insert(token, PLACES * index / count..PLACES * (index + 1) / count);
        }
        Ok(())
    }

    /// One transaction on up to `rows_per_commit_max` different keys. Returns how many it changed.
    pub(crate) fn commit(&mut self, to: &mut Recorded, at: Timestamp) -> Result<u64, BuildError> {
        let wanted = self.rng.random_range(1..=self.rows_per_commit_max);
        let mut parts: BTreeMap<String, Vec<RowChange>> = BTreeMap::new();
        let mut keys: Vec<u64> = Vec::new();
        for _ in 0..wanted {
            let key = self.rng.random_range(0..self.keys);
            if keys.contains(&key) {
                continue;
            }
            keys.push(key);
            let change = self.rows.change(key, at, &mut self.rng);
            parts.entry(self.owner(key)).or_default().push(change);
        }
        let commit = parts
            .into_iter()
            .fold(Commit::new(), |c, (token, rows)| c.on(&token, rows));
        to.transaction(at, &commit.tag("shop"))?;
        Ok(u64::try_from(keys.len()).unwrap_or(u64::MAX))
    }

    /// Divides one partition in two. Whether there was one that could be.
    pub(crate) fn split(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let Some((token, range)) = self.pick(|range| range.end - range.start > 1) else {
            return Ok(false);
        };
        let middle = range.start + (range.end - range.start) / 2;
        let right = self.token();
        let left = if self.mutable {
            to.starts(at, &token, &[&right])?;
            to.moves_range(at, &token, &right)?;
            token
        } else {
            let left = self.token();
            to.split(at, &token, &[&left, &right])?;
            self.owned.remove(&token);
            left
        };
        self.owned.insert(left, range.start..middle);
        self.owned.insert(right, middle..range.end);
        Ok(true)
    }

    /// Joins two neighbours. Whether there were any.
    pub(crate) fn merge(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let Some((left, range)) = self.pick(|range| range.end < PLACES) else {
            return Ok(false);
        };
        let next = self
            .owned
            .iter()
            .find(|(_, other)| other.start == range.end);
        let Some((right, other)) = next.map(|(token, other)| (token.clone(), other.clone())) else {
            return Ok(false);
        };
        let joined = if self.mutable {
            to.moves_range(at, &right, &left)?;
            to.end(at, &right, End::Closed)?;
            left
        } else {
            let joined = self.token();
            to.merge(at, &[&left, &right], &joined)?;
            self.owned.remove(&left);
            joined
        };
        self.owned.remove(&right);
        self.owned.insert(joined, range.start..other.end);
        Ok(true)
    }

    /// Hands one partition's whole range to a new one.
    pub(crate) fn moves(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let Some((token, range)) = self.pick(|_| true) else {
            return Ok(false);
        };
        let next = self.token();
        if self.mutable {
            to.starts(at, &token, &[&next])?;
            to.moves_range(at, &token, &next)?;
            to.end(at, &token, End::Closed)?;
        } else {
            to.move_to(at, &token, &next)?;
        }
        self.owned.remove(&token);
        self.owned.insert(next, range);
        Ok(true)
    }

    /// A heartbeat of one partition.
    pub(crate) fn heartbeat(
        &mut self,
        to: &mut Recorded,
        at: Timestamp,
    ) -> Result<bool, BuildError> {
        let Some((token, _)) = self.pick(|_| true) else {
            return Ok(false);
        };
        to.add(&token, super::Entry::Heartbeat(at))?;
        Ok(true)
    }

    fn pick(&mut self, fits: impl Fn(&Range<u64>) -> bool) -> Option<(String, Range<u64>)> {
        let fitting: Vec<_> = self.owned.iter().filter(|(_, range)| fits(range)).collect();
        let index = self.rng.random_range(0..fitting.len().max(1));
        fitting
            .get(index)
            .map(|(token, range)| ((*token).clone(), (*range).clone()))
    }

    fn token(&mut self) -> String {
        self.tokens += 1;
        format!("partition-{:06}", self.tokens)
    }

    fn owner(&self, key: u64) -> String {
        let place = scattered(key) % PLACES;
        let owner = self.owned.iter().find(|(_, range)| range.contains(&place));
        owner.map_or_else(String::new, |(token, _)| token.clone())
    }
}

/// Spreads neighbouring keys over all places (the finaliser of `SplitMix64`).
fn scattered(key: u64) -> u64 {
    let mixed = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
