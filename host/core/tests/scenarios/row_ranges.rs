//! Row ranges: each key goes on once, where its range says.

use acequia_core::{Command, Item, Limits, PartitionState, Resume, Wait};

use super::bench::{Bench, at, seconds, unavailable};
use super::rows::{bench, change, closed, continuation, limits, range};

#[test]
fn the_service_names_the_first_ranges_and_all_start_at_the_start() {
    let bench = bench(limits(), &["[*, m)", "[m, *)"]);
    for of in ["[*, m)", "[m, *)"] {
        assert_eq!(bench.opened(of).unwrap().1, Resume::fresh(at(0)));
    }
    assert_eq!(bench.state(""), None);
}

#[test]
fn a_split_goes_on_from_the_token_of_each_part() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", continuation(5, "t1"));
    bench.say(
        "[*, *)",
        closed(&[("[*, m)", "[*, m)", "left"), ("[m, *)", "[m, *)", "right")]),
    );
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) left"]);
    assert_eq!(bench.tokens_of("[m, *)"), ["[m, *) right"]);
    assert_eq!(bench.opened("[m, *)").unwrap().1.at, at(5));
    assert_eq!(bench.scheduler.stats().splits, 1);
}

/// The example of CloseStream in `bigtable.proto`: [B, D) ends, and [A, C) and [C, E) are new.
#[test]
fn a_misaligned_close_waits_for_the_other_parts_of_each_new_range() {
    for first in ["[*, b)", "[d, *)"] {
        let mut bench = bench(limits(), &["[*, b)", "[b, d)", "[d, *)"]);
        let misaligned = [("[*, c)", "[b, c)", "bc"), ("[c, *)", "[c, d)", "cd")];
        bench.say("[b, d)", closed(&misaligned));
        assert_eq!(bench.opened("[*, c)"), None);
        assert_eq!(
            bench.view_of("[*, c)").unwrap().wait,
            Wait::Tokens(vec![range("[*, b)")])
        );
        let close = |bench: &mut Bench, of: &str| match of {
            "[*, b)" => bench.say(of, closed(&[("[*, c)", "[*, b)", "ab")])),
            _ => bench.say(of, closed(&[("[c, *)", "[d, *)", "de")])),
        };
        let second = if first == "[*, b)" {
            "[d, *)"
        } else {
            "[*, b)"
        };
        close(&mut bench, first);
        assert_eq!(bench.scheduler.stats().merges, 1);
        close(&mut bench, second);
        assert_eq!(bench.tokens_of("[*, c)"), ["[*, b) ab", "[b, c) bc"]);
        assert_eq!(bench.tokens_of("[c, *)"), ["[c, d) cd", "[d, *) de"]);
        assert_eq!(bench.scheduler.stats().merges, 2);
    }
}

/// The sink is slower than the service: a merge must not overtake what its parts delivered.
#[test]
fn a_merge_waits_until_all_that_its_parts_delivered_is_acknowledged() {
    for (first, second) in [("[*, m)", "[m, *)"), ("[m, *)", "[*, m)")] {
        let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
        let readers = [first, second].map(|of| bench.reader_of(of));
        for (of, token) in [(first, "first"), (second, "second")] {
            bench.say(of, change(3, "t"));
            bench.say(of, closed(&[("[*, *)", of, token)]));
            assert_eq!(bench.state_of(of), Some(PartitionState::Draining));
        }
        bench.durable(&readers[1], 0);
        assert_eq!(bench.opened("[*, *)"), None);
        assert_eq!(
            bench.view_of("[*, *)").unwrap().wait,
            Wait::Tokens(vec![range(first)])
        );
        bench.durable(&readers[0], 0);
        assert_eq!(bench.tokens_of("[*, *)").len(), 2);
    }
}

#[test]
fn a_child_waits_until_its_parent_is_acknowledged() {
    let mut bench = bench(limits(), &["[*, *)"]);
    let reader = bench.reader_of("[*, *)");
    bench.say("[*, *)", change(3, "t"));
    bench.say("[*, *)", closed(&[("[*, *)", "[*, *)", "again")]));
    assert_eq!(bench.openings_of("[*, *)"), 1);
    bench.durable(&reader, 0);
    assert_eq!(bench.openings_of("[*, *)"), 2);
    assert_ne!(bench.reader_of("[*, *)").partition, reader.partition);
}

