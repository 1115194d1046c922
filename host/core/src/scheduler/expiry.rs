//! A position that the source has dropped.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::checkpoint::SinkState;
use crate::command::Command;
use crate::event::Now;
use crate::id::PartitionId;
use crate::limits::CleanEnd;
use crate::partition::{Next, Partition};
use crate::resume::{Resume, one_tick_after};
use crate::scheduler::{First, Phase, Scheduler};

/// What cannot be read any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// A position in a stream.
    Position,
    /// What a snapshot of this instant was planned with; whether the instant cannot either.
    Plan { at: Timestamp, outdated: bool },
}

impl Scheduler {
    /// Stops all reading, so that the host can decide about the whole. A drain that was asked for
    /// goes first: the next start finds the expiry again.
    pub(super) fn expire(&mut self, id: &PartitionId, expiry: Expiry, cause: String, now: Now) {
        if self.phase == Phase::Running && !self.stopping {
            self.phase = Phase::Expiring {
                partition: id.clone(),
                expiry,
                cause,
                asked: false,
            };
            self.close_all(now);
        }
        self.enqueue(id);
    }

    pub(super) fn close_all(&mut self, now: Now) {
        for id in self.open.clone() {
            self.close(&id, Next::Requeue, now);
        }
    }

    pub(super) fn ask_about_expiry(&mut self) {
        if !self.draining.is_empty() {
            return;
        }
        let lost_from = self.watermarks.min().map(one_tick_after);
        if let Phase::Expiring {
            partition,
            expiry,
            cause,
            asked,
        } = &mut self.phase
            && !*asked
        {
            *asked = true;
            let cause = cause.clone();
            self.outputs.push_back(match *expiry {
                Expiry::Position => Command::Expired {
                    partition: partition.clone(),
                    lost_from: lost_from.unwrap_or(self.watermark),
                    cause,
                },
                Expiry::Plan { at, outdated } => Command::Replan {
                    at,
                    outdated,
                    before: self.before_snapshot.clone(),
                    cause,
                },
            });
        }
    }

    /// The gap record is durable: what has expired begins again.
    pub(super) fn restarted(&mut self, at: Timestamp, sink_state: SinkState, now: Now) {
        let Phase::Expiring {
            partition,
            expiry,
            asked: true,
            ..
        } = &self.phase
        else {
            return;
        };
        let (expired, expiry) = (partition.clone(), *expiry);
        self.phase = Phase::Running;
        self.stats.restarts = self.stats.restarts.saturating_add(1);
        self.sink_state = sink_state;
        // What is acknowledged everywhere need not be read again, whatever the host says.
        let at = at.max(one_tick_after(self.watermark));
        match expiry {
            // Only when the shorter sink is saved may it be cut: a checkpoint never tells of more than
            // the sink has.
            Expiry::Plan { .. } => {
                self.begin_anew(First::Plan, at);
                self.saver.start_unsaved = true;
            }
            Expiry::Position if self.is_by_ranges() => self.move_up_expired(&expired, at, now),
            Expiry::Position => self.begin_anew(First::Root, at),
        }
        self.saver.urgent();
    }

    fn is_by_ranges(&self) -> bool {
        let mut partitions = self.partitions.values();
        partitions.any(|partition| partition.saved.range.is_some())
    }

    /// Row ranges are there whatever was read of them: those that have expired lose their tokens.
    fn move_up_expired(&mut self, asked: &PartitionId, at: Timestamp, now: Now) {
        let oldest = now.wall.checked_sub(self.limits.retention).ok();
        let has_expired = |id: &PartitionId, partition: &Partition| {
            !partition.is_at_bound()
                && (id == asked
                    || oldest.is_some_and(|oldest| partition.saved.position.at < oldest))
        };
        let expired: Vec<_> = self
            .partitions
            .iter()
            .filter(|(id, partition)| has_expired(id, partition))
            .map(|(id, partition)| (id.clone(), partition.is_collecting()))
            .collect();
        let position = Resume::fresh(at);
        for (id, is_collecting) in expired {
            if is_collecting {
                self.take_apart(&id, Some(&position));
            } else if let Some(partition) = self.partitions.get_mut(&id) {
                let at = at.max(partition.saved.position.at);
                partition.saved.start = at;
                partition.saved.position = Resume::fresh(at);
                self.position_moved(&id);
                self.enqueue_within_bound(&id);
            }
        }
    }

    /// Moving single partitions is not sound, since their tokens may be gone with their positions:
    /// the whole ledger goes, and one root query finds what exists at `at`.
    fn begin_anew(&mut self, first: First, at: Timestamp) {
        self.partitions.clear();
        self.tombstones.clear();
        self.links = Default::default();
        self.queue.clear();
        self.collecting.clear();
        self.at_bound.clear();
        self.timers.clear();
        self.watermarks.clear();
        self.saver.compactable.clear();
        if let Some(candidates) = &mut self.saver.outstanding {
            candidates.clear();
        }
        self.begin_at(first, at);
    }

    /// A ledger is empty when all is read up to the bound. If the bound has been moved since, one
    /// root query finds what lives behind the old one: the partitions that ended there do.
    pub(super) fn begin_behind_the_last_bound(&mut self) {
        if self.limits.clean_end != CleanEnd::Finishes {
            self.begin_at(First::Root, one_tick_after(self.watermark));
        }
        if !self.partitions.is_empty() {
            self.tombstones.clear();
        }
    }

    /// Begins with the first query, unless the bound leaves nothing to read.
    pub(super) fn begin_at(&mut self, first: First, at: Timestamp) {
        if self.limits.bound.is_none_or(|bound| at <= bound) {
            let id = match first {
                First::Root => PartitionId::root(),
                First::Plan => PartitionId::plan(),
            };
            self.insert(id, Partition::new(at, BTreeSet::new()));
        }
    }
}
