//! Tokens whose range does not come together, and are read for themselves.
//!
//! Beam's `PartitionReconciler` exists for the race: [A, B) closes into [A, C), [B, C) is between two
//! openings, the merge is undone, and [B, C) is opened again and never closed.

use std::num::NonZeroUsize;

use acequia_core::{Command, Covered, Limits, RangeToken, Resume};

use super::bench::{Bench, at, seconds, unavailable};
use super::rows::{bench, change, closed, continuation, limits, range};

/// [*, m) closed into [*, *); [m, *) was opened again since.
fn undone() -> Bench {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(5, "t"));
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "left")]));
    open_again(&mut bench);
    bench
}

fn open_again(bench: &mut Bench) {
    let reader = bench.reader_of("[m, *)");
    bench.fail(&reader, unavailable());
    bench.wait(seconds(1));
    assert_ne!(bench.reader_of("[m, *)"), reader);
}

#[test]
fn a_merge_that_was_undone_is_taken_apart_after_two_minutes_and_not_before() {
    let mut bench = undone();
    bench.wait(seconds(118));
    assert_eq!(bench.opened("[*, m)").unwrap().1, Resume::fresh(at(0)));
    bench.wait(seconds(1));
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) left"]);
    assert_eq!(bench.scheduler.stats().reconciled, 1);
    assert!(bench.wanted(&Command::Reconciled {
        range: range("[*, m)"),
        from: Resume {
            at: at(5),
            covered: Covered::Tokens(vec![RangeToken {
                range: range("[*, m)"),
                token: "left".into(),
            }]),
        },
        after: seconds(0),
    }));
    bench.wait(seconds(1000));
    assert_eq!(bench.openings_of("[*, m)"), 2, "once");
}

#[test]
fn every_token_that_waits_is_read_for_itself() {
    let mut bench = bench(limits(), &["[*, c)", "[c, m)", "[m, *)"]);
    bench.say("[*, c)", closed(&[("[*, *)", "[*, c)", "one")]));
    bench.say("[c, m)", closed(&[("[*, *)", "[c, m)", "two")]));
    open_again(&mut bench);
    bench.wait(seconds(120));
    assert_eq!(bench.tokens_of("[*, c)"), ["[*, c) one"]);
    assert_eq!(bench.tokens_of("[c, m)"), ["[c, m) two"]);
    assert_eq!(bench.scheduler.stats().reconciled, 2);
}

/// Both merges were undone, and each holds keys that the other lacks.
#[test]
fn tokens_that_lack_only_each_other_are_taken_apart_at_the_next_look() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[("[*, z)", "[*, m)", "one")]));
    bench.say("[m, *)", closed(&[("[c, *)", "[m, *)", "two")]));
    bench.wait(seconds(9));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
    bench.wait(seconds(1));
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) one"]);
    assert_eq!(bench.tokens_of("[m, *)"), ["[m, *) two"]);
}

/// It lags, and its close may be behind what it still has to say.
#[test]
fn nothing_is_taken_apart_while_a_part_was_not_opened_since() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "left")]));
    bench.wait(seconds(600));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
    bench.say("[m, *)", closed(&[("[*, *)", "[m, *)", "right")]));
    assert_eq!(bench.tokens_of("[*, *)").len(), 2);
    bench.wait(seconds(600));
    assert_eq!(bench.openings_of("[*, *)"), 1);
}

#[test]
fn nothing_is_taken_apart_while_a_part_waits_for_a_place() {
    let one = Limits {
        max_open: NonZeroUsize::MIN,
        ..limits()
    };
    let mut bench = bench(one, &["[*, c)", "[c, m)", "[m, *)"]);
    bench.say("[*, c)", continuation(1, "t"));
    bench.say("[c, m)", closed(&[("[*, m)", "[c, m)", "right")]));
    assert_eq!(bench.openings_of("[m, *)"), 1, "it has the place");
    bench.wait(seconds(600));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
}

#[test]
fn nothing_is_taken_apart_while_a_part_that_is_closed_is_not_acknowledged() {
    let mut bench = undone();
    let reader = bench.reader_of("[m, *)");
    bench.say("[m, *)", change(6, "t"));
    bench.say("[m, *)", closed(&[("[*, *)", "[m, *)", "right")]));
    bench.wait(seconds(300));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
    bench.durable(&reader, 0);
    assert_eq!(bench.tokens_of("[*, *)").len(), 2);
}

/// A part that is read all the time and never closed, since the cut was moved twice at once.
#[test]
fn nobody_is_waited_for_longer_than_keys_rest() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "left")]));
    bench.wait(seconds(20 * 60 - 1));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
    bench.wait(seconds(10));
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) left"]);
}

#[test]
fn what_was_taken_apart_may_come_together_anew() {
    let mut bench = undone();
    bench.wait(seconds(120));
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "later")]));
    assert_eq!(bench.opened("[*, *)"), None);
    bench.say("[m, *)", closed(&[("[*, *)", "[m, *)", "right")]));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, m) later", "[m, *) right"]);
}

#[test]
fn each_token_that_comes_begins_the_time_anew() {
    let mut bench = bench(limits(), &["[*, c)", "[c, m)", "[m, *)"]);
    bench.say("[*, c)", closed(&[("[*, *)", "[*, c)", "one")]));
    bench.wait(seconds(100));
    bench.say("[c, m)", closed(&[("[*, *)", "[c, m)", "two")]));
    open_again(&mut bench);
    bench.wait(seconds(100));
    assert_eq!(bench.scheduler.stats().reconciled, 0);
    bench.wait(seconds(19));
    assert_eq!(bench.scheduler.stats().reconciled, 2);
}
