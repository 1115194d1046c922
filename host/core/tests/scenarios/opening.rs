//! Where reading begins and goes on.

use acequia_core::{Checkpoint, Limits, Start};

use super::bench::{Bench, at, child, children, heartbeat, record};

#[test]
fn the_root_query_starts_where_it_was_told() {
    let mut bench = Bench::new(Limits::default());
    bench.save();
    let (_, from) = bench.opening("");
    assert_eq!(from.at, at(0));
    assert!(!from.covers(at(0), "t", "00000000"));
    assert!(from.covers(at(-1), "t", "00000000"));
}

#[test]
fn a_checkpoint_goes_on_at_its_positions_and_without_a_root_query() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&a, vec![record(3, "t", 0)]);
    bench.durable(&a, 0);
    bench.deliver(&b, vec![heartbeat(7)]);
    let bytes = bench.scheduler.checkpoint().encode().unwrap();
    let start = Start::Checkpoint(Checkpoint::decode(&bytes).unwrap());
    let resumed = Bench::start(Limits::default(), start);
    assert_eq!(resumed.openings(""), 0);
    assert_eq!(resumed.opening("a").1, bench.position("a"));
    let (_, from) = resumed.opening("b");
    assert!(
        from.covers(at(7), "t", "00000000"),
        "a heartbeat covers its instant"
    );
    assert_eq!(resumed.scheduler.watermark(), bench.scheduler.watermark());
}

#[test]
fn what_waits_for_parents_waits_after_a_restart_too() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("m", &["a", "b"])])]);
    bench.end(&a);
    let start = Start::Checkpoint(bench.scheduler.checkpoint());
    let mut resumed = Bench::start(Limits::default(), start);
    assert_eq!(resumed.openings("m"), 0);
    let b = resumed.reader("b");
    resumed.deliver(&b, vec![children(5, vec![child("m", &["a", "b"])])]);
    resumed.end(&b);
    assert_eq!(resumed.openings("m"), 1);
}
