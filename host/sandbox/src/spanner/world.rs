//! What the stream holds at this moment, and what a reader of one partition gets next.

use jiff::Timestamp;

use crate::{
    clock::Running,
    growing::{Growing, whole_micros},
    spanner::history::{Child, Committed, End, Entry, History, Partition, Recorded},
};

/// The most entries that one reading hands out, so that a large history is not copied at once.
const ENTRIES_PER_READING_MAX: usize = 1024;

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

/// The stream, shared by all readers and the one that makes it grow.
pub(crate) type World = Growing<Recorded>;

impl World {
    pub(crate) fn of(history: &History, clock: Running) -> Self {
        let mut recorded = history.recorded.clone();
        if history.growth.is_some() {
            recorded.created = clock.began();
        }
        let created = recorded.created;
        Self::new(recorded, created, clock)
    }

    pub(crate) fn committed(&self) -> Vec<Committed> {
        self.look(|stream, _, _| crate::spanner::history::committed(stream.partitions.values()))
    }

    /// An instant at or after everything that is committed, at or before which nothing will be; a
    /// whole microsecond, as the service's read timestamps are.
    pub(crate) fn strong(&self) -> Timestamp {
        self.look(|_, now, promised| {
            promised.raise(whole_micros(now));
            promised.instant()
        })
    }

    /// What answers a query without a token: one record for each partition that lives at `start`.
    pub(crate) fn roots(&self, start: Timestamp) -> Vec<Entry> {
        self.look(|stream, _, promised| {
            promised.raise(start);
            let living = stream.partitions.values().filter(|partition| {
                let ended = partition.end.as_ref().is_some_and(|(end, _)| *end <= start);
                partition.start <= start && !ended
            });
            let root = |(partition, index)| root(partition, index, start, stream.mutable);
            living.zip(0..).map(root).collect()
        })
    }

    /// Where a reader that starts at `start` begins.
    pub(crate) fn cursor(&self, token: &str, start: Timestamp) -> usize {
        self.look(|stream, _, _| {
            let partition = stream.partitions.get(token);
            partition.map_or(0, |p| p.entries.partition_point(|entry| entry.at() < start))
        })
    }

    /// What follows `cursor` in the partition, up to now and to the inclusive bound.
    pub(crate) fn read(&self, token: &str, cursor: usize, bound: Option<Timestamp>) -> Reading {
        self.look(|stream, now, promised| {
            let until = bound.map_or(now, |bound| bound.min(now));
            let Some(partition) = stream.partitions.get(token) else {
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
                    promised.raise(until);
                    Reading::Bound
                }
                end => Reading::Waiting(next.or(end.as_ref().map(|(end, _)| *end))),
            }
        })
    }

    /// A heartbeat's instant, unless there is something to read first.
    pub(crate) fn heartbeat(
        &self,
        token: &str,
        cursor: usize,
        bound: Option<Timestamp>,
    ) -> Option<Timestamp> {
        self.look(|stream, now, promised| {
            let partition = stream.partitions.get(token)?;
            let next = partition.entries.get(cursor).map(Entry::at);
            let next = next.or(partition.end.as_ref().map(|(end, _)| *end));
            if next.is_some_and(|next| next <= now) {
                return None;
            }
            promised.raise(now);
            Some(bound.map_or(now, |bound| bound.min(now)))
        })
    }
}

/// The record of a partition that lives when a stream begins to be read.
fn root(partition: &Partition, index: usize, start: Timestamp, mutable: bool) -> Entry {
    let (token, sequence) = (partition.token.clone(), format!("{index:08}"));
    if mutable {
        return Entry::PartitionStart {
            start,
            sequence,
            tokens: vec![token],
        };
    }
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
