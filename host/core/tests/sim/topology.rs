//! Row ranges: how the keys are cut, and cut anew.

use acequia_core::KeyRange;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;
use rand::seq::IteratorRandom;

use super::world::{History, World};

/// Keys, by their number, from the first to before the second.
pub(super) type Keys = std::ops::Range<usize>;

pub(super) fn begin(history: &mut History, ranges: usize) {
    let keys = history.world.keys;
    let cuts = (1..ranges).map(|part| part * keys / ranges);
    history.world.tilings.push((0, cuts.collect()));
    history.now = 1;
}

/// A split, a merge, a boundary that goes elsewhere, or the cuts as they were before.
pub(super) fn change(history: &mut History, random: &mut Random) {
    let tilings = &history.world.tilings;
    let Some((_, cuts)) = tilings.last() else {
        return;
    };
    let mut cuts = cuts.clone();
    match random.random_range(0..6) {
        0 | 1 => add_cut(&mut cuts, history.world.keys, random),
        2 | 3 => remove_cut(&mut cuts, random),
        4 => {
            remove_cut(&mut cuts, random);
            add_cut(&mut cuts, history.world.keys, random);
        }
        _ => {
            let before = tilings.iter().rev().nth(1);
            cuts = before.map_or(cuts, |(_, before)| before.clone());
        }
    }
    cuts.sort_unstable();
    history.world.tilings.push((history.now, cuts));
}

/// A reader that lags meets changes, too.
pub(super) fn go_on_after_the_last_commit(history: &mut History, random: &mut Random) {
    let now = history.now;
    for _ in 0..random.random_range(0..5) {
        history.now += random.random_range(1..=10);
        change(history, random);
    }
    history.now = now;
}

fn add_cut(cuts: &mut Vec<usize>, keys: usize, random: &mut Random) {
    let free = (1..keys).filter(|key| !cuts.contains(key));
    cuts.extend(free.choose(random));
}

fn remove_cut(cuts: &mut Vec<usize>, random: &mut Random) {
    if let Some(place) = (0..cuts.len()).choose(random) {
        cuts.remove(place);
    }
}

impl World {
    /// The ranges of a tick.
    pub(super) fn tiling(&self, tick: u64) -> Vec<Keys> {
        let cuts = self.tilings.iter().rev().find(|(since, _)| *since <= tick);
        let cuts = cuts.map_or(&[][..], |(_, cuts)| cuts);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain([self.keys]);
        starts.zip(ends).map(|(start, end)| start..end).collect()
    }

    /// The range that has these keys, and no others of the world.
    pub(super) fn range_of(&self, keys: &Keys) -> KeyRange {
        let bound = |key: usize| match key {
            inside if (1..self.keys).contains(&inside) => vec![letter(inside)],
            _ => Vec::new(),
        };
        KeyRange::new(&bound(keys.start), &bound(keys.end)).unwrap()
    }

    /// The keys of a range.
    pub(super) fn keys_in(&self, range: &KeyRange) -> Keys {
        let inside = (0..self.keys).filter(|key| range.contains(&[letter(*key)]));
        let inside: Vec<usize> = inside.collect();
        let start = inside.first().copied().unwrap_or(0);
        start..start + inside.len()
    }
}

fn letter(key: usize) -> u8 {
    b'a' + u8::try_from(key).unwrap()
}

pub(super) fn intersection(one: &Keys, other: &Keys) -> Option<Keys> {
    let both = one.start.max(other.start)..one.end.min(other.end);
    (!both.is_empty()).then_some(both)
}
