//! What people who look at a run are told.

use std::num::NonZeroUsize;

use acequia_core::{Child, Limits, PartitionView, Until, Wait};

use super::bench::{Bench, at, child, children, id, record, seconds, unavailable};

fn view<'a>(bench: &'a Bench, partition: &str) -> PartitionView<'a> {
    bench
        .scheduler
        .partitions()
        .find(|view| view.id.as_str() == partition)
        .unwrap()
}

fn ends_in(bench: &mut Bench, partition: &str, start: i64, found: Vec<Child>) {
    let reader = bench.reader(partition);
    bench.deliver(&reader, vec![children(start, found)]);
    bench.end(&reader);
}

#[test]
fn a_silent_server_is_waited_for_and_then_a_silent_sink() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    bench.wait(seconds(3));
    assert_eq!(view(&bench, "a").wait, Wait::Server { since: seconds(0) });

    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(1, "t", 0), record(2, "u", 0)]);
    bench.wait(seconds(4));
    let seen = view(&bench, "a");
    let since = Some(seconds(3));
    assert_eq!(seen.wait, Wait::Delivery { since });
    assert_eq!(seen.unacknowledged, 2);
    assert_eq!(seen.oldest_unacknowledged, Some(at(1)));

    bench.durable(&reader, 0);
    let seen = view(&bench, "a");
    let since = Some(seconds(7));
    assert_eq!(seen.wait, Wait::Delivery { since });
    assert_eq!(seen.oldest_unacknowledged, Some(at(2)));
    bench.durable(&reader, 1);
    assert_eq!(view(&bench, "a").wait, Wait::Server { since: seconds(3) });
}

#[test]
fn a_held_partition_waits_for_the_delivery_of_others() {
    let limits = Limits {
        records_in_flight_max: 4,
        delivery_records_max: 2,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a", "b"]);
    let reader = bench.reader("a");
    let records = (0..3).map(|sequence| record(1, "t", sequence));
    bench.deliver(&reader, records.collect());
    assert!(bench.scheduler.is_held());
    assert_eq!(view(&bench, "b").wait, Wait::Delivery { since: None });
}

#[test]
fn whoever_has_no_place_waits_for_one_and_whoever_failed_for_its_time() {
    let limits = Limits {
        max_open: NonZeroUsize::MIN,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a", "b"]);
    assert_eq!(view(&bench, "b").wait, Wait::Place);
    assert_eq!(bench.scheduler.stats().queued, 1);
    let reader = bench.reader("a");
    bench.fail(&reader, unavailable());
    assert!(matches!(view(&bench, "a").wait, Wait::Timer { .. }));
}

#[test]
fn nothing_is_read_before_the_first_save() {
    let bench = Bench::new(Limits::default());
    assert_eq!(view(&bench, "").wait, Wait::Save);
}

#[test]
fn a_merged_child_waits_for_the_parent_that_is_not_done() {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    ends_in(&mut bench, "a", 5, vec![child("c", &["a", "b"])]);
    let b = id("b");
    assert_eq!(
        view(&bench, "c").wait,
        Wait::Partitions(vec![(&b, Until::End)])
    );
}

#[test]
fn finished_partitions_are_remembered_with_their_parents_up_to_a_bound() {
    let limits = Limits {
        history_max: 2,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a"]);
    ends_in(&mut bench, "a", 5, vec![child("b", &[]), child("c", &[])]);
    bench.save();
    ends_in(&mut bench, "b", 9, vec![child("d", &["b"])]);
    let past: Vec<_> = bench
        .scheduler
        .history()
        .map(|past| (past.id.as_str(), past.start, past.end, past.parents.clone()))
        .collect();
    assert_eq!(
        past,
        [
            ("a", at(0), at(5), vec![id("")]),
            ("b", at(5), at(9), vec![id("a")])
        ]
    );
    assert_eq!(bench.scheduler.history_forgotten(), 1);
}
