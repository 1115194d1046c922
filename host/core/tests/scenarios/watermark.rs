//! How far everything is read.

use std::num::NonZeroUsize;

use acequia_core::{Item, Limits, Mark, PartitionState};

use super::bench::{Bench, at, child, children, heartbeat, record};

fn tick_before(seconds: i64) -> acequia_core::Timestamp {
    at(seconds) - jiff::SignedDuration::from_nanos(1)
}

/// Heartbeats come only when a partition has nothing else to say, so a watermark that moves by
/// heartbeats alone stands still under load.
#[test]
fn the_watermark_moves_under_constant_load() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    for second in 1..10 {
        bench.deliver(&reader, vec![record(second, "t", 0)]);
        bench.durable(&reader, u64::try_from(second).unwrap() - 1);
        assert_eq!(bench.scheduler.watermark(), tick_before(second));
    }
    bench.deliver(&reader, vec![heartbeat(10)]);
    assert_eq!(bench.scheduler.watermark(), at(10));
}

#[test]
fn a_heartbeat_does_not_overtake_a_record_in_flight() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(3, "t", 0), heartbeat(7)]);
    assert_eq!(bench.scheduler.watermark(), tick_before(0));
    bench.durable(&reader, 0);
    assert_eq!(bench.scheduler.watermark(), at(7));
}

#[test]
fn a_filtered_record_moves_it_without_the_sink() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(
        &reader,
        vec![Item::Record {
            at: at(4),
            mark: Mark::sequence("t", "00000000"),
            bytes: 0,
            outputs: false,
        }],
    );
    assert_eq!(bench.scheduler.watermark(), tick_before(4));
}

#[test]
fn a_queued_partition_holds_it() {
    let limits = Limits {
        max_open: NonZeroUsize::MIN,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a", "b"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(50, "t", 0)]);
    bench.durable(&reader, 0);
    assert_eq!(bench.state("b"), Some(PartitionState::Queued));
    assert_eq!(bench.scheduler.watermark(), tick_before(0));
}

#[test]
fn a_child_that_waits_for_an_unknown_parent_holds_it() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("m", &["a", "later"])])]);
    bench.end(&a);
    let b = bench.reader("b");
    bench.deliver(&b, vec![heartbeat(60)]);
    assert_eq!(bench.scheduler.watermark(), tick_before(5));
}
