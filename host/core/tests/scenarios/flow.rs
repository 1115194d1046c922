//! Back pressure, silence, failures.

use std::time::Duration;

use acequia_core::{Abort, Command, Event, Item, Limits, Mark, PartitionState, ReadFailure};

use super::bench::{Bench, at, heartbeat, id, record, seconds, unavailable};

fn tight() -> Limits {
    Limits {
        records_in_flight_max: 4,
        delivery_records_max: 2,
        ..Limits::default()
    }
}

#[test]
fn readers_are_held_before_the_next_delivery_could_be_too_much() {
    let mut bench = Bench::with(tight(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&b, vec![record(1, "t", 0), record(2, "u", 0)]);
    assert!(!bench.wanted(&Command::Hold { reader: a.clone() }));
    bench.deliver(&a, vec![record(7, "t", 0)]);
    assert!(bench.wanted(&Command::Hold { reader: a.clone() }));
    assert!(bench.wanted(&Command::Hold { reader: b.clone() }));
    assert_eq!(bench.state("a"), Some(PartitionState::Held));

    let before = bench.commands.len();
    bench.durable(&b, 1);
    let released: Vec<_> = bench.commands[before..]
        .iter()
        .filter(|command| matches!(command, Command::Release { .. }))
        .cloned()
        .collect();
    let oldest_first = [
        Command::Release { reader: b },
        Command::Release { reader: a },
    ];
    assert_eq!(released, oldest_first);
}

/// Else a guest that is long over one record would let any number of filtered ones pile up behind it.
#[test]
fn records_without_outputs_count_while_they_follow_one_that_waits() {
    let filtered = |seconds| Item::Record {
        at: at(seconds),
        mark: Mark::sequence("t", "00000000"),
        bytes: 10,
        outputs: false,
    };
    let mut bench = Bench::with(tight(), &["a"]);
    let reader = bench.reader("a");
    let hold = Command::Hold {
        reader: reader.clone(),
    };
    bench.deliver(&reader, vec![filtered(1), filtered(2)]);
    bench.deliver(&reader, vec![filtered(3), record(4, "t", 0)]);
    assert!(!bench.wanted(&hold), "one record waits");
    bench.deliver(&reader, vec![filtered(5), filtered(6)]);
    assert!(bench.wanted(&hold));
    // The record is the fourth item.
    bench.durable(&reader, 3);
    assert!(bench.wanted(&Command::Release { reader }));
    assert_eq!(bench.scheduler.stats().records_in_flight, 0);
}

#[test]
fn a_record_larger_than_the_limit_passes_alone() {
    let limits = Limits {
        bytes_in_flight_max: 1000,
        delivery_bytes_max: 100,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a"]);
    let reader = bench.reader("a");
    let large = Item::Record {
        at: at(1),
        mark: Mark::sequence("t", "00000000"),
        bytes: 50_000,
        outputs: true,
    };
    bench.deliver(&reader, vec![large]);
    assert!(bench.wanted(&Command::Hold {
        reader: reader.clone()
    }));
    bench.durable(&reader, 0);
    assert!(bench.wanted(&Command::Release { reader }));
}

#[test]
fn a_silent_stream_is_opened_again() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.wait(seconds(19));
    assert_eq!(bench.openings("a"), 1);
    bench.wait(seconds(1));
    assert!(bench.wanted(&Command::Close { reader }));
    bench.wait(seconds(1));
    assert_eq!(bench.openings("a"), 2);
}

#[test]
fn the_time_during_which_a_stream_is_held_is_not_silence() {
    let mut bench = Bench::with(tight(), &["a"]);
    let reader = bench.reader("a");
    let records = (0..3).map(|sequence| record(1, "t", sequence));
    bench.deliver(&reader, records.collect());
    bench.wait(seconds(500));
    assert_eq!(bench.state("a"), Some(PartitionState::Held));
    bench.durable(&reader, 2);
    bench.wait(seconds(19));
    assert_eq!(bench.state("a"), Some(PartitionState::Open));
    bench.wait(seconds(1));
    assert_eq!(bench.scheduler.stats().stalls, 1);
}

#[test]
fn a_failed_stream_is_opened_again_at_its_position_when_its_ledger_is_drained() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(3, "t", 0), record(3, "u", 0)]);
    bench.durable(&reader, 0);
    bench.fail(&reader, unavailable());
    bench.wait(seconds(60));
    assert_eq!(bench.openings("a"), 1);
    bench.durable(&reader, 1);
    bench.wait(seconds(1));
    let (_, from) = bench.opening("a");
    assert!(from.covers(at(3), "t", "00000000"));
    assert!(from.covers(at(3), "u", "00000000"));
    assert!(!from.covers(at(3), "u", "00000001"));
    assert!(!from.covers(at(3), "v", "00000000"));
}

#[test]
fn a_server_that_names_a_delay_gets_it() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    bench.wait(seconds(2));
    bench.save();
    let reader = bench.reader("a");
    let failure = ReadFailure::Retry {
        after: Some(seconds(40)),
        cause: "resource exhausted".to_owned(),
    };
    bench.fail(&reader, failure);
    assert_eq!(
        bench.timeout.map(|(_, reason)| reason),
        Some("open a partition again")
    );
    bench.wait(Duration::from_millis(39_999));
    assert_eq!(bench.openings("a"), 1);
    bench.wait(Duration::from_millis(1));
    assert_eq!(bench.openings("a"), 2);
}

#[test]
fn what_a_closed_reader_says_is_ignored() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.fail(&reader, unavailable());
    bench.wait(seconds(1));
    assert!(!bench.scheduler.is_current(&reader));
    assert!(bench.scheduler.is_current(&bench.reader("a")));
    bench.deliver(&reader, vec![heartbeat(9)]);
    bench.end(&reader);
    assert_eq!(bench.position("a").at, at(0));
    assert_eq!(bench.state("a"), Some(PartitionState::Open));
}

#[test]
fn a_stream_that_goes_back_in_time_aborts() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![heartbeat(9), record(9, "t", 0)]);
    let cause = Abort::OutOfOrder {
        partition: id("a"),
        got: at(9),
        after: at(9),
    };
    assert!(bench.wanted(&Command::Abort { cause }));
    assert_eq!(bench.timeout, None);
}

#[test]
fn too_many_transactions_at_one_instant_abort_with_the_limit() {
    let limits = Limits {
        boundary_transactions_max: 2,
        ..Limits::default()
    };
    let mut bench = Bench::with(limits, &["a"]);
    let reader = bench.reader("a");
    let records = ["t", "u", "v"].map(|transaction| record(1, transaction, 0));
    bench.deliver(&reader, records.to_vec());
    bench.durable(&reader, 2);
    let cause = Abort::BoundaryFull {
        partition: id("a"),
        at: at(1),
        limit: 2,
    };
    assert!(bench.wanted(&Command::Abort { cause }));
}

#[test]
fn a_rejected_record_aborts() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let cause = "the guest trapped".to_owned();
    bench.handle(Event::Rejected {
        cause: cause.clone(),
    });
    assert!(bench.wanted(&Command::Abort {
        cause: Abort::Rejected { cause }
    }));
}
