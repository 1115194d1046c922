//! The runs: many seeds, known seeds, broken schedulers.

use acequia_core::Sabotage;
use std::io::{Write as _, stderr};

use super::machine::Machine;
use super::outcome::{Failure, Totals};
use super::settings::Settings;
use super::transition::Transition;
use crate::soak;

/// Steps without faults within which everything must complete.
const LIVENESS_STEPS: usize = 20_000;

#[test]
fn every_invariant_holds_in_random_histories() {
    if let Some(seed) = number("SIM_SEED") {
        let totals = run(seed, true, |_| ()).unwrap_or_else(|failure| panic!("{failure}"));
        println!("{totals}");
        return;
    }
    let seeds = number("SIM_SEEDS").unwrap_or_else(|| soak::times(10_000, 100));
    let mut totals = Totals::default();
    for seed in 0..seeds {
        totals += run(seed, false, |_| ()).unwrap_or_else(|failure| panic!("{failure}"));
    }
    writeln!(stderr(), "simulation: {totals}").unwrap();
    if seeds >= 10_000 {
        assert!(totals.steps >= 2_000_000, "too few steps");
        assert!(totals.crashes >= 10_000, "too few crashes");
        assert!(totals.merges >= 10_000, "too few merges");
        assert!(totals.lost_answers >= 10_000, "too few lost answers");
    }
}

/// Row ranges that change under their readers.
#[test]
fn every_invariant_holds_in_random_histories_of_row_ranges() {
    if let Some(seed) = number("SIM_ROWS_SEED") {
        let totals = run(seed, true, by_rows).unwrap_or_else(|failure| panic!("{failure}"));
        println!("{totals}");
        return;
    }
    let seeds = number("SIM_SEEDS").unwrap_or_else(|| soak::times(10_000, 100));
    let mut totals = Totals::default();
    for seed in 0..seeds {
        totals += run(seed, false, by_rows).unwrap_or_else(|failure| panic!("{failure}"));
    }
    writeln!(stderr(), "simulation of row ranges: {totals}").unwrap();
    if seeds >= 10_000 {
        assert!(totals.steps >= 1_500_000, "too few steps");
        assert!(totals.crashes >= 10_000, "too few crashes");
        assert!(totals.merges >= 5000, "too few merges");
        assert!(totals.lost_answers >= 10_000, "too few lost answers");
        assert!(totals.reconciled >= 2000, "too few merges were undone");
        assert!(totals.tokenless >= 200, "too few keys were left out");
        assert!(totals.expiries >= 200, "too few expiries");
    }
}

fn by_rows(settings: &mut Settings) {
    settings.rows = true;
}

/// Going back loses nothing either, and everything from there on comes again.
#[test]
fn every_invariant_holds_when_saved_state_is_rewound() {
    let mut totals = Totals::default();
    for seed in 0..soak::times(2000, 100) {
        let run = run(seed, false, |settings| {
            settings.rewinds = true;
            settings.rows = seed % 2 == 1;
        });
        totals += run.unwrap_or_else(|failure| panic!("{failure}"));
    }
    writeln!(stderr(), "simulation with rewinds: {totals}").unwrap();
    assert!(totals.rewinds >= 2000, "too few rewinds");
}

#[test]
fn seeds_that_once_failed_hold() {
    for line in include_str!("seeds.txt").lines() {
        let (kind, known): (fn(&mut Settings), _) = match line.strip_prefix("rows ") {
            Some(known) => (by_rows, known),
            None => (|_| (), line),
        };
        if let Some(seed) = known
            .split_whitespace()
            .next()
            .filter(|word| !word.starts_with('#'))
        {
            let seed = seed.parse().unwrap();
            run(seed, false, kind).unwrap_or_else(|failure| panic!("{failure}"));
        }
    }
}

#[test]
fn every_sabotage_is_found_within_1000_seeds() {
    for sabotage in Sabotage::ALL {
        let failure = find(sabotage, |_| ());
        writeln!(stderr(), "{sabotage:?}: {failure}").unwrap();
    }
    for sabotage in Sabotage::OF_RANGES {
        let failure = find(sabotage, by_rows);
        writeln!(stderr(), "{sabotage:?}, of row ranges: {failure}").unwrap();
    }
}

/// The model finds them without the scheduler's own checks too.
#[test]
fn every_sabotage_is_found_from_outside() {
    for sabotage in Sabotage::ALL {
        let failure = find(sabotage, |settings| settings.blind = true);
        println!("{sabotage:?}, from outside: {failure}");
    }
    for sabotage in Sabotage::OF_RANGES {
        let failure = find(sabotage, |settings| {
            by_rows(settings);
            settings.blind = true;
        });
        println!("{sabotage:?}, of row ranges, from outside: {failure}");
    }
}

