//! When a checkpoint is saved, and what a lost answer does.

use std::time::Duration;

use acequia_core::{Abort, Command, Event, Generation, Limits, SaveFailure};

use super::bench::{Bench, child, children, heartbeat, id, record, seconds};

#[test]
fn nothing_is_opened_before_the_start_is_saved() {
    let mut bench = Bench::new(Limits::default());
    bench.wait(seconds(10));
    assert_eq!(bench.openings(""), 0);
    assert_eq!(bench.saves(), 1);
    bench.save();
    assert_eq!(bench.openings(""), 1);
}

#[test]
fn children_are_in_the_save_that_finishes_their_parent() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![record(3, "t", 0)]);
    bench.deliver(&reader, vec![children(5, vec![child("b", &["a"])])]);
    bench.end(&reader);
    bench.wait(seconds(2));
    bench.save();
    assert!(!bench.saved().partitions.contains_key(&id("b")));
    bench.durable(&reader, 0);
    assert!(bench.saved().partitions.contains_key(&id("b")));
    assert!(bench.saved().tombstones.contains_key(&id("a")));
}

#[test]
fn positions_are_saved_at_intervals_and_one_save_at_a_time() {
    let mut bench = Bench::with(Limits::default(), &["a"]);
    bench.wait(seconds(2));
    bench.save();
    let saves = bench.saves();
    let reader = bench.reader("a");
    bench.deliver(&reader, vec![heartbeat(1)]);
    assert_eq!(bench.saves(), saves, "the last one is not a second old");
    bench.wait(seconds(1));
    assert_eq!(bench.saves(), saves + 1);
    bench.deliver(&reader, vec![heartbeat(2)]);
    bench.wait(seconds(5));
    assert_eq!(bench.saves(), saves + 1, "the first is not answered");
    bench.handle(Event::Saved {
        generation: bench.saved().generation,
    });
    assert_eq!(bench.saves(), saves + 2);
    bench.deliver(&reader, vec![heartbeat(3)]);
    bench.handle(Event::Saved {
        generation: bench.saved().generation,
    });
    assert_eq!(bench.saves(), saves + 2);
    assert_eq!(
        bench.timeout.map(|(_, reason)| reason),
        Some("save the checkpoint")
    );
}

#[test]
fn a_failed_save_comes_again_with_a_higher_generation() {
    let mut bench = Bench::new(Limits::default());
    let generation = bench.saved().generation;
    let failure = SaveFailure::Retry {
        cause: "deadline exceeded".to_owned(),
    };
    bench.handle(Event::SaveFailed {
        generation,
        failure,
    });
    bench.wait(Duration::from_millis(250));
    assert_eq!(bench.saves(), 2);
    assert!(bench.saved().generation > generation);
    bench.handle(Event::Saved { generation });
    assert_eq!(
        bench.openings(""),
        0,
        "an answer to an earlier save says nothing"
    );
    bench.handle(Event::Saved {
        generation: bench.saved().generation,
    });
    assert_eq!(bench.openings(""), 1);
}

#[test]
fn a_save_that_nothing_can_help_aborts() {
    let mut bench = Bench::new(Limits::default());
    let cause = "another owner has it".to_owned();
    bench.handle(Event::SaveFailed {
        generation: Generation::new(1),
        failure: SaveFailure::Fatal {
            cause: cause.clone(),
        },
    });
    let cause = Abort::SaveFailed {
        generation: Generation::new(1),
        cause,
    };
    assert!(bench.wanted(&Command::Abort { cause }));
}
