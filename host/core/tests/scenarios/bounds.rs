//! Ends: the bound, drains, batch reads.

use acequia_core::{CleanEnd, Command, Event, Limits, Start};
use jiff::SignedDuration;

use super::bench::{Bench, at, child, children, heartbeat, record, seconds};

fn bounded() -> Limits {
    Limits {
        bound: Some(at(10)),
        ..Limits::default()
    }
}

#[test]
fn a_clean_end_at_the_bound_is_the_end() {
    let mut bench = Bench::with(bounded(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(10, "t", 0)]);
    bench.deliver(&reader, vec![heartbeat(10)]);
    bench.end(&reader);
    assert!(!bench.is_finished("a"), "its record is not durable");
    bench.durable(&reader, 0);
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
    assert_eq!(bench.scheduler.watermark(), at(10));
}

#[test]
fn without_a_heartbeat_the_bound_needs_two_quiet_ends_after_it() {
    let mut bench = Bench::with(bounded(), &["a"]);
    bench.wait(seconds(5));
    for (quiet_ends, past) in [(0, false), (1, false), (2, true), (3, true)] {
        if past && bench.now.wall <= at(10) {
            bench.wait(seconds(6));
        }
        let reader = bench.reader("a");
        bench.end(&reader);
        assert_eq!(bench.state("a").is_none(), quiet_ends == 3, "{quiet_ends}");
        bench.wait(std::time::Duration::from_secs(1));
    }
}

#[test]
fn a_record_between_two_ends_asks_for_one_more() {
    let mut bench = Bench::with(bounded(), &["a"]);
    bench.wait(seconds(11));
    let reader = bench.reader("a");
    bench.end(&reader);
    bench.wait(seconds(1));
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(9, "t", 0)]);
    bench.durable(&reader, 0);
    bench.end(&reader);
    assert!(bench.state("a").is_some());
    bench.wait(seconds(1));
    let reader = bench.reader("a");
    bench.end(&reader);
    assert!(bench.state("a").is_none());
}

#[test]
fn a_heartbeat_that_comes_again_with_every_opening_does_not_put_the_end_off() {
    let mut bench = Bench::with(bounded(), &["a"]);
    bench.wait(seconds(11));
    for left in [true, false] {
        let reader = bench.reader("a");
        bench.deliver(&reader, vec![heartbeat(9)]);
        bench.end(&reader);
        assert_eq!(bench.state("a").is_some(), left);
        bench.wait(seconds(1));
    }
}

#[test]
fn a_child_that_starts_after_the_bound_is_finished_when_found() {
    let mut bench = Bench::with(bounded(), &["a"]);
    let reader = bench.reader("a");
    let found = vec![child("at", &["a"])];
    bench.deliver(&reader, vec![children(10, found)]);
    bench.deliver(&reader, vec![children(11, vec![child("after", &["a"])])]);
    bench.end(&reader);
    assert_eq!((bench.openings("at"), bench.openings("after")), (1, 0));
}

#[test]
fn a_bound_that_is_moved_later_is_gone_on_to_with_what_lives_behind_the_old_one() {
    let mut bench = Bench::with(bounded(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![heartbeat(10)]);
    bench.end(&reader);
    bench.save();
    let checkpoint = bench.scheduler.checkpoint();
    assert!(checkpoint.partitions.is_empty());

    let again = Bench::start(bounded(), Start::Checkpoint(checkpoint.clone()));
    assert!(again.wanted(&Command::Complete { drained: false }));

    let moved = Limits {
        bound: Some(at(20)),
        ..Limits::default()
    };
    let mut bench = Bench::start(moved, Start::Checkpoint(checkpoint));
    bench.wait(seconds(15));
    let root = bench.reader("");
    assert_eq!(
        bench.position("").at,
        at(10) + SignedDuration::from_nanos(1)
    );
    bench.deliver(&root, vec![children(11, vec![child("a", &[])])]);
    bench.end(&root);
    assert_eq!(bench.openings("a"), 1, "it ended at the old bound only");
}

/// Who ended at the old bound is forgotten, and the others do not know it.
#[test]
fn a_bound_does_not_move_while_a_partition_is_left() {
    let mut bench = Bench::with(bounded(), &["a", "b"]);
    assert!(!bench.scheduler.checkpoint().bound_may_move());
    for name in ["a", "b"] {
        let reader = bench.reader(name);
        bench.deliver(&reader, vec![heartbeat(10)]);
        bench.end(&reader);
    }
    assert!(bench.scheduler.checkpoint().bound_may_move());
}

#[test]
fn a_clean_end_finishes_a_batch_read() {
    let limits = Limits {
        clean_end: CleanEnd::Finishes,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a"]);
    let reader = bench.reader("a");
    bench.end(&reader);
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
}

#[test]
fn a_drain_closes_waits_for_the_sink_saves_and_completes() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(3, "t", 0)]);
    bench.handle(Event::Drain);
    assert!(bench.wanted(&Command::Close {
        reader: reader.clone()
    }));
    let saves = bench.saves();
    bench.durable(&reader, 0);
    assert_eq!(bench.saves(), saves + 1, "the last save does not wait");
    assert_eq!(bench.position("a").at, at(3));
    assert!(!bench.scheduler.is_complete());
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: true }));
}