fn find(sabotage: Sabotage, change: fn(&mut Settings)) -> Failure {
    let found = (0..1000).find_map(|seed| {
        let broken = |settings: &mut Settings| {
            settings.sabotage = Some(sabotage);
            change(settings);
        };
        run(seed, false, broken).err()
    });
    found.unwrap_or_else(|| panic!("{sabotage:?} was not found"))
}

/// Runs one seed: faults for a while, then none until everything is complete.
pub(super) fn run(
    seed: u64,
    print: bool,
    change: impl FnOnce(&mut Settings),
) -> Result<Totals, Failure> {
    let mut machine = Machine::new(seed, change);
    let result = run_machine(&mut machine, print);
    let mut totals = machine.totals;
    totals.seeds = 1;
    match result {
        Ok(()) => Ok(totals),
        Err(what) if print => panic!("{what}\n{}", machine.describe()),
        Err(what) => Err(Failure {
            seed,
            step: totals.steps,
            what,
        }),
    }
}

fn run_machine(machine: &mut Machine, print: bool) -> Result<(), String> {
    if print {
        println!("{:?}\n{:?}", machine.settings, machine.limits);
    }
    machine.step(Transition::Wait { ms: 0 })?;
    for _ in 0..machine.settings.steps {
        if machine.done {
            break;
        }
        let transition = machine.draw();
        if print {
            println!("{:>5} {transition:?}", machine.totals.steps);
        }
        machine.step(transition)?;
    }
    run_to_completion(machine, print)?;
    rewind_to_completion(machine, print)?;
    let merges = |partition: &&super::world::Partition| partition.parents.len() > 1;
    machine.totals.merges += machine.world.partitions.iter().filter(merges).count() as u64;
    let moves = |said: &&super::world::Said| matches!(said, super::world::Said::MoveIn { .. });
    let streams = machine.world.partitions.iter();
    machine.totals.moves = streams
        .flat_map(|partition| &partition.stream)
        .filter(moves)
        .count() as u64;
    machine.totals.records = machine.sink.log.len() as u64;
    Ok(())
}

/// With faults off, everything completes in a bounded number of steps.
pub(super) fn run_to_completion(machine: &mut Machine, print: bool) -> Result<(), String> {
    let limit = machine.totals.steps + LIVENESS_STEPS as u64;
    while !machine.done {
        if machine.totals.steps >= limit {
            return Err("INV-10: it does not complete".to_owned());
        }
        round_without_faults(machine, print)?;
    }
    Ok(())
}

/// What is complete can be rewound too.
fn rewind_to_completion(machine: &mut Machine, print: bool) -> Result<(), String> {
    let mut random = machine.random.clone();
    let Some(rewind) = Transition::rewind(machine, &mut random) else {
        return Ok(());
    };
    if print {
        println!("{:>5} {rewind:?}", machine.totals.steps);
    }
    machine.step(rewind)?;
    run_to_completion(machine, print)
}

/// Everybody does what it should, once.
fn round_without_faults(machine: &mut Machine, print: bool) -> Result<(), String> {
    let mut round = Vec::new();
    for (reader, query) in &machine.readers {
        if !query.held {
            let count = machine.limits.delivery_records_max as usize;
            let reader = reader.clone();
            round.push(Transition::Deliver { reader, count });
        }
    }
    for reader in machine.sink.pending.keys().cloned() {
        round.push(Transition::Write { reader, count: 100 });
    }
    round.push(Transition::Answer { joined: 100 });
    round.push(Transition::Save {
        stored: true,
        confirmed: true,
    });
    if machine.expired.is_some() {
        round.push(Transition::Restart);
    }
    let all_there = machine.reference.first_missing(&machine.world).is_none();
    if all_there && !machine.settings.bounded && !machine.drained {
        round.push(Transition::Drain);
    }
    round.push(Transition::Wait {
        ms: machine.until_timeout().unwrap_or(100).min(100),
    });
    for transition in round {
        let gone = matches!(&transition, Transition::Deliver { reader, .. }
            if machine.readers.get(reader).is_none_or(|query| query.held));
        if machine.done || gone {
            continue;
        }
        if print {
            println!("{:>5} {transition:?}", machine.totals.steps);
        }
        machine.step(transition)?;
    }
    Ok(())
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
