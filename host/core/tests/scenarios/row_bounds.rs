//! Row ranges and the bound.

use acequia_core::{Command, Limits, Start};
use jiff::SignedDuration;

use super::bench::{Bench, at, seconds};
use super::rows::{bench, closed, continuation, limits, range};

fn bounded(seconds: i64) -> Limits {
    Limits {
        bound: Some(at(seconds)),
        ..limits()
    }
}

#[test]
fn a_close_without_tokens_finishes_at_the_bound() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(8, "left"));
    bench.say("[*, m)", closed(&[]));
    assert_eq!(bench.state_of("[*, m)"), None);
    assert_eq!(bench.scheduler.stats().unfinished, 1);
    // No heartbeat at all is needed.
    bench.say("[m, *)", closed(&[]));
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
    assert_eq!(bench.scheduler.watermark(), at(10));
}

/// A low watermark is an estimate of what comes next, and may lie behind the bound.
#[test]
fn a_low_watermark_behind_the_bound_is_neither_the_end_nor_the_watermark() {
    let mut bench = bench(bounded(10), &["[*, *)"]);
    bench.say("[*, *)", continuation(15, "t"));
    assert!(bench.state_of("[*, *)").is_some());
    assert_eq!(bench.scheduler.watermark(), at(10));
}

#[test]
fn what_is_read_up_to_the_bound_stays_read_after_a_restart() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(8, "left"));
    bench.say("[*, m)", closed(&[]));
    let checkpoint = bench.scheduler.checkpoint();
    let mut bench = Bench::start(bounded(10), Start::Checkpoint(checkpoint));
    assert_eq!(bench.openings_of("[*, m)"), 0);
    bench.say("[m, *)", closed(&[]));
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
}

/// Whether the others were at the old bound or not.
#[test]
fn behind_a_later_bound_a_range_goes_on_from_its_token() {
    for finished in [&["[*, m)"][..], &["[*, m)", "[m, *)"]] {
        let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
        bench.say("[*, m)", continuation(8, "left"));
        for of in finished {
            bench.say(of, closed(&[]));
        }
        let checkpoint = bench.scheduler.checkpoint();
        assert!(checkpoint.bound_may_move());
        let bench = Bench::start(bounded(20), Start::Checkpoint(checkpoint));
        assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) left"]);
        assert_eq!(bench.openings_of("[m, *)"), 1);
        assert_eq!(bench.openings(""), 0);
    }
}

#[test]
fn behind_a_later_bound_a_range_without_a_token_starts_behind_the_old_one() {
    let mut bench = bench(bounded(10), &["[*, *)"]);
    bench.say("[*, *)", closed(&[]));
    let checkpoint = bench.scheduler.checkpoint();
    let bench = Bench::start(bounded(20), Start::Checkpoint(checkpoint));
    let (_, from) = bench.opened("[*, *)").unwrap();
    assert_eq!(from.at, at(10) + SignedDuration::from_nanos(1));
}

/// The service would close the token's own range again and again, since it is none of its ranges.
#[test]
fn a_merge_takes_the_token_of_its_other_half_that_is_at_the_bound() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(9, "left"));
    bench.say("[*, m)", closed(&[]));
    bench.say("[m, *)", closed(&[("[*, *)", "[m, *)", "right")]));
    bench.wait(seconds(119));
    assert_eq!(bench.opened("[*, *)"), None);
    bench.wait(seconds(1));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, m) left", "[m, *) right"]);
    bench.say("[*, *)", closed(&[]));
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
}

/// What lies beyond the merge is read on for itself.
#[test]
fn a_range_at_the_bound_that_has_a_part_of_a_merge_is_cut() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(9, "left"));
    bench.say("[*, m)", closed(&[]));
    bench.say("[m, *)", closed(&[("[d, *)", "[m, *)", "right")]));
    bench.wait(seconds(120));
    assert_eq!(bench.tokens_of("[d, *)"), ["[d, m) left", "[m, *) right"]);
    assert_eq!(bench.tokens_of("[*, d)"), ["[*, d) left"]);
}

/// It has no token, since nothing was said of it: it is opened once more, for the service to close it.
#[test]
fn a_half_at_the_bound_without_a_token_is_opened_again_from_where_the_merge_is() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[]));
    bench.say("[m, *)", continuation(4, "t"));
    bench.say("[m, *)", closed(&[("[*, *)", "[m, *)", "right")]));
    bench.wait(seconds(120));
    assert_eq!(bench.openings_of("[*, m)"), 2);
    assert_eq!(bench.opened("[*, m)").unwrap().1.at, at(4));
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "left")]));
    assert_eq!(bench.tokens_of("[*, *)").len(), 2);
}

#[test]
fn keys_left_to_nobody_behind_the_bound_are_opened_at_the_bound_for_a_merge() {
    let mut bench = bench(bounded(10), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(12, "t"));
    bench.say("[*, m)", closed(&[("[*, d)", "[*, d)", "left")]));
    bench.say("[m, *)", closed(&[("[d, *)", "[m, *)", "right")]));
    bench.wait(seconds(120));
    assert_eq!(bench.opened("[d, m)").unwrap().1.at, at(10));
    bench.say("[d, m)", closed(&[("[d, *)", "[d, m)", "middle")]));
    assert_eq!(bench.tokens_of("[d, *)").len(), 2);
}

/// Nothing up to the bound is left in them.
#[test]
fn keys_left_to_nobody_behind_the_bound_are_not_read() {
    let mut bench = bench(bounded(10), &["[*, *)"]);
    bench.say("[*, *)", continuation(12, "t"));
    bench.say("[*, *)", closed(&[("[*, m)", "[*, m)", "left")]));
    assert_eq!(bench.view_of("[m, *)").map(|view| view.state), None);
    let saved = bench.scheduler.checkpoint().partitions;
    let kept = saved.values().find(|it| it.range == Some(range("[m, *)")));
    assert_eq!(kept.unwrap().read_to, Some(at(10)));
}
