//! Makes a history grow, step by step, from a seed: mutations of the shop's rows, and partitions that
//! split, merge and move.

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::IteratorRandom};

use super::{
    Recorded,
    builder::BuildError,
    mutation::{Entry, Mutation, Source},
    rows,
};
use crate::clock::before;

/// How often a mutation is one of garbage collection.
const COLLECTED: (u32, u32) = (1, 16);

/// Grows one history.
#[derive(Debug)]
pub(crate) struct Grower {
    rng: Xoshiro256PlusPlus,
    bounds: Bounds,
}

/// What bounds a grower.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    pub(crate) rows: u64,
    pub(crate) entries_max: usize,
    pub(crate) clusters: u32,
    pub(crate) replication_delay: Duration,
    pub(crate) large_value_bytes: Option<usize>,
}

impl Grower {
    pub(crate) fn new(seed: u64, bounds: &Bounds) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            bounds: bounds.clone(),
        }
    }

    pub(super) fn rng(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.rng
    }

    /// Divides the key space into `count` partitions of equal share.
    pub(crate) fn begin(
        &mut self,
        to: &mut Recorded,
        at: Timestamp,
        count: u32,
    ) -> Result<(), BuildError> {
        let count = count.max(1);
        to.divide(at, |boundaries| {
            (1..count)
                .try_for_each(|index| boundaries.split(rows::boundary(u32::MAX / count * index)))
        })
    }

    /// One mutation of a row.
    pub(crate) fn write(&mut self, to: &mut Recorded, at: Timestamp) -> Result<(), BuildError> {
        let source = self.source();
        let is_remote = matches!(&source, Source::User(cluster) if *cluster != rows::cluster(0));
        let late = if is_remote && !self.bounds.replication_delay.is_zero() {
            let most = u64::try_from(self.bounds.replication_delay.as_micros());
            Duration::from_micros(self.rng.random_range(0..=most.unwrap_or(u64::MAX)))
        } else {
            Duration::ZERO
        };
        self.write_late(to, at, source, late)
    }

    /// One mutation that arrives below the low watermark.
    pub(super) fn write_below(
        &mut self,
        to: &mut Recorded,
        at: Timestamp,
    ) -> Result<(), BuildError> {
        let more = Duration::from_micros(self.rng.random_range(1..=1_000_000));
        let late = self.bounds.replication_delay + more;
        self.write_late(to, at, Source::User(rows::cluster(1)), late)
    }

    fn write_late(
        &mut self,
        to: &mut Recorded,
        at: Timestamp,
        source: Source,
        late: Duration,
    ) -> Result<(), BuildError> {
        let row_key = rows::key(self.rng.random_range(0..self.bounds.rows.max(1)));
        let mut mutation = Mutation {
            commit_timestamp: before(at, late).max(to.created),
            tie_breaker: 0,
            entries: self.entries(&source),
            row_key,
            source,
        };
        // Commits of a row at a cluster are in order, and no two have the same id.
        if let Some((last, tie_breaker)) = to.last(&mutation)
            && last >= mutation.commit_timestamp
        {
            mutation.commit_timestamp = last;
            mutation.tie_breaker = tie_breaker + 1;
        }
        to.add(at, mutation)
    }

    /// Splits a partition at some key. Whether one was.
    pub(crate) fn split(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let key = self.boundary();
        if to.boundaries(at).keys().any(|boundary| *boundary == key) {
            return Ok(false);
        }
        to.divide(at, |boundaries| boundaries.split(key))?;
        Ok(true)
    }

    /// Joins two neighbours. Whether there were any.
    pub(crate) fn merge(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let Some(key) = self.pick(to, at) else {
            return Ok(false);
        };
        to.divide(at, |boundaries| boundaries.merge(key))?;
        Ok(true)
    }

    /// Moves a boundary to another place. Whether there was one.
    pub(crate) fn moves(&mut self, to: &mut Recorded, at: Timestamp) -> Result<bool, BuildError> {
        let (Some(from), key) = (self.pick(to, at), self.boundary()) else {
            return Ok(false);
        };
        if to.boundaries(at).keys().any(|boundary| *boundary == key) {
            return Ok(false);
        }
        to.divide(at, |boundaries| {
            boundaries.merge(from)?;
            boundaries.split(key)
        })?;
        Ok(true)
    }

    fn pick(&mut self, to: &Recorded, at: Timestamp) -> Option<Bytes> {
        to.boundaries(at).keys().choose(&mut self.rng).cloned()
    }

    fn boundary(&mut self) -> Bytes {
        rows::boundary(self.rng.random_range(1..=u32::MAX))
    }

    fn source(&mut self) -> Source {
        if self.rng.random_ratio(COLLECTED.0, COLLECTED.1) {
            Source::GarbageCollection
        } else {
            let cluster = self.rng.random_range(0..self.bounds.clusters.max(1));
            Source::User(rows::cluster(cluster))
        }
    }

    fn entries(&mut self, source: &Source) -> Vec<Entry> {
        let count = self.rng.random_range(1..=self.bounds.entries_max.max(1));
        let large = self.bounds.large_value_bytes;
        let entry = |_| match source {
            Source::User(_) => rows::entry(&mut self.rng, large),
            Source::GarbageCollection => rows::collected(&mut self.rng),
        };
        (0..count).map(entry).collect()
    }
}