/// A fault of the service that Beam's `ChangeStreamContinuationTokenHelper` works around.
#[test]
fn a_token_that_names_all_of_the_new_range_is_cut_to_its_own() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[("[*, *)", "[*, *)", "left")]));
    assert_eq!(bench.opened("[*, *)"), None);
    bench.say("[m, *)", closed(&[("[*, *)", "[*, *)", "right")]));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, m) left", "[m, *) right"]);
}

#[test]
fn a_token_for_keys_outside_of_the_closed_range_is_not_taken() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say(
        "[*, m)",
        closed(&[("[*, m)", "[*, m)", "own"), ("[m, *)", "[m, *)", "foreign")]),
    );
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) own"]);
    assert_eq!(bench.openings_of("[m, *)"), 1);
}

#[test]
fn what_several_tokens_name_goes_to_the_first() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say(
        "[*, *)",
        closed(&[("[*, m)", "[*, m)", "one"), ("[d, *)", "[d, *)", "two")]),
    );
    assert_eq!(bench.tokens_of("[*, m)"), ["[*, m) one"]);
    assert_eq!(
        bench.view_of("[d, *)").unwrap().wait,
        Wait::Tokens(vec![range("[d, m)")])
    );
}

#[test]
fn a_token_beyond_its_new_range_is_read_for_itself() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", closed(&[("[d, m)", "[*, *)", "t")]));
    assert_eq!(bench.tokens_of("[d, m)"), ["[d, m) t"]);
    assert_eq!(bench.tokens_of("[*, d)"), ["[*, d) t"]);
    assert_eq!(bench.tokens_of("[m, *)"), ["[m, *) t"]);
}

#[test]
fn a_range_inside_another_joins_it() {
    let mut bench = bench(limits(), &["[*, c)", "[c, d)", "[d, *)"]);
    bench.say("[c, d)", closed(&[("[*, *)", "[c, d)", "inner")]));
    bench.say("[*, c)", closed(&[("[*, *)", "[*, c)", "left")]));
    bench.say("[d, *)", closed(&[("[*, *)", "[d, *)", "right")]));
    assert_eq!(bench.tokens_of("[*, *)").len(), 3);
}

/// Keys that no token names are nobody's. Beam reads such keys again after 20 min.
#[test]
fn keys_that_a_close_leaves_to_nobody_rest_and_are_read_from_the_low_watermark() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", continuation(7, "t"));
    bench.say("[*, *)", closed(&[("[*, m)", "[*, m)", "left")]));
    assert!(bench.wanted(&Command::Reconciled {
        range: range("[m, *)"),
        from: Resume::fresh(at(7)),
        after: seconds(20 * 60),
    }));
    assert_eq!(bench.scheduler.stats().tokenless_restarts, 1);
    bench.wait(seconds(20 * 60 - 1));
    assert_eq!(bench.opened("[m, *)"), None);
    bench.wait(seconds(1));
    assert_eq!(bench.opened("[m, *)").unwrap().1, Resume::fresh(at(7)));
}

#[test]
fn holes_among_the_first_ranges_rest_and_what_two_of_them_have_is_read_once() {
    let bench = bench(limits(), &["[c, m)", "[c, m)", "[d, p)"]);
    assert_eq!(bench.openings_of("[c, m)"), 1);
    assert_eq!(bench.openings_of("[m, p)"), 1);
    for hole in ["[*, c)", "[p, *)"] {
        assert_eq!(bench.state_of(hole), Some(PartitionState::BackingOff));
    }
    assert_eq!(bench.scheduler.stats().tokenless_restarts, 2);
}

#[test]
fn a_close_without_tokens_and_without_a_bound_is_not_an_end() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", continuation(5, "t"));
    bench.say("[*, *)", closed(&[]));
    bench.wait(seconds(1));
    assert_eq!(bench.openings_of("[*, *)"), 2);
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, *) t"]);
}

#[test]
fn a_stream_that_ends_without_a_close_goes_on_from_its_last_token() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", continuation(5, "t"));
    let reader = bench.reader_of("[*, *)");
    bench.end(&reader);
    bench.wait(seconds(1));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, *) t"]);
    assert_eq!(bench.scheduler.stats().early_ends, 1);
}

