//! The invariants, seen from outside and with knowledge of the history.

use std::collections::BTreeMap;

use acequia_core::{KeyRange, ReaderId, Resume, Wait};

use super::cut::is_initial;
use super::machine::Machine;
use super::row_cut;
use super::world::instant;

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
        // The instant of a range that waits for tokens is that of the token that lags most.
        if !matches!(view.wait, Wait::Tokens(_)) {
            positions.insert(view.id.clone(), view.position);
        }
    }
    machine.positions = positions;
    Ok(())
}

/// INV-1 and INV-2 at an opening: everything of the parents is in the sink.
pub(super) fn may_open(
    machine: &Machine,
    reader: &ReaderId,
    range: Option<&KeyRange>,
    from: &Resume,
) -> Result<(), String> {
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
    if let Some(range) = range {
        return row_cut::may_open(machine, reader, range, from);
    }
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
