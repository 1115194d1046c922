//! More partitions than places: nobody starves.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use acequia_core::{Command, Event, Limits, PartitionState, ReaderId, Seq, SinkState};

use super::bench::{Bench, at, heartbeat, id, record, seconds};

const NAMES: [&str; 16] = [
    "p00", "p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08", "p09", "p10", "p11", "p12",
    "p13", "p14", "p15",
];

fn two_places() -> Limits {
    Limits {
        max_open: NonZeroUsize::MIN.saturating_add(1),
        ..Limits::default()
    }
}

/// Checks at every opening that nobody waited since before the previous turn of the same partition.
#[derive(Default)]
struct Turns {
    opened: BTreeMap<String, usize>,
    turns: BTreeMap<String, usize>,
    waiting_since: BTreeMap<String, usize>,
    openings: usize,
    seen: usize,
}

impl Turns {
    fn look(&mut self, bench: &Bench) {
        for command in &bench.commands[self.seen..] {
            if let Command::Open { reader, .. } = command {
                self.open(reader.partition.as_str());
            }
        }
        self.seen = bench.commands.len();
        for view in bench.scheduler.partitions() {
            let name = view.id.as_str().to_owned();
            if view.state == PartitionState::Queued {
                self.waiting_since.entry(name).or_insert(self.openings);
            }
        }
    }

    fn open(&mut self, name: &str) {
        self.waiting_since.remove(name);
        if let Some(previous) = self.opened.get(name) {
            let passed_over = self
                .waiting_since
                .iter()
                .find(|(_, since)| *since < previous);
            assert_eq!(passed_over, None, "{name} has a second turn before it");
        }
        self.openings += 1;
        self.opened.insert(name.to_owned(), self.openings);
        *self.turns.entry(name.to_owned()).or_default() += 1;
    }

    fn assert_all_had(&self, turns: usize) {
        for name in NAMES {
            assert!(self.turns[name] >= turns, "{name}: {:?}", self.turns);
        }
    }
}

fn open_readers(bench: &Bench) -> Vec<ReaderId> {
    NAMES
        .iter()
        .filter(|name| bench.state(name) == Some(PartitionState::Open))
        .map(|name| bench.reader(name))
        .collect()
}

#[test]
fn sixteen_idle_streams_share_two_places() {
    let mut bench = Bench::with(two_places(), &NAMES);
    let mut turns = Turns::default();
    turns.look(&bench);
    for second in 1..200 {
        bench.wait(seconds(1));
        turns.look(&bench);
        for reader in open_readers(&bench) {
            bench.deliver(&reader, vec![heartbeat(second)]);
            turns.look(&bench);
        }
    }
    turns.assert_all_had(5);
}

/// Every stream always has more to read and lags far behind, so none ever catches up.
#[test]
fn sixteen_saturated_streams_share_two_places() {
    let mut bench = Bench::with(two_places(), &NAMES);
    bench.now.wall = at(1_000_000);
    let mut turns = Turns::default();
    let mut read = BTreeMap::new();
    for _ in 0..3000 {
        bench.wait(Duration::from_millis(500));
        turns.look(&bench);
        for reader in open_readers(&bench) {
            let position = read.entry(reader.partition.clone()).or_insert(0);
            *position += 1;
            let next = record(*position, "t", 0);
            bench.deliver(&reader, vec![next]);
            turns.look(&bench);
            let all = Seq::new(u64::MAX - 1);
            bench.handle(Event::Durable {
                acknowledged: vec![(reader, all)],
                sink_state: SinkState::default(),
            });
            turns.look(&bench);
        }
    }
    turns.assert_all_had(5);
    assert!(bench.scheduler.stats().turns > 80);
}

#[test]
fn a_turn_lasts_until_it_is_past_the_timestamp_at_which_it_began() {
    let limits = Limits {
        max_open: NonZeroUsize::MIN,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a", "b"]);
    let a = bench.reader("a");
    for sequence in 0..10 {
        bench.wait(seconds(10));
        bench.deliver(&a, vec![record(0, "t", sequence)]);
        assert_eq!(bench.state("a"), Some(PartitionState::Open));
    }
    bench.deliver(&a, vec![record(1, "u", 0)]);
    assert_eq!(bench.state("a"), Some(PartitionState::Draining));
    assert_eq!(bench.openings("b"), 1);
}

#[test]
fn the_oldest_position_comes_first_among_those_who_came_together() {
    let limits = Limits {
        max_open: NonZeroUsize::MIN.saturating_add(1),
        ..Limits::default()
    };
    let mut bench = Bench::with(limits.clone(), &["a", "b"]);
    for (name, second) in [("a", 9), ("b", 4)] {
        let reader = bench.reader(name);
        bench.deliver(&reader, vec![heartbeat(second)]);
    }
    let checkpoint = bench.scheduler.checkpoint();
    let resumed = Bench::start(limits, acequia_core::Start::Checkpoint(checkpoint));
    let order: Vec<_> = resumed
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Open { reader, .. } => Some(reader.partition.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(order, [id("b"), id("a")]);
}

#[test]
fn nobody_is_interrupted_while_there_is_a_place_for_all() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    for second in 1..100 {
        bench.wait(seconds(1));
        for name in ["a", "b"] {
            let reader = bench.reader(name);
            bench.deliver(&reader, vec![heartbeat(second)]);
        }
    }
    assert_eq!((bench.openings("a"), bench.openings("b")), (1, 1));
}