#[test]
fn a_stream_that_breaks_goes_on_from_its_last_acknowledged_token() {
    let mut bench = bench(limits(), &["[*, *)"]);
    let reader = bench.reader_of("[*, *)");
    for (second, token) in [(1, "a"), (2, "b"), (3, "c")] {
        bench.say("[*, *)", change(second, token));
    }
    bench.durable(&reader, 0);
    bench.fail(&reader, unavailable());
    bench.wait(seconds(60));
    assert_eq!(bench.openings_of("[*, *)"), 1, "two are not durable");
    assert_eq!(
        bench.scheduler.checkpoint().partitions[&reader.partition]
            .position
            .tokens()[0]
            .token,
        "a".into()
    );
    bench.durable(&reader, 2);
    bench.wait(seconds(60));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, *) c"]);
}

#[test]
fn a_low_watermark_that_goes_back_takes_the_token_and_not_the_position() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", continuation(9, "t1"));
    bench.say("[*, *)", continuation(4, "t2"));
    let view = bench.view_of("[*, *)").unwrap();
    assert_eq!(view.position, at(9));
    let reader = bench.reader_of("[*, *)");
    bench.fail(&reader, unavailable());
    bench.wait(seconds(1));
    assert_eq!(bench.tokens_of("[*, *)"), ["[*, *) t2"]);
}

/// Order is per row: a commit behind another of another row is no fault.
#[test]
fn commit_timestamps_may_go_back() {
    let mut bench = bench(limits(), &["[*, *)"]);
    bench.say("[*, *)", change(9, "t1"));
    bench.say("[*, *)", change(4, "t2"));
    assert_eq!(bench.state_of("[*, *)"), Some(PartitionState::Open));
}

#[test]
fn the_watermark_waits_for_tokens_that_wait_and_for_keys_that_rest() {
    let tick = jiff::SignedDuration::from_nanos(1);
    let mut bench = bench(limits(), &["[*, c)", "[c, p)", "[p, *)"]);
    bench.say("[*, c)", continuation(3, "t"));
    bench.say("[*, c)", closed(&[("[*, p)", "[*, c)", "ac")]));
    bench.say("[c, p)", continuation(50, "t"));
    bench.say("[p, *)", continuation(50, "t"));
    assert_eq!(bench.scheduler.watermark(), at(3) - tick);
    bench.say("[c, p)", closed(&[("[*, p)", "[c, p)", "cp")]));
    assert_eq!(bench.opened("[*, p)").unwrap().1.at, at(3));
    bench.say("[*, p)", continuation(60, "t"));
    assert_eq!(bench.scheduler.watermark(), at(50) - tick);
    bench.say("[p, *)", closed(&[("[p, s)", "[p, s)", "ps")]));
    bench.say("[p, s)", continuation(60, "t"));
    assert_eq!(bench.scheduler.watermark(), at(50) - tick, "[s, *) rests");
}

#[test]
fn a_range_that_comes_again_has_another_name() {
    let mut bench = bench(limits(), &["[*, *)"]);
    let mut names = vec![bench.reader_of("[*, *)").partition];
    for _ in 0..3 {
        bench.say("[*, *)", closed(&[("[*, *)", "[*, *)", "t")]));
        let name = bench.reader_of("[*, *)").partition;
        assert!(!names.contains(&name));
        names.push(name);
    }
}

#[test]
fn more_ranges_than_places_take_turns_when_there_is_nothing_more_although_it_says_nothing_new() {
    let one = Limits {
        max_open: std::num::NonZeroUsize::MIN,
        ..limits()
    };
    let mut bench = bench(one, &["[*, m)", "[m, *)"]);
    for turn in 1..4 {
        assert_eq!(bench.openings_of("[*, m)"), turn);
        bench.say("[*, m)", continuation(1, "same"));
        assert_eq!(bench.openings_of("[m, *)"), turn);
        bench.say("[m, *)", continuation(1, "same, too"));
    }
}

#[test]
fn a_drain_closes_all_and_keeps_tokens_that_wait() {
    let mut bench = bench(limits(), &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", closed(&[("[*, *)", "[*, m)", "left")]));
    bench.handle(acequia_core::Event::Drain);
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: true }));
    let saved = bench.saved().partitions.values();
    let waiting = saved.filter(|saved| saved.range == Some(range("[*, *)")));
    assert_eq!(waiting.count(), 1);
}

#[test]
fn the_first_ranges_start_where_they_were_asked_for() {
    let mut bench = Bench::new(limits());
    bench.save();
    let root = bench.reader("");
    let ranges = vec![range("[*, *)")];
    let start = at(0) - jiff::SignedDuration::from_secs(1);
    bench.deliver(&root, vec![Item::Ranges { start, ranges }]);
    let aborted = |command: &Command| matches!(command, Command::Abort { .. });
    assert!(bench.commands.iter().any(aborted));
}
