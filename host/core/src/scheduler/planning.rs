//! Snapshots: a plan names the parts that are read at one instant, and a stream may follow them.
//!
//! The parts depend on nobody and end by themselves. Of the stream only the root query is known before
//! it begins; it follows every part as a merged partition follows its parents, so nothing of the stream
//! is read before all of the snapshot is acknowledged.
//!
//! Source: google/spanner/v1/spanner.proto, `PartitionQuery` and `PartitionRead`: the parts are read in
//! the transaction, and with the session, that planned them. When either is gone, so are all of them.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::checkpoint::Until;
use crate::event::Now;
use crate::id::PartitionId;
use crate::item::Part;
use crate::partition::Partition;
use crate::scheduler::Scheduler;
use crate::scheduler::expiry::Expiry;

impl Scheduler {
    /// The plan names the parts, and says whether the stream's root query follows them.
    pub(super) fn planned(
        &mut self,
        plan: &PartitionId,
        at: Timestamp,
        parts: Vec<Part>,
        then: Option<Timestamp>,
    ) {
        let mut parents = BTreeSet::from([plan.clone()]);
        parents.extend(parts.iter().map(|part| part.id.clone()));
        for part in parts {
            // One name is one part, and its first ticket reads it.
            if self.partitions.contains_key(&part.id) {
                continue;
            }
            let mut partition = follows(at, [plan.clone()].into());
            partition.saved.ticket = Some(part.ticket);
            self.stats.found = self.stats.found.saturating_add(1);
            self.insert(part.id, partition);
        }
        let then = then.filter(|start| self.limits.bound.is_none_or(|bound| *start <= bound));
        if let Some(start) = then.filter(|_| !self.partitions.contains_key(&PartitionId::root())) {
            self.insert(PartitionId::root(), follows(start, parents));
        }
        self.saver.urgent();
    }

    /// A part cannot be read, since what the whole was planned with is gone.
    pub(super) fn settle_lost_plan(
        &mut self,
        id: &PartitionId,
        cause: String,
        outdated: bool,
        now: Now,
    ) {
        let Some(partition) = self.partitions.get(id) else {
            return;
        };
        let at = partition.saved.start;
        self.expire(id, Expiry::Plan { at, outdated }, cause, now);
    }
}

/// A partition that waits for the end of all of these.
fn follows(start: Timestamp, parents: BTreeSet<PartitionId>) -> Partition {
    let after = parents.iter().map(|parent| (parent.clone(), Until::End));
    let after = after.collect();
    let mut partition = Partition::new(start, parents);
    partition.saved.after = after;
    partition
}
