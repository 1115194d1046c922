//! The invariants, seen from outside and with knowledge of the history.

use std::collections::BTreeMap;

use acequia_core::{Checkpoint, Output, PartitionId, ReaderId, Scheduler, Start};

use super::machine::Machine;
use super::service::{is_behind, is_past};
use super::sink::length;
use super::world::{Partition, instant};

pub(super) fn after_step(machine: &mut Machine) -> Result<(), String> {
    if machine.done {
        return Ok(());
    }
    if !machine.settings.blind {
        let state = machine.scheduler.check();
        state.map_err(|broken| broken.to_string())?;
    }
    in_flight_agrees(machine)?;
    watermark_is_true(machine)?;
    positions_grow(machine)
}

/// INV-9, counted at the sink.
fn in_flight_agrees(machine: &Machine) -> Result<(), String> {
    let pending: usize = machine.sink.pending.values().map(|queue| queue.len()).sum();
    let counted = machine.scheduler.stats().records_in_flight;
    let limits = &machine.limits;
    let most = limits
        .records_in_flight_max
        .max(limits.delivery_records_max);
    if pending as u64 > counted.min(most) {
        return Err(format!(
            "INV-9: {pending} records wait for the sink, {counted} are counted, {most} are allowed"
        ));
    }
    Ok(())
}

/// INV-3, for the watermark: nothing up to it is missing, and it never goes back.
fn watermark_is_true(machine: &mut Machine) -> Result<(), String> {
    let watermark = machine.scheduler.watermark();
    if watermark < machine.watermark {
        return Err("INV-3: the watermark went back".to_owned());
    }
    machine.watermark = watermark;
    match machine.reference.first_missing(&machine.world) {
        Some(missing) if instant(missing) <= watermark => Err(format!(
            "INV-3: the watermark is at tick {} but tick {missing} is missing",
            machine.watermark_tick()
        )),
        _ => Ok(()),
    }
}

/// INV-4 and INV-8: nothing moves a position back, a report neither.
fn positions_grow(machine: &mut Machine) -> Result<(), String> {
    let mut positions = BTreeMap::new();
    for view in machine.scheduler.partitions() {
        let before = machine.positions.get(view.id);
        if before.is_some_and(|before| view.position < *before) {
            return Err(format!("INV-8: the position of {} went back", view.id));
        }
        positions.insert(view.id.clone(), view.position);
    }
    machine.positions = positions;
    Ok(())
}

/// INV-1 and INV-2 at an opening: everything of the parents is in the sink.
pub(super) fn may_open(machine: &Machine, reader: &ReaderId) -> Result<(), String> {
    if machine.drained {
        return Err(format!("INV-11: {reader} was opened after the drain"));
    }
    let twice = machine
        .readers
        .keys()
        .any(|open| open.partition == reader.partition);
    if twice {
        return Err(format!("INV-2: {reader} is a second reader"));
    }
    let world = &machine.world;
    let Some(index) = world.find(&reader.partition) else {
        return Ok(());
    };
    let partition = &world.partitions[index];
    if is_initial(partition, machine.reference.since) {
        return Ok(());
    }
    let early = (0..world.records.len()).find(|record| {
        partition
            .parents
            .contains(&world.records[*record].partition)
            && !machine.reference.has(world, *record)
    });
    match early {
        Some(record) => Err(format!("INV-1: {reader} was opened before record {record}")),
        None => Ok(()),
    }
}

/// When reading stops for good or for a question, nothing is on its way.
pub(super) fn nothing_in_flight(machine: &Machine) -> Result<(), String> {
    let idle = machine.readers.is_empty() && machine.sink.is_idle();
    idle.then_some(())
        .ok_or_else(|| "INV-11: something is still in flight".to_owned())
}

/// INV-3, INV-5, INV-12 and INV-13 of what is about to be stored.
pub(super) fn checkpoint(machine: &Machine, checkpoint: &Checkpoint) -> Result<(), String> {
    is_one_cut(machine, checkpoint)?;
    if checkpoint.generation.get() % 8 == 1 {
        survives_a_restart(machine, checkpoint)?;
    }
    Ok(())
}

