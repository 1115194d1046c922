//! A sink that writes a log, and says so later.

use std::collections::{BTreeMap, VecDeque};

use acequia_core::{ReaderId, Seq, SinkState};

/// What the log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Record(usize),
    /// Everything before this tick may be missing; of one key, where the others went on.
    Gap {
        at: u64,
        key: Option<usize>,
    },
}

#[derive(Default)]
pub(super) struct Sink {
    pub(super) log: Vec<Line>,
    /// How long the log was at each rewind, and the tick to which it went.
    pub(super) rewinds: Vec<(usize, u64)>,
    /// Handed over, not written.
    pub(super) pending: BTreeMap<ReaderId, VecDeque<(Seq, usize)>>,
    /// Written, not said. In the order of writing, so each is the state of a prefix of the log.
    pub(super) answers: VecDeque<Answer>,
}

pub(super) struct Answer {
    pub(super) acknowledged: Vec<(ReaderId, Seq)>,
    pub(super) state: SinkState,
}

impl Sink {
    pub(super) fn accept(&mut self, reader: &ReaderId, seq: Seq, record: usize) {
        let queue = self.pending.entry(reader.clone()).or_default();
        queue.push_back((seq, record));
    }

    /// Writes up to `count` records of a reader. Gives what was written.
    pub(super) fn write(&mut self, reader: &ReaderId, count: usize) -> Vec<usize> {
        let Some(queue) = self.pending.get_mut(reader) else {
            return Vec::new();
        };
        let batch: Vec<_> = queue.drain(..count.min(queue.len())).collect();
        if queue.is_empty() {
            self.pending.remove(reader);
        }
        let written: Vec<usize> = batch.iter().map(|(_, record)| *record).collect();
        self.log.extend(written.iter().copied().map(Line::Record));
        if let Some((seq, _)) = batch.last() {
            self.answers.push_back(Answer {
                acknowledged: vec![(reader.clone(), *seq)],
                state: self.state(),
            });
        }
        written
    }

    /// Joins the next answers into one, as a sink that syncs once for several batches does.
    pub(super) fn answer(&mut self, joined: usize) -> Option<Answer> {
        let mut answer = self.answers.pop_front()?;
        for _ in 1..joined {
            let Some(next) = self.answers.pop_front() else {
                break;
            };
            answer.acknowledged.extend(next.acknowledged);
            answer.state = next.state;
        }
        Some(answer)
    }

    pub(super) fn state(&self) -> SinkState {
        SinkState::new(self.log.len().to_string())
    }

    pub(super) fn is_idle(&self) -> bool {
        self.pending.is_empty() && self.answers.is_empty()
    }
}

/// The length of the log in a state.
pub(super) fn length(state: &SinkState) -> usize {
    state.as_str().parse().unwrap()
}
