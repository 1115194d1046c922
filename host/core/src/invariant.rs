//! The rules that must always hold, by number.
//!
//! Three of them are about histories and cannot be seen in one state; the simulator checks them:
//!
//! * INV-6: for a key, the order in the sink is the commit order; repeats may follow a crash.
//! * INV-7: every record is delivered at least once across any sequence of crashes.
//! * INV-12: a checkpoint that is stored and restored gives the same commands from then on.
//!
//! Of INV-4, INV-5 and INV-8 the state shows a part, and the simulator compares states.

use std::collections::BTreeSet;

use crate::checkpoint::Until;
use crate::id::PartitionId;
use crate::item::{Item, Mark};
use crate::partition::{Partition, State};
use crate::range::KeyRange;
use crate::scheduler::{Phase, Scheduler};

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {what}")]
pub struct Violation {
    /// The number, as `INV-3`.
    pub rule: &'static str,
    /// What was seen.
    pub what: String,
}

type Rule = fn(&Scheduler) -> Option<String>;

/// The rules that one state shows.
const RULES: [(&str, Rule); 11] = [
    ("INV-1", opened_only_when_dependencies_are_met),
    ("INV-2", one_reader_per_partition),
    ("INV-3", nothing_saved_past_the_acknowledged_prefix),
    ("INV-4", positions_do_not_go_back),
    ("INV-5", children_are_known_before_their_parent_finishes),
    ("INV-8", reports_change_dependencies_only),
    ("INV-9", in_flight_is_bounded),
    ("INV-10", no_lost_wake_up),
    ("INV-11", nothing_is_open_after_drain),
    ("INV-13", tombstones_stay_while_needed),
    ("INV-14", each_key_belongs_to_one),
];

impl Scheduler {
    /// Checks every rule that the state shows. It takes time in proportion to everything, so it is
    /// for tests. Call it when the outputs are drained.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn check(&self) -> Result<(), Violation> {
        for (rule, check) in RULES {
            if let Some(what) = check(self) {
                return Err(Violation { rule, what });
            }
        }
        Ok(())
    }

    fn find<F>(&self, breaks: F) -> Option<&PartitionId>
    where
        F: Fn(&PartitionId, &Partition) -> bool,
    {
        self.partitions
            .iter()
            .find(|(id, partition)| breaks(id, partition))
            .map(|(id, _)| id)
    }
}

/// INV-1: a partition is opened only when every dependency is met.
fn opened_only_when_dependencies_are_met(scheduler: &Scheduler) -> Option<String> {
    let early = scheduler.find(|_, partition| {
        let unmet = !partition.saved.after.is_empty()
            || partition
                .saved
                .parents
                .iter()
                .any(|parent| scheduler.partitions.contains_key(parent));
        matches!(partition.state, State::Open(_)) && unmet
    })?;
    Some(format!("{early} is open before its dependencies are met"))
}

/// INV-2: at most one reader per partition.
fn one_reader_per_partition(scheduler: &Scheduler) -> Option<String> {
    if scheduler.open.len() > scheduler.limits.max_open.get() {
        return Some(format!("{} partitions are open", scheduler.open.len()));
    }
    let attempts: BTreeSet<_> = scheduler
        .partitions
        .values()
        .filter_map(|partition| Some(partition.reading()?.attempt))
        .collect();
    if attempts.len() != scheduler.open.len() + scheduler.draining.len() {
        return Some("readers share an attempt or are not indexed".to_owned());
    }
    let misplaced = scheduler.find(|id, partition| {
        let open = matches!(partition.state, State::Open(_));
        let draining = matches!(partition.state, State::Draining { .. });
        scheduler.open.contains(id) != open || scheduler.draining.contains(id) != draining
    })?;
    Some(format!(
        "the index of open partitions is wrong about {misplaced}"
    ))
}

/// INV-3: the saved position, and the watermark, never exceed the contiguous acknowledged prefix.
fn nothing_saved_past_the_acknowledged_prefix(scheduler: &Scheduler) -> Option<String> {
    if let Some(id) = scheduler.find(|_, partition| {
        let position = &partition.saved.position;
        match partition
            .reading()
            .and_then(|reading| reading.ledger.front())
        {
            Some(Item::Record {
                at,
                mark:
                    Mark::Sequence {
                        transaction,
                        sequence,
                    },
                ..
            }) => position.covers(*at, transaction, sequence),
            Some(Item::Record {
                mark: Mark::Row { number },
                ..
            }) => *number < position.rows_done(),
            Some(Item::Record {
                mark: Mark::Token { token, .. },
                ..
            }) => position.tokens().iter().any(|own| own.token == *token),
            Some(item) => {
                position.tokens().is_empty() && item.at().is_some_and(|at| position.at > at)
            }
            None => false,
        }
    }) {
        return Some(format!("the position of {id} is past what is acknowledged"));
    }
    let ahead = scheduler.find(|_, partition| {
        // A child may start at the very instant that a heartbeat of its parent covered.
        let reached = partition.saved.position.watermark();
        scheduler.watermark > reached.max(partition.saved.start)
    })?;
    Some(format!("the watermark is past {ahead}"))
}

/// INV-4: saved positions are monotonic per partition and generation.
fn positions_do_not_go_back(scheduler: &Scheduler) -> Option<String> {
    let back = scheduler.find(|_, partition| {
        partition.saved.position.at < partition.saved.start
            || partition
                .reading()
                .is_some_and(|reading| partition.saved.position.at < reading.from.at)
    })?;
    Some(format!("the position of {back} went back"))
}

