//! What is told to people who look.

use crate::credit::Credit;
use crate::history::Past;
use crate::id::PartitionId;
use crate::partition::{Partition, State};
use crate::scheduler::Scheduler;
use crate::view::{PartitionState, PartitionView, Stats, Wait};

impl Scheduler {
    /// The unfinished partitions.
    pub fn partitions(&self) -> impl Iterator<Item = PartitionView<'_>> {
        self.partitions
            .iter()
            .filter(|(id, _)| !self.at_bound.contains(*id))
            .map(|(id, partition)| self.view(id, partition))
    }

    /// Whether a partition is known and not finished.
    pub fn has(&self, id: &PartitionId) -> bool {
        self.partitions.contains_key(id) && !self.at_bound.contains(id)
    }

    /// The partitions that finished last, the oldest first.
    pub fn history(&self) -> impl Iterator<Item = &Past> {
        self.history.iter()
    }

    /// Finished partitions that [`history`](Self::history) no longer has.
    pub fn history_forgotten(&self) -> u64 {
        self.history.forgotten()
    }

    /// Counts.
    pub fn stats(&self) -> Stats {
        Stats {
            records_in_flight: self.credit.records,
            bytes_in_flight: self.credit.bytes,
            open: self.open.len() as u64,
            queued: self.queue.len() as u64,
            unfinished: self.partitions.len().saturating_sub(self.at_bound.len()) as u64,
            tombstones: self.tombstones.len() as u64,
            ..self.stats
        }
    }

    /// Whether readers are held because too much is in flight.
    pub fn is_held(&self) -> bool {
        self.credit.held
    }

    fn view<'a>(&'a self, id: &'a PartitionId, partition: &'a Partition) -> PartitionView<'a> {
        let reading = partition.reading();
        PartitionView {
            id,
            range: partition.saved.range.as_ref(),
            parents: partition.saved.parents.iter().collect(),
            state: state(partition, &self.credit),
            start: partition.saved.start,
            position: partition.saved.position.at,
            watermark: partition.saved.position.watermark(),
            unacknowledged: reading.map_or(0, |reading| reading.ledger.len()),
            oldest_unacknowledged: reading
                .and_then(|reading| reading.ledger.front())
                .and_then(|item| item.at()),
            failures: partition.failures,
            wait: self.wait(partition),
        }
    }

    fn wait<'a>(&'a self, partition: &'a Partition) -> Wait<'a> {
        match &partition.state {
            State::Waiting | State::AtBound => {
                let after = partition.saved.after.iter();
                Wait::Partitions(after.map(|(id, until)| (id, *until)).collect())
            }
            State::Collecting(_) => Wait::Tokens(partition.lacking()),
            State::Queued(_) if self.saver.start_unsaved => Wait::Save,
            State::Queued(_) if self.credit.held => Wait::Delivery { since: None },
            State::Queued(_) => Wait::Place,
            State::BackingOff { until } => Wait::Timer { until: *until },
            State::Open(reading) if reading.ledger.is_drained() && !self.credit.held => {
                Wait::Server {
                    since: reading.quiet_since,
                }
            }
            State::Open(reading) | State::Draining { reading, .. } => Wait::Delivery {
                since: (!reading.ledger.is_drained()).then_some(reading.undelivered_since),
            },
        }
    }
}

fn state(partition: &Partition, credit: &Credit) -> PartitionState {
    match &partition.state {
        State::Waiting | State::Collecting(_) | State::AtBound => PartitionState::Waiting,
        State::Queued(_) => PartitionState::Queued,
        State::BackingOff { .. } => PartitionState::BackingOff,
        State::Open(_) if credit.held => PartitionState::Held,
        State::Open(_) => PartitionState::Open,
        State::Draining { .. } => PartitionState::Draining,
    }
}
