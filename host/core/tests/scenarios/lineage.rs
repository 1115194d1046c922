//! Who follows whom.

use acequia_core::{Abort, Command, Limits, PartitionState};

use super::bench::{Bench, at, child, children, heartbeat, id, record, seconds};

/// Flink's connector, Redpanda's, spream and Debezium before its fix finish a partition on any
/// clean end, and lose its whole key range.
#[test]
fn a_clean_end_without_children_is_not_an_end() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(5, "t", 0)]);
    bench.durable(&reader, 0);
    bench.end(&reader);
    assert_eq!(bench.state("a"), Some(PartitionState::BackingOff));
    bench.wait(seconds(1));
    let (_, from) = bench.opening("a");
    assert_eq!(bench.openings("a"), 2);
    assert_eq!(from.at, at(5));
    assert!(from.covers(at(5), "t", "00000000"));
    assert_eq!(bench.scheduler.stats().early_ends, 1);
}

#[test]
fn a_clean_end_of_the_root_query_without_children_is_not_an_end() {
    let mut bench = Bench::new(Limits::default());
    bench.save();
    let root = bench.reader("");
    bench.end(&root);
    bench.wait(seconds(1));
    assert_eq!(bench.openings(""), 2);
}

#[test]
fn children_of_an_earlier_query_do_not_make_a_clean_end_the_end() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![children(5, vec![child("b", &["a"])])]);
    bench.fail(&reader, super::bench::unavailable());
    bench.wait(seconds(1));
    let reader = bench.reader("a");
    bench.end(&reader);
    assert!(
        !bench.is_finished("a"),
        "a second list of children may be missing"
    );
    bench.wait(seconds(1));
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![children(5, vec![child("b", &["a"])])]);
    bench.deliver(&reader, vec![children(5, vec![child("c", &["a"])])]);
    bench.end(&reader);
    assert!(bench.is_finished("a"));
    assert_eq!((bench.openings("b"), bench.openings("c")), (1, 1));
}

/// Flink's connector stops, and stops again after every restart, when a fast parent names another
/// that the slow side has not found yet.
#[test]
fn a_merge_that_names_an_unknown_parent_waits() {
    let mut bench = Bench::with(Limits::default(), &["fast", "slow"]);
    let fast = bench.reader("fast");
    bench.deliver(
        &fast,
        vec![children(9, vec![child("merged", &["fast", "later"])])],
    );
    bench.end(&fast);
    assert_eq!(bench.state("merged"), Some(PartitionState::Waiting));

    let slow = bench.reader("slow");
    bench.deliver(&slow, vec![children(4, vec![child("later", &["slow"])])]);
    bench.end(&slow);
    assert_eq!(bench.openings("merged"), 0);
    let later = bench.reader("later");
    bench.deliver(
        &later,
        vec![children(9, vec![child("merged", &["fast", "later"])])],
    );
    bench.end(&later);
    assert_eq!(bench.opening("merged").1.at, at(9));
}

/// spream compares a child's start with a minimum that the child itself is part of, so its gate is
/// always open.
#[test]
fn spream_1_a_child_waits_until_the_records_of_its_parent_are_acknowledged() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(3, "t", 0)]);
    bench.deliver(&reader, vec![children(5, vec![child("b", &["a"])])]);
    bench.end(&reader);
    assert_eq!(bench.state("a"), Some(PartitionState::Draining));
    assert_eq!(bench.openings("b"), 0);
    bench.durable(&reader, 0);
    assert_eq!(bench.openings("b"), 1);
}

/// spream's store in memory overwrites a merged child when its second parent reports it.
#[test]
fn spream_2_the_second_report_of_a_merge_does_not_reset_the_child() {
    let mut bench = Bench::with(Limits::default(), &["a", "c"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("m", &["a"])])]);
    bench.end(&a);
    let merged = bench.reader("m");
    bench.deliver(&merged, vec![heartbeat(8)]);
    let c = bench.reader("c");
    bench.deliver(&c, vec![children(5, vec![child("m", &["a", "c"])])]);
    assert_eq!(bench.position("m").at, at(8));
    assert_eq!(
        bench.state("m"),
        Some(PartitionState::Waiting),
        "it waits for c too"
    );
    bench.end(&c);
    assert_eq!(bench.opening("m").1.at, at(8));
}

#[test]
fn one_token_with_two_starts_aborts_with_both() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("m", &["a", "b"])])]);
    let b = bench.reader("b");
    bench.deliver(&b, vec![children(6, vec![child("m", &["a", "b"])])]);
    let cause = Abort::ConflictingStart {
        partition: id("m"),
        reporter: id("b"),
        first: at(5),
        second: at(6),
    };
    assert!(bench.wanted(&Command::Abort { cause }));
}

#[test]
fn the_reporter_is_the_parent_of_a_child_without_parents() {
    let bench = Bench::with(Limits::default(), &["a"]);
    let parents = &bench.scheduler.checkpoint().partitions[&id("a")].parents;
    assert!(parents.iter().eq([&id("")]));
}

#[test]
fn a_tombstone_stays_until_its_children_are_opened_and_saved() {
    let limits = Limits {
        max_open: std::num::NonZeroUsize::MIN,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a", "b"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("c", &["a"])])]);
    bench.end(&a);
    bench.save();
    assert_eq!((bench.openings("b"), bench.openings("c")), (1, 0));
    assert!(bench.is_finished("a"));
    let b = bench.reader("b");
    bench.deliver(&b, vec![children(5, vec![child("d", &["b"])])]);
    bench.end(&b);
    assert_eq!(bench.openings("c"), 1);
    assert!(bench.is_finished("a"), "that c is open is not saved");
    bench.wait(seconds(2));
    bench.save();
    assert!(!bench.is_finished("a"));
}