/// INV-5: a child is in a saved checkpoint no later than its parent is marked finished.
fn children_are_known_before_their_parent_finishes(scheduler: &Scheduler) -> Option<String> {
    if scheduler.limits.bound.is_some() {
        // A child that starts after the bound is finished when found, and not kept.
        return None;
    }
    let childless = scheduler.find(|_, partition| {
        partition.saved.children.iter().any(|child| {
            !scheduler.partitions.contains_key(child) && !scheduler.tombstones.contains_key(child)
        })
    })?;
    Some(format!("a child of {childless} is not known"))
}

/// INV-8: a second report of the same partition changes nothing but its dependency set.
fn reports_change_dependencies_only(scheduler: &Scheduler) -> Option<String> {
    let stranger = scheduler.find(|_, partition| {
        partition
            .saved
            .after
            .iter()
            .any(|(on, until)| *until == Until::End && !partition.saved.parents.contains(on))
    })?;
    Some(format!(
        "{stranger} waits for the end of one that is no parent"
    ))
}

/// INV-9: records and bytes in flight never exceed the limits; a hold precedes the overflow.
///
/// One delivery passes alone, and one record may be larger than a delivery.
fn in_flight_is_bounded(scheduler: &Scheduler) -> Option<String> {
    let credit = &scheduler.credit;
    let limits = &scheduler.limits;
    let sizes: Vec<u64> = scheduler
        .partitions
        .values()
        .filter_map(|partition| partition.reading())
        .flat_map(|reading| reading.ledger.in_flight())
        .collect();
    if (sizes.len() as u64, sizes.iter().sum()) != (credit.records, credit.bytes) {
        return Some("the counts in flight are not those of the ledgers".to_owned());
    }
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let allowance = largest.saturating_sub(limits.delivery_bytes_max);
    let bytes_max = limits.bytes_in_flight_max.max(limits.delivery_bytes_max);
    let records_max = limits
        .records_in_flight_max
        .max(limits.delivery_records_max);
    (credit.records > records_max || credit.bytes > bytes_max.saturating_add(allowance)).then(
        || {
            format!(
                "{} records and {} bytes are in flight",
                credit.records, credit.bytes
            )
        },
    )
}

/// INV-10: no lost wake-up: if work is possible, a command or a timeout is pending.
fn no_lost_wake_up(scheduler: &Scheduler) -> Option<String> {
    if scheduler.is_over() {
        return None;
    }
    if scheduler.may_open() && !scheduler.queue.is_empty() {
        return Some("a partition waits although there is a place".to_owned());
    }
    if scheduler.credit.held && scheduler.credit.has_room(&scheduler.limits) {
        return Some("readers are held although there is room".to_owned());
    }
    if scheduler.phase == Phase::Running
        && scheduler.has_nothing_to_do()
        && scheduler.saver.is_clean()
    {
        return Some("everything is done, but not completed".to_owned());
    }
    let forgotten = scheduler.find(|id, partition| match &partition.state {
        State::Waiting => partition.saved.after.is_empty(),
        State::Collecting(_) => {
            partition.lacking().is_empty() || !scheduler.timers.iter().any(|(_, timed)| timed == id)
        }
        State::BackingOff { .. } => !scheduler.timers.iter().any(|(_, timed)| timed == id),
        State::Draining { reading, .. } => reading.ledger.is_drained(),
        State::AtBound => !scheduler.at_bound.contains(id),
        State::Queued(_) | State::Open(_) => false,
    })?;
    Some(format!("nothing will look at {forgotten} again"))
}

/// INV-11: after a drain nothing is opened, and the machine completes once what is in flight
/// resolves.
fn nothing_is_open_after_drain(scheduler: &Scheduler) -> Option<String> {
    (scheduler.stopping && !scheduler.open.is_empty())
        .then(|| "a partition is open after the drain".to_owned())
}

/// INV-13: a finished partition stays as a tombstone until every partition that depends on it has
/// been opened and saved, so that an unknown parent is always one that is not found yet.
fn tombstones_stay_while_needed(scheduler: &Scheduler) -> Option<String> {
    if let Some(id) = scheduler.find(|_, partition| {
        partition
            .saved
            .after
            .keys()
            .any(|on| scheduler.tombstones.contains_key(on))
    }) {
        return Some(format!("{id} waits for a finished partition"));
    }
    let orphan = scheduler.find(|_, partition| {
        !partition.saved.opened
            && partition.saved.parents.iter().any(|parent| {
                !partition.saved.after.contains_key(parent)
                    && !scheduler.tombstones.contains_key(parent)
            })
    })?;
    Some(format!("a parent of {orphan} is forgotten"))
}

/// INV-14: every row key belongs to one partition, or to one token that waits for others.
fn each_key_belongs_to_one(scheduler: &Scheduler) -> Option<String> {
    let mut rest = vec![KeyRange::all()];
    let mut owned = 0_usize;
    for partition in scheduler.partitions.values() {
        let range = partition.saved.range.iter();
        let tokens = partition.saved.position.tokens().iter().map(|it| &it.range);
        let parts: Vec<&KeyRange> = match partition.state {
            State::Collecting(_) => tokens.collect(),
            State::Waiting
            | State::AtBound
            | State::Queued(_)
            | State::BackingOff { .. }
            | State::Open(_)
            | State::Draining { .. } => range.collect(),
        };
        for part in parts {
            owned += 1;
            let before = rest.clone();
            rest = rest.iter().flat_map(|piece| piece.without(part)).collect();
            if !part.without_all(&before).is_empty() {
                return Some(format!("keys of {part} belong to two"));
            }
        }
    }
    let someone = rest.first()?;
    (owned > 0).then(|| format!("the keys {someone} belong to nobody"))
}