/// INV-12: bytes and back, and two processes that start from it do the same.
fn survives_a_restart(machine: &Machine, checkpoint: &Checkpoint) -> Result<(), String> {
    let bytes = checkpoint.encode().map_err(|error| error.to_string())?;
    if Checkpoint::decode(&bytes).as_ref() != Ok(checkpoint) {
        return Err("INV-12: a checkpoint was changed by its encoding".to_owned());
    }
    let restore = || {
        let start = Start::Checkpoint(checkpoint.clone());
        Scheduler::new(machine.limits.clone(), 1, start)
    };
    let (mut restored, mut twin) = (restore(), restore());
    if restored.checkpoint() != *checkpoint {
        return Err("INV-12: a restored scheduler holds something else".to_owned());
    }
    loop {
        let output = restored.poll_output(machine.now());
        if twin.poll_output(machine.now()) != output {
            return Err("INV-12: two restored schedulers differ".to_owned());
        }
        if matches!(output, Output::Timeout(_)) {
            return Ok(());
        }
    }
}

/// What lies before the positions is exactly what the sink's state holds.
fn is_one_cut(machine: &Machine, checkpoint: &Checkpoint) -> Result<(), String> {
    let world = &machine.world;
    let kept = length(&checkpoint.sink_state);
    let log = machine
        .sink
        .log
        .get(..kept)
        .ok_or("INV-3: the state of the sink is ahead of it")?;
    let rewinds = &machine.sink.rewinds;
    let cut = machine.reference.replayed(world, log, rewinds)?;
    let mut known = BTreeMap::new();
    for (index, record) in world.records.iter().enumerate() {
        let state = state_of(machine, checkpoint, cut.since, record.partition, &mut known);
        let behind = record.at < cut.since
            || match state {
                Read::Not => false,
                Read::Wholly => true,
                Read::Partly => checkpoint
                    .partitions
                    .get(&world.partitions[record.partition].token)
                    .is_some_and(|saved| is_behind(world, index, &saved.position)),
            };
        let there = cut.has(world, index);
        if record.outputs && behind && !there {
            return Err(format!(
                "INV-3: record {index} is saved as done but not in the sink"
            ));
        }
        let expected = record.outputs && within_bound(machine, record.at);
        if machine.settings.cuts && expected && there && !behind {
            return Err(format!(
                "INV-3: record {index} is in the sink but not saved as done"
            ));
        }
    }
    Ok(())
}

fn within_bound(machine: &Machine, at: u64) -> bool {
    let bound = machine.settings.bound(&machine.world);
    bound.is_none_or(|bound| at <= bound)
}

/// How much of a partition a checkpoint has behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Not,
    Partly,
    Wholly,
}

/// A partition that a checkpoint does not name is either not found yet or forgotten after its end.
/// INV-5 and INV-13 say that those before it tell which.
fn state_of(
    machine: &Machine,
    checkpoint: &Checkpoint,
    since: u64,
    index: usize,
    known: &mut BTreeMap<usize, Read>,
) -> Read {
    if let Some(read) = known.get(&index) {
        return *read;
    }
    let partition = &machine.world.partitions[index];
    let mut of = |other: usize| state_of(machine, checkpoint, since, other, known);
    let read = if checkpoint.partitions.contains_key(&partition.token) {
        Read::Partly
    } else if checkpoint.tombstones.contains_key(&partition.token) {
        Read::Wholly
    } else if is_initial(partition, since) {
        let root = checkpoint.partitions.contains_key(&PartitionId::root());
        if root { Read::Not } else { Read::Wholly }
    } else if let Some(announcer) = partition.announcer {
        let passed = match of(announcer) {
            Read::Not => false,
            Read::Wholly => true,
            Read::Partly => checkpoint
                .partitions
                .get(&machine.world.partitions[announcer].token)
                .is_some_and(|saved| is_past(&saved.position, partition.start)),
        };
        if passed { Read::Wholly } else { Read::Not }
    } else if partition
        .parents
        .iter()
        .all(|parent| of(*parent) == Read::Wholly)
    {
        Read::Wholly
    } else {
        Read::Not
    };
    known.insert(index, read);
    read
}

fn is_initial(partition: &Partition, since: u64) -> bool {
    partition.start <= since
}
