//! Back pressure: readers are held before too much is in flight.

use crate::command::Command;
use crate::event::Now;
use crate::id::{Attempt, PartitionId, ReaderId};
use crate::scheduler::Scheduler;

impl Scheduler {
    pub(super) fn hold_or_release(&mut self, now: Now) {
        #[cfg(any(test, feature = "sabotage"))]
        if self.is_sabotaged(crate::Sabotage::HoldIgnored) {
            return;
        }
        if !self.credit.held && self.credit.is_exhausted(&self.limits) {
            self.hold(now);
        } else if self.credit.held && self.credit.has_room(&self.limits) {
            self.release(now);
        }
    }

    fn hold(&mut self, now: Now) {
        self.credit.held = true;
        for (id, attempt) in self.by_position() {
            self.each_reading(&id, |reading| reading.held_since = Some(now.monotonic));
            self.outputs.push_back(Command::Hold {
                reader: reader(id, attempt),
            });
        }
    }

    /// The oldest position goes on first, since the watermark waits for it.
    fn release(&mut self, now: Now) {
        self.credit.held = false;
        for (id, attempt) in self.by_position() {
            self.each_reading(&id, |reading| {
                let held = reading.held_since.take().unwrap_or(now.monotonic);
                let pause = now.monotonic.saturating_sub(held);
                reading.quiet_since = reading.quiet_since.saturating_add(pause);
            });
            self.outputs.push_back(Command::Release {
                reader: reader(id, attempt),
            });
        }
    }

    fn by_position(&self) -> Vec<(PartitionId, Attempt)> {
        let mut open: Vec<_> = self
            .open_readings()
            .map(|(id, reading)| (reading.read.at, id.clone(), reading.attempt))
            .collect();
        open.sort();
        open.into_iter()
            .map(|(_, id, attempt)| (id, attempt))
            .collect()
    }

    fn each_reading(
        &mut self,
        id: &PartitionId,
        change: impl FnOnce(&mut crate::reading::Reading),
    ) {
        if let Some(reading) = self
            .partitions
            .get_mut(id)
            .and_then(|partition| partition.open_reading_mut())
        {
            change(reading);
        }
    }
}

fn reader(partition: PartitionId, attempt: Attempt) -> ReaderId {
    ReaderId { partition, attempt }
}
