//! Splits, merges and moves of partitions.

use acequia_core::Child;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::seq::IndexedRandom;

use super::world::{History, Said};

pub(super) fn change(history: &mut History, random: &mut Random) {
    let alive = history.alive();
    match random.random_range(0..5) {
        0 | 1 => split(history, &alive, random),
        2 | 3 => merge(history, &alive, random),
        _ => relocate(history, &alive, random),
    }
}

fn split(history: &mut History, alive: &[usize], random: &mut Random) {
    let divisible = |partition: &&usize| history.keys_of(**partition).len() > 1;
    let candidates: Vec<usize> = alive.iter().filter(divisible).copied().collect();
    let Some(parent) = candidates.choose(random).copied() else {
        return;
    };
    let keys = history.keys_of(parent);
    let middle = random.random_range(1..keys.len());
    let children = [
        history.add(vec![parent], None),
        history.add(vec![parent], None),
    ];
    for (place, key) in keys.into_iter().enumerate() {
        history.owner[key] = children[usize::from(place >= middle)];
    }
    end(history, &[parent], &children, random);
}

fn merge(history: &mut History, alive: &[usize], random: &mut Random) {
    if alive.len() < 2 {
        return;
    }
    let parents: Vec<usize> = alive.sample(random, 2).copied().collect();
    let child = history.add(parents.clone(), None);
    for parent in &parents {
        for key in history.keys_of(*parent) {
            history.owner[key] = child;
        }
    }
    end(history, &parents, &[child], random);
}

fn relocate(history: &mut History, alive: &[usize], random: &mut Random) {
    let Some(parent) = alive.choose(random).copied() else {
        return;
    };
    let child = history.add(vec![parent], None);
    for key in history.keys_of(parent) {
        history.owner[key] = child;
    }
    end(history, &[parent], &[child], random);
}

/// Each parent reports every child with all its parents, at times in several records, at times
/// twice.
fn end(history: &mut History, parents: &[usize], children: &[usize], random: &mut Random) {
    let names: Vec<_> = parents
        .iter()
        .map(|parent| history.token(*parent))
        .collect();
    let children: Vec<Child> = children
        .iter()
        .map(|child| Child {
            id: history.token(*child),
            parents: names.clone(),
        })
        .collect();
    let start = history.now;
    for parent in parents {
        history.world.partitions[*parent].end = Some(start);
        let pieces = random.random_range(1..=children.len());
        for partitions in children.chunks(children.len().div_ceil(pieces)) {
            for _ in 0..if random.random_bool(0.2) { 2 } else { 1 } {
                let partitions = partitions.to_vec();
                history.say(*parent, Said::Children { start, partitions });
            }
        }
    }
}
