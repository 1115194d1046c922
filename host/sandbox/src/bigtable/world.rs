//! What the stream holds at this moment, and what a reader of one range gets next.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;

use super::{
    history::{Fit, History, KeyRange, Logged, Mutation, Recorded, Topology, fit},
    position::Position,
};
use crate::{
    clock::{Running, after, before},
    growing::Growing,
};

/// The most mutations that one reading hands out, so that what is encoded ahead is bounded.
const READ_MAX: usize = 256;

/// The most mutations that one reading looks at, since all readers wait for it.
const LOOK_MAX: usize = 16 << 10;

/// The stream, shared by all readers and the one that makes it grow.
pub(crate) type World = Growing<Recorded>;

/// A reader of one range.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) range: KeyRange,
    pub(crate) position: Position,
    /// Its inclusive bound.
    pub(crate) end: Option<Timestamp>,
    /// How many topologies there had been when it was opened.
    pub(crate) opened: usize,
    /// How far low watermarks lag behind now.
    pub(crate) delay: Duration,
}

/// What a reader gets next.
#[derive(Debug)]
pub(crate) enum Reading {
    /// These, with their places in the log. There may be none, and then it asks again at once.
    Mutations(Vec<(usize, Arc<Logged>)>),
    /// Its range is no partition any more; these have keys in common with it.
    Misaligned(Vec<KeyRange>),
    /// Its bound is reached.
    Bound,
    /// Nothing before this instant, as far as is known.
    Waiting(Option<Timestamp>),
}

impl World {
    pub(crate) fn of(history: &History, clock: Running) -> Self {
        let mut recorded = history.recorded.clone();
        if history.growth.is_some() {
            recorded.begin_at(clock.began());
        }
        let created = recorded.created;
        Self::new(recorded, created, clock)
    }

    pub(crate) fn committed(&self) -> Vec<Mutation> {
        self.look(|stream, _, _| stream.committed())
    }

    /// The partitions of this moment.
    pub(crate) fn partitions(&self) -> Vec<KeyRange> {
        self.look(|stream, now, _| stream.boundaries(now).partitions())
    }

    /// How many topologies there have been.
    pub(crate) fn topologies(&self) -> usize {
        self.look(|stream, now, _| stream.until(now).len())
    }

    /// What comes next, up to now. The reader passes what it has looked at in vain.
    pub(crate) fn read(&self, reader: &mut Reader) -> Reading {
        self.look(|stream, now, promised| {
            let topologies = stream.until(now);
            let ready = stream.ready(now);
            let (limit, is_misaligned) = match fit(topologies, &reader.range) {
                Fit::Fits => (ready, false),
                Fit::Misaligned { since, index } if reader.opened <= since => (index, true),
                // Closes are not queued: a range that did not fit when it was opened is closed at
                // once. Source: apache/beam, `PartitionReconciler`.
                Fit::Misaligned { .. } => (0, true),
            };
            if reader.position.cursor() < limit {
                return Reading::Mutations(reader.scan(stream, limit));
            }
            if is_misaligned {
                return Reading::Misaligned(current(topologies, &reader.range));
            }
            let is_bound = |end: &Timestamp| before(now, reader.delay) > *end;
            if let Some(end) = reader.end.filter(is_bound) {
                promised.raise(end);
                return Reading::Bound;
            }
            Reading::Waiting(reader.due(stream, topologies.len(), ready))
        })
    }

    /// The low watermark of a heartbeat, unless there is something to read first.
    pub(crate) fn heartbeat(&self, reader: &mut Reader) -> Option<Timestamp> {
        self.look(|stream, now, promised| {
            let ready = stream.ready(now);
            let fits = fit(stream.until(now), &reader.range) == Fit::Fits;
            if reader.position.cursor() < ready || !fits {
                return None;
            }
            promised.raise(now);
            reader.position.pass(ready, now);
            Some(before(now, reader.delay))
        })
    }
}

impl Reader {
    /// Mutations from the cursor on; the position passes what lies before the first of them, or all
    /// that was looked at.
    fn scan(&mut self, stream: &Recorded, limit: usize) -> Vec<(usize, Arc<Logged>)> {
        let from = self.position.cursor();
        let until = limit.min(from.saturating_add(LOOK_MAX));
        let looked = stream.log.get(from..until).unwrap_or_default();
        let wanted = (from..).zip(looked).filter(|(index, logged)| {
            let mutation = &logged.mutation;
            let within = self.end.is_none_or(|end| mutation.commit_timestamp <= end);
            within && self.position.wants(*index, &mutation.row_key)
        });
        let wanted = wanted
            .take(READ_MAX)
            .map(|(i, logged)| (i, Arc::clone(logged)));
        let wanted: Vec<_> = wanted.collect();
        if let (true, Some(last)) = (wanted.is_empty(), looked.last()) {
            self.position.pass(until, last.arrives);
        }
        wanted
    }

    /// When there may be something to do, as far as is known.
    fn due(&self, stream: &Recorded, topologies: usize, ready: usize) -> Option<Timestamp> {
        let arrives = stream.log.get(ready).map(|logged| logged.arrives);
        let divided = stream
            .topologies
            .get(topologies)
            .map(|topology| topology.at);
        let bound = self
            .end
            .map(|end| after(after(end, self.delay), Duration::from_micros(1)));
        [arrives, divided, bound].into_iter().flatten().min()
    }

    /// The low watermark beside a mutation that arrived at that instant.
    pub(crate) fn watermark(&self, arrived: Timestamp) -> Timestamp {
        before(arrived, self.delay)
    }
}

impl Recorded {
    /// How many mutations can be read at `now`.
    pub(crate) fn ready(&self, now: Timestamp) -> usize {
        self.log.partition_point(|logged| logged.arrives <= now)
    }

    /// The place in the log from which on a reader reads that starts at `start`.
    pub(crate) fn from(&self, start: Timestamp) -> usize {
        let mut commits = self
            .log
            .iter()
            .map(|logged| logged.mutation.commit_timestamp);
        commits
            .position(|commit| commit >= start)
            .unwrap_or(self.log.len())
    }
}

fn current(topologies: &[Topology], range: &KeyRange) -> Vec<KeyRange> {
    let current = topologies.last();
    current.map_or_else(Vec::new, |topology| topology.boundaries.overlapping(range))
}
