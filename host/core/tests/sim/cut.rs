//! What is about to be stored, compared with what the sink holds.

use std::collections::BTreeMap;

use acequia_core::{Checkpoint, Output, PartitionId, Scheduler, Start};

use super::by_time::{is_behind, is_past};
use super::machine::Machine;
use super::reference::Reference;
use super::row_cut;
use super::sink::length;
use super::world::Partition;

/// INV-3, INV-5, INV-12 and INV-13 of what is about to be stored.
pub(super) fn checkpoint(machine: &Machine, checkpoint: &Checkpoint) -> Result<(), String> {
    let cut = cut_of(machine, checkpoint)?;
    if machine.world.rows {
        row_cut::is_one_cut(machine, checkpoint, &cut)?;
    } else {
        is_one_cut(machine, checkpoint, &cut)?;
    }
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

/// What the sink's state holds.
fn cut_of(machine: &Machine, checkpoint: &Checkpoint) -> Result<Reference, String> {
    let kept = length(&checkpoint.sink_state);
    let log = machine
        .sink
        .log
        .get(..kept)
        .ok_or("INV-3: the state of the sink is ahead of it")?;
    let rewinds = &machine.sink.rewinds;
    machine.reference.replayed(&machine.world, log, rewinds)
}

/// What lies before the positions is exactly what the sink's state holds.
fn is_one_cut(machine: &Machine, checkpoint: &Checkpoint, cut: &Reference) -> Result<(), String> {
    let world = &machine.world;
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
        agrees(machine, cut, index, behind)?;
    }
    Ok(())
}

/// A record that is saved as done is in the sink, and the other way round where repeats are wrong.
pub(super) fn agrees(
    machine: &Machine,
    cut: &Reference,
    index: usize,
    behind: bool,
) -> Result<(), String> {
    let record = &machine.world.records[index];
    let there = cut.has(&machine.world, index);
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

pub(super) fn is_initial(partition: &Partition, since: u64) -> bool {
    partition.start <= since
}
