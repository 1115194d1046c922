//! OUT_OF_RANGE has several meanings; our own state tells them apart.

use acequia_core::{Abort, Command, Event, Limits, PartitionState, SinkState};

use super::bench::{
    Bench, at, child, children, heartbeat, id, out_of_range, record, seconds, unavailable,
};

#[test]
fn inside_the_retention_and_without_children_it_is_an_error() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.fail(&reader, out_of_range());
    let cause = Abort::OutOfRange {
        partition: id("a"),
        position: at(0),
        cause: "out of range".to_owned(),
    };
    assert!(bench.wanted(&Command::Abort { cause }));
}

#[test]
fn after_children_it_is_the_end() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![children(5, vec![child("b", &["a"])])]);
    bench.fail(&reader, out_of_range());
    assert!(bench.is_finished("a"));
    assert_eq!(bench.openings("b"), 1);
}

#[test]
fn past_the_retention_the_host_is_asked_once_when_nothing_is_in_flight() {
    let mut bench = Bench::with(limits(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&b, vec![record(30, "t", 0)]);
    bench.wait(seconds(61));
    bench.fail(&a, out_of_range());
    assert!(bench.wanted(&Command::Close { reader: b.clone() }));
    assert_eq!(asked(&bench), None);
    bench.durable(&b, 0);
    assert_eq!(asked(&bench), Some(at(0)));
    bench.wait(seconds(10));
    let times = bench
        .commands
        .iter()
        .filter(|command| is_expired(command))
        .count();
    assert_eq!(times, 1);
    assert_eq!(bench.openings("b"), 1);
}

#[test]
fn a_restart_discards_the_ledger_and_begins_with_one_root_query() {
    let mut bench = Bench::with(limits(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&b, vec![heartbeat(50)]);
    bench.save();
    bench.wait(seconds(61));
    bench.fail(&a, out_of_range());
    bench.save();
    let generation = bench.scheduler.checkpoint().generation;
    bench.handle(Event::Restarted {
        at: at(40),
        sink_state: SinkState::new("with the gap"),
    });
    assert_eq!(bench.state("b"), None);
    assert_eq!(bench.opening("").1.at, at(40));
    let saved = bench.saved();
    assert!(saved.generation > generation);
    assert_eq!(saved.sink_state, SinkState::new("with the gap"));
    assert!(saved.partitions.keys().eq([&id("")]));
}

/// The known children may be a part of all of them, so they do not explain an expired position.
#[test]
fn children_do_not_hide_an_expired_position() {
    let mut bench = Bench::with(limits(), &["a"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![children(5, vec![child("b", &["a"])])]);
    bench.fail(&a, unavailable());
    bench.wait(seconds(61));
    let a = bench.reader("a");
    bench.fail(&a, out_of_range());
    assert_eq!(asked(&bench), Some(at(0)));
}

#[test]
fn a_drain_goes_before_an_expiry() {
    let mut bench = Bench::with(limits(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&b, vec![record(30, "t", 0)]);
    bench.wait(seconds(61));
    bench.fail(&a, out_of_range());
    bench.handle(Event::Drain);
    bench.durable(&b, 0);
    bench.save();
    assert_eq!(asked(&bench), None);
    assert!(bench.wanted(&Command::Complete { drained: true }));
    assert_eq!(bench.state("a"), Some(PartitionState::Queued));
}

fn limits() -> Limits {
    Limits {
        retention: seconds(60),
        stall: seconds(1000),
        ..Limits::default()
    }
}

fn is_expired(command: &Command) -> bool {
    matches!(command, Command::Expired { .. })
}

fn asked(bench: &Bench) -> Option<acequia_core::Timestamp> {
    bench.commands.iter().find_map(|command| match command {
        Command::Expired { lost_from, .. } => Some(*lost_from),
        _ => None,
    })
}
