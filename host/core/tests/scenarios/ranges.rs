//! Mutable key ranges: partitions that live on while keys move between them.

use acequia_core::{Command, Item, Limits, PartitionState, Until};

use super::bench::{Bench, at, heartbeat, id, record, seconds};

fn bench() -> Bench {
    let mut bench = Bench::new(Limits::default());
    bench.save();
    let root = bench.reader("");
    bench.deliver(&root, vec![started(0, &["from", "to"])]);
    bench.end(&root);
    bench.save();
    bench
}

fn started(seconds: i64, partitions: &[&str]) -> Item {
    Item::Started {
        at: at(seconds),
        partitions: partitions.iter().map(|partition| id(partition)).collect(),
    }
}

fn move_in(seconds: i64) -> Item {
    Item::MoveIn {
        at: at(seconds),
        sources: vec![id("from")],
    }
}

fn move_out(seconds: i64) -> Item {
    Item::MoveOut {
        at: at(seconds),
        destinations: vec![id("to")],
    }
}

/// Brings `to` to a move-in at 5, before which it read a record at 5.
fn wait_at_move_in(bench: &mut Bench) {
    let to = bench.reader("to");
    bench.deliver(&to, vec![record(5, "t", 0), move_in(5)]);
    assert!(bench.wanted(&Command::Close { reader: to.clone() }));
    bench.durable(&to, 0);
}

#[test]
fn a_move_in_gives_the_place_up_until_the_source_has_moved_the_keys_out() {
    let mut bench = bench();
    wait_at_move_in(&mut bench);
    assert_eq!(bench.state("to"), Some(PartitionState::Waiting));
    let from = bench.reader("from");
    bench.deliver(&from, vec![record(5, "u", 0)]);
    bench.durable(&from, 0);
    assert_eq!(
        bench.openings("to"),
        1,
        "a record at the instant is not enough"
    );
    bench.deliver(&from, vec![move_out(5)]);
    let (to, resume) = bench.opening("to");
    assert_eq!(resume.at, at(5));
    assert!(resume.covers(at(5), "t", "00000000"));
    bench.deliver(&to, vec![move_in(5)]);
    bench.deliver(&to, vec![heartbeat(9)]);
    assert_eq!(bench.openings("to"), 2);
    assert_eq!(bench.position("to").at, at(9));
}

#[test]
fn a_heartbeat_of_the_source_at_the_instant_is_enough() {
    let mut bench = bench();
    wait_at_move_in(&mut bench);
    let from = bench.reader("from");
    bench.deliver(&from, vec![heartbeat(5)]);
    assert_eq!(bench.openings("to"), 2);
}

#[test]
fn the_source_must_be_acknowledged_not_only_read() {
    let mut bench = bench();
    wait_at_move_in(&mut bench);
    let from = bench.reader("from");
    bench.deliver(&from, vec![record(4, "u", 0), move_out(5)]);
    assert_eq!(bench.openings("to"), 1);
    bench.durable(&from, 0);
    assert_eq!(bench.openings("to"), 2);
}

#[test]
fn the_end_of_the_source_is_enough() {
    let mut bench = bench();
    let from = bench.reader("from");
    bench.deliver(&from, vec![move_out(5)]);
    bench.deliver(&from, vec![Item::Finished { at: at(5) }]);
    assert!(bench.is_finished("from"));
    bench.wait(seconds(2));
    bench.save();
    assert!(
        bench.is_finished("from"),
        "the destination is not past the move"
    );
    let to = bench.reader("to");
    bench.deliver(&to, vec![move_in(5), heartbeat(5)]);
    assert_eq!(bench.openings("to"), 1);
    bench.deliver(&to, vec![heartbeat(6)]);
    bench.wait(seconds(2));
    bench.save();
    assert!(!bench.is_finished("from"));
}

#[test]
fn a_move_in_from_an_unknown_source_waits_for_its_start() {
    let mut bench = bench();
    let to = bench.reader("to");
    let unknown = Item::MoveIn {
        at: at(5),
        sources: vec![id("later")],
    };
    bench.deliver(&to, vec![unknown]);
    let waits = bench.scheduler.checkpoint().partitions[&id("to")]
        .after
        .clone();
    assert_eq!(waits.get(&id("later")), Some(&Until::At(at(5))));
    let from = bench.reader("from");
    bench.deliver(&from, vec![started(3, &["later"])]);
    let later = bench.reader("later");
    bench.deliver(&later, vec![heartbeat(4)]);
    assert_eq!(bench.openings("to"), 1);
    bench.deliver(&later, vec![heartbeat(6)]);
    assert_eq!(bench.openings("to"), 2);
}

#[test]
fn a_finished_partition_is_not_read_again_when_its_start_is_announced_again() {
    let mut bench = bench();
    let from = bench.reader("from");
    bench.deliver(&from, vec![started(5, &["short"])]);
    let short = bench.reader("short");
    bench.deliver(&short, vec![Item::Finished { at: at(6) }]);
    bench.wait(seconds(2));
    bench.save();
    bench.fail(&from, super::bench::unavailable());
    bench.wait(seconds(1));
    let (from, resume) = bench.opening("from");
    assert_eq!(resume.at, at(5));
    bench.deliver(&from, vec![started(5, &["short"])]);
    assert_eq!(bench.openings("short"), 1);
    assert_eq!(bench.state("short"), None);
}

/// The root is cut off before its end, and has said that it is past what it named.
#[test]
fn a_partition_that_the_root_named_is_remembered_while_the_root_is_read() {
    let mut bench = Bench::new(Limits::default());
    bench.save();
    let root = bench.reader("");
    bench.deliver(&root, vec![started(0, &["from"])]);
    bench.deliver(&root, vec![heartbeat(1)]);
    let from = bench.reader("from");
    bench.deliver(&from, vec![Item::Finished { at: at(2) }]);
    bench.save();
    bench.save();
    assert!(bench.is_finished("from"));
    assert_eq!(bench.scheduler.check(), Ok(()));
    bench.end(&root);
    bench.save();
    bench.save();
    assert_eq!(bench.scheduler.stats().tombstones, 0);
}
