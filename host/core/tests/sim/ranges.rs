//! Mutable key ranges: partitions live on while keys move between them.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::seq::IndexedRandom;

use super::world::{History, Said};

pub(super) fn change(history: &mut History, random: &mut Random) {
    let alive = history.alive();
    match random.random_range(0..5) {
        0 => begin(history, &alive, random),
        1 => finish(history, &alive, random),
        _ => rebalance(history, &alive, random),
    }
}

/// A partition announces a new one and gives it some keys.
fn begin(history: &mut History, alive: &[usize], random: &mut Random) {
    let Some(announcer) = alive.choose(random).copied() else {
        return;
    };
    let fresh = history.add(Vec::new(), Some(announcer));
    let said = Said::Started {
        at: history.now,
        partitions: vec![history.token(fresh)],
    };
    history.say(announcer, said);
    if let Some(source) = alive.choose(random).copied() {
        let keys = some_keys(history, source, random);
        move_keys(history, source, fresh, &keys);
    }
}

/// A partition gives away all it has and ends.
fn finish(history: &mut History, alive: &[usize], random: &mut Random) {
    let pair: Vec<usize> = alive.sample(random, 2).copied().collect();
    let [ended, heir] = pair[..] else {
        return;
    };
    let keys = history.keys_of(ended);
    move_keys(history, ended, heir, &keys);
    history.world.partitions[ended].end = Some(history.now);
    let at = history.now;
    history.say(ended, Said::Finished { at });
}

fn rebalance(history: &mut History, alive: &[usize], random: &mut Random) {
    let pair: Vec<usize> = alive.sample(random, 2).copied().collect();
    if let [source, destination] = pair[..] {
        let keys = some_keys(history, source, random);
        move_keys(history, source, destination, &keys);
    }
}

fn some_keys(history: &History, partition: usize, random: &mut Random) -> Vec<usize> {
    let mut keys = history.keys_of(partition);
    keys.retain(|_| random.random_bool(0.5));
    keys
}

fn move_keys(history: &mut History, source: usize, destination: usize, keys: &[usize]) {
    if keys.is_empty() {
        return;
    }
    let at = history.now;
    let moved_out = Said::MoveOut {
        at,
        destination: history.token(destination),
    };
    let moved_in = Said::MoveIn {
        at,
        source: history.token(source),
    };
    history.say(source, moved_out);
    history.say(destination, moved_in);
    for key in keys {
        history.owner[*key] = destination;
    }
}
