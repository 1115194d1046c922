//! The bytes of a checkpoint with row ranges.

use acequia_core::{Checkpoint, Limits, Start, Wait};

use super::bench::{Bench, at, seconds};
use super::rows::{bench, closed, continuation, limits, range};

const V2: &[u8] = include_bytes!("../fixtures/checkpoint-v2.txt");

/// [*, m) is read, of [m, z) one half waits, and [z, *) is at the bound.
fn waiting() -> Bench {
    let limits = Limits {
        bound: Some(at(60)),
        ..limits()
    };
    let mut bench = bench(limits, &["[*, m)", "[m, p)", "[p, z)", "[z, *)"]);
    bench.say("[*, m)", continuation(5, "am-5"));
    bench.say("[m, p)", continuation(3, "mp-3"));
    bench.say("[m, p)", closed(&[("[m, z)", "[m, p)", "mp-end")]));
    bench.say("[z, *)", continuation(7, "z-7"));
    bench.say("[z, *)", closed(&[]));
    bench.save();
    bench
}

#[test]
fn version_2_is_read_and_written() {
    let checkpoint = Checkpoint::decode(V2).unwrap();
    assert_eq!(checkpoint.encode().unwrap(), V2);
    assert_eq!(checkpoint.named, 5);
    let of = |text: &str| {
        let of = range(text);
        let mut saved = checkpoint.partitions.values();
        saved
            .find(|saved| saved.range.as_ref() == Some(&of))
            .unwrap()
    };
    assert_eq!(of("[*, m)").position.tokens()[0].token, "am-5".into());
    assert_eq!(of("[m, z)").position.tokens()[0].range, range("[m, p)"));
    assert_eq!(of("[p, z)").position.tokens(), []);
    assert_eq!(of("[z, *)").read_to, Some(at(60)));
}

#[test]
fn a_ledger_has_version_2_with_row_ranges_and_version_1_without() {
    let version = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        text.split(' ').nth(1).map(str::to_owned)
    };
    let with = waiting().scheduler.checkpoint().encode().unwrap();
    assert_eq!(version(with).as_deref(), Some("2"));
    let without = Bench::with(Limits::default(), &["a"]);
    let without = without.scheduler.checkpoint().encode().unwrap();
    assert_eq!(version(without).as_deref(), Some("1"));
}

#[test]
fn a_range_that_waits_for_tokens_waits_on_after_a_restart() {
    let bench = waiting();
    let checkpoint = bench.scheduler.checkpoint();
    let decoded = Checkpoint::decode(&checkpoint.encode().unwrap()).unwrap();
    assert_eq!(decoded, checkpoint);
    let limits = bench.scheduler.limits().clone();
    let mut again = Bench::start(limits, Start::Checkpoint(decoded));
    assert_eq!(again.scheduler.checkpoint(), checkpoint);
    assert_eq!(
        again.view_of("[m, z)").unwrap().wait,
        Wait::Tokens(vec![range("[p, z)")])
    );
    assert_eq!(again.tokens_of("[*, m)"), ["[*, m) am-5"]);
    assert_eq!((again.openings_of("[z, *)"), again.openings("")), (0, 0));
    // [p, z) is opened in this process, so it is read as it is: the tokens have two minutes.
    again.wait(seconds(119));
    assert_eq!(again.scheduler.stats().reconciled, 0);
    again.wait(seconds(1));
    assert_eq!(again.tokens_of("[m, p)"), ["[m, p) mp-end"]);
}

#[test]
fn a_close_after_the_restart_completes_the_merge_and_names_go_on() {
    let bench = waiting();
    let checkpoint = bench.scheduler.checkpoint();
    let limits = bench.scheduler.limits().clone();
    let known: Vec<_> = checkpoint.partitions.keys().cloned().collect();
    let mut again = Bench::start(limits, Start::Checkpoint(checkpoint));
    again.say("[p, z)", closed(&[("[m, z)", "[p, z)", "pz-end")]));
    assert_eq!(
        again.tokens_of("[m, z)"),
        ["[m, p) mp-end", "[p, z) pz-end"]
    );
    again.say("[m, z)", closed(&[("[m, z)", "[m, z)", "mz-end")]));
    assert!(!known.contains(&again.reader_of("[m, z)").partition));
}
