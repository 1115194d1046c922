//! Every order of the first steps in a small history: two partitions, or two row ranges, merge; four
//! records.

use acequia_core::{Child, PartitionId};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus as Random;
use std::io::{Write as _, stderr};

use super::machine::Machine;
use super::runs::run_to_completion;
use super::settings::Settings;
use super::transition::Transition;
use super::world::{History, Said, World};
use crate::soak;

/// Steps that are tried in every order, after the root query.
fn depth() -> usize {
    if soak::is_on() { 6 } else { 5 }
}

#[test]
fn every_order_of_the_first_steps_holds() {
    let runs = try_all(&|| after_root_query(&settings(false), merge_of_two));
    writeln!(stderr(), "exhaustive: {runs} orders of {} steps", depth()).unwrap();
    assert!(runs > 1000);
}

#[test]
fn every_order_of_the_first_steps_of_row_ranges_holds() {
    let runs = try_all(&|| after_root_query(&settings(true), merge_of_two_ranges));
    writeln!(stderr(), "exhaustive, of row ranges: {runs} orders").unwrap();
    assert!(runs > 1000);
}

fn try_all(begin: &dyn Fn() -> Machine) -> u64 {
    let mut path = Vec::new();
    let mut runs = 0_u64;
    loop {
        let widths = run(&path, begin());
        runs += 1;
        // The next path in lexical order: all paths of the depth are walked once.
        path.resize(widths.len(), 0);
        while let Some(last) = path.pop() {
            if last + 1 < widths[path.len()] {
                path.push(last + 1);
                break;
            }
        }
        if path.is_empty() {
            return runs;
        }
    }
}

/// Takes the steps of the path, then the first of each choice. Gives how many choices there were.
fn run(path: &[usize], mut machine: Machine) -> Vec<usize> {
    let mut widths = Vec::new();
    for depth in 0..depth() {
        let choices = choices(&machine);
        let chosen = path.get(depth).copied().unwrap_or(0);
        widths.push(choices.len());
        let step = choices[chosen].clone();
        machine
            .step(step)
            .unwrap_or_else(|what| panic!("{path:?}, step {depth}: {what}"));
    }
    run_to_completion(&mut machine, false).unwrap_or_else(|what| panic!("{path:?}: {what}"));
    widths
}

fn choices(machine: &Machine) -> Vec<Transition> {
    let mut choices = vec![Transition::Wait { ms: 300 }];
    for (reader, query) in &machine.readers {
        let reader = reader.clone();
        if !query.held {
            choices.push(Transition::Deliver { reader, count: 2 });
        }
    }
    if let Some(reader) = machine.readers.keys().next().cloned() {
        choices.push(Transition::Fail {
            reader,
            after_ms: 0,
        });
    }
    for reader in machine.sink.pending.keys().cloned() {
        choices.push(Transition::Write { reader, count: 1 });
    }
    if !machine.sink.answers.is_empty() {
        choices.push(Transition::Answer { joined: 1 });
    }
    if machine.store.asked.is_some() {
        for confirmed in [true, false] {
            choices.push(Transition::Save {
                stored: true,
                confirmed,
            });
        }
    }
    choices.push(Transition::Crash { stored: false });
    choices
}

fn settings(rows: bool) -> Settings {
    Settings {
        keys: 2,
        first_partitions: 2,
        events: 0,
        change_rate: 0.0,
        mutable: false,
        rows,
        cuts: true,
        expires: false,
        lags: !rows,
        bounded: true,
        bound_moves: false,
        forgets_keys: false,
        late_start: false,
        rewinds: false,
        steps: 0,
        sabotage: None,
        blind: false,
    }
}

fn after_root_query(settings: &Settings, draw: fn(&Settings) -> World) -> Machine {
    let world = draw(settings);
    let mut machine = Machine::of(1, settings.clone(), world, Random::seed_from_u64(1));
    for _ in 0..100 {
        let root = machine
            .readers
            .keys()
            .find(|reader| reader.partition.is_root())
            .cloned();
        if root.is_none() && !machine.readers.is_empty() {
            break;
        }
        let step = match root {
            Some(reader) => Transition::Deliver { reader, count: 1 },
            None => Transition::Save {
                stored: true,
                confirmed: true,
            },
        };
        machine.step(step).unwrap();
    }
    machine
}

/// One record in each parent at the instant of the merge, then one of each key in the child.
fn merge_of_two(settings: &Settings) -> World {
    let mut history = History::begin(settings);
    history.now = 5;
    history.write(0, "t1", 0, 10, true);
    history.write(1, "t1", 1, 10, true);
    let child = history.add(vec![0, 1], None);
    let parents: Vec<PartitionId> = [0, 1].map(|parent| history.token(parent)).to_vec();
    for parent in [0, 1] {
        history.world.partitions[parent].end = Some(5);
        let partitions = vec![Child {
            id: history.token(child),
            parents: parents.clone(),
        }];
        history.say(
            parent,
            Said::Children {
                start: 5,
                partitions,
            },
        );
        history.owner[parent] = child;
    }
    history.now = 7;
    history.write(0, "t2", 0, 10, true);
    history.write(1, "t3", 0, 10, true);
    history.now = 9;
    history.end()
}

/// The same two keys, whose ranges become one at 6.
fn merge_of_two_ranges(settings: &Settings) -> World {
    let mut history = History::begin(settings);
    history.world.tilings.push((6, Vec::new()));
    for (now, transaction) in [(5, "t1"), (7, "t2")] {
        history.now = now;
        history.write(0, transaction, 0, 10, true);
        history.write(1, transaction, 1, 10, true);
    }
    history.now = 9;
    history.end()
}
