//! What the stream holds at this moment, and what a reader of one partition gets next.
//!
//! A heartbeat promises that nothing at or before it will follow. Records that are added later and
//! heartbeats are therefore stamped under one lock, from one instant that only grows.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tokio::sync::watch;

use crate::{
    clock::{Running, after},
    spanner::history::{Child, Committed, End, Entry, History, Partition, Recorded},
};

/// The most entries that one reading hands out, so that a large history is not copied at once.
const ENTRIES_PER_READING_MAX: usize = 1024;

/// The stream, shared by all readers and the one that makes it grow.
#[derive(Debug)]
pub(crate) struct World {
    state: Mutex<State>,
    grown: watch::Sender<()>,
    pub(crate) clock: Running,
}

#[derive(Debug)]
struct State {
    recorded: Recorded,
    promised: Timestamp,
}

/// What a reader of one partition gets next.
#[derive(Debug)]
pub(crate) enum Reading {
    /// These, and then it asks again.
    Entries(Vec<Entry>),
    /// The partition's life has ended: these are the last.
    Closing(Vec<Entry>),
    /// The reader's own bound is reached.
    Bound,
    /// Nothing before this instant, as far as is known.
    Waiting(Option<Timestamp>),
}

impl World {
    pub(crate) fn new(history: &History, clock: Running) -> Self {
        let mut recorded = history.recorded.clone();
        if history.growth.is_some() {
            recorded.created = clock.began();
        }
        let promised = recorded.created;
        let state = Mutex::new(State { recorded, promised });
        Self {
            state,
            grown: watch::Sender::new(()),
            clock,
        }
    }

    pub(crate) fn grown(&self) -> watch::Receiver<()> {
        self.grown.subscribe()
    }

    /// Adds to the stream at an instant after everything that was promised.
    pub(crate) fn grow<T>(&self, step: impl FnOnce(&mut Recorded, Timestamp) -> T) -> T {
        let grown = {
            let mut state = self.lock();
            let next = after(state.promised, Duration::from_micros(1));
            let at = whole_micros(self.clock.now()).max(next);
            state.promised = at;
            step(&mut state.recorded, at)
        };
        self.grown.send_replace(());
        grown
    }

    pub(crate) fn committed(&self) -> Vec<Committed> {
        crate::spanner::history::committed(self.lock().recorded.partitions.values())
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&Recorded) -> T) -> T {
        look(&self.lock().recorded)
    }

    /// What answers a query without a token: one record for each partition that lives at `start`.
    pub(crate) fn roots(&self, start: Timestamp) -> Vec<Entry> {
        let mut state = self.lock();
        state.promised = state.promised.max(start);
        let mutable = state.recorded.mutable;
        let living = state.recorded.partitions.values().filter(|partition| {
            let ended = partition.end.as_ref().is_some_and(|(end, _)| *end <= start);
            partition.start <= start && !ended
        });
        let record = |(partition, index): (&Partition, usize)| {
            let (token, sequence) = (partition.token.clone(), format!("{index:08}"));
            if mutable {
                Entry::PartitionStart {
                    start,
                    sequence,
                    tokens: vec![token],
                }
            } else {
                let children = vec![Child {
                    token,
                    parents: Vec::new(),
                }];
                Entry::Children {
                    start,
                    sequence,
                    children,
                }
            }
        };
        living.zip(0..).map(record).collect()
    }

    /// Where a reader that starts at `start` begins.
    pub(crate) fn cursor(&self, token: &str, start: Timestamp) -> usize {
        let state = self.lock();
        let partition = state.recorded.partitions.get(token);
        partition.map_or(0, |p| p.entries.partition_point(|entry| entry.at() < start))
    }

    /// What follows `cursor` in the partition, up to now and to the inclusive bound.
    pub(crate) fn read(&self, token: &str, cursor: usize, bound: Option<Timestamp>) -> Reading {
        let mut state = self.lock();
        let now = self.clock.now();
        let until = bound.map_or(now, |bound| bound.min(now));
        let Some(partition) = state.recorded.partitions.get(token) else {
            return Reading::Bound;
        };
        let rest = partition.entries.get(cursor..).unwrap_or_default();
        let ready = rest.iter().take_while(|entry| entry.at() <= until);
        let ready: Vec<Entry> = ready.take(ENTRIES_PER_READING_MAX).cloned().collect();
        if !ready.is_empty() {
            return Reading::Entries(ready);
        }
        let next = rest.first().map(Entry::at);
        match &partition.end {
            Some((end, how)) if rest.is_empty() && *end <= until => {
                Reading::Closing(closing(partition, *end, how))
            }
            _ if bound.is_some_and(|bound| bound <= now) => {
                state.promised = state.promised.max(until);
                Reading::Bound
            }
            end => Reading::Waiting(next.or(end.as_ref().map(|(end, _)| *end))),
        }
    }

    /// A heartbeat's instant, unless there is something to read first.
    pub(crate) fn heartbeat(
        &self,
        token: &str,
        cursor: usize,
        bound: Option<Timestamp>,
    ) -> Option<Timestamp> {
        let mut state = self.lock();
        let now = self.clock.now();
        let partition = state.recorded.partitions.get(token)?;
        let next = partition.entries.get(cursor).map(Entry::at);
        let next = next.or(partition.end.as_ref().map(|(end, _)| *end));
        if next.is_some_and(|next| next <= now) {
            return None;
        }
        state.promised = state.promised.max(now);
        Some(bound.map_or(now, |bound| bound.min(now)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The records with which a partition's life ends.
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, child partitions records;
/// `google/spanner/v1/change_stream.proto`, `PartitionEndRecord`.
pub(crate) fn closing(partition: &Partition, end: Timestamp, how: &End) -> Vec<Entry> {
    let child = |token: &String, parents: &[String]| Child {
        token: token.clone(),
        parents: parents.to_vec(),
    };
    let itself = std::slice::from_ref(&partition.token);
    let children = match how {
        End::Split(tokens) => tokens.iter().map(|token| child(token, itself)).collect(),
        End::Merge { into, with } => vec![child(into, with)],
        End::Move(token) => vec![child(token, itself)],
        End::Closed => {
            let before = partition
                .entries
                .iter()
                .rev()
                .take_while(|e| e.at() == end)
                .count();
            let sequence = format!("{before:016x}-00000000");
            return vec![Entry::PartitionEnd {
                end,
                sequence,
                token: partition.token.clone(),
            }];
        }
    };
    vec![Entry::Children {
        start: end,
        sequence: "00000000".to_owned(),
        children,
    }]
}

/// Commit timestamps of the service are whole microseconds.
fn whole_micros(instant: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(instant.as_microsecond()).unwrap_or(instant)
}
