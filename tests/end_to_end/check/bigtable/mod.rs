//! `acequia check` of a Bigtable change stream.

mod components;
mod source;
mod state;
mod works;

use acequia_sandbox::bigtable::history::Entry;
use acequia_sandbox::bigtable::{History, Sandbox, Script};
use jiff::Timestamp;

use super::super::place::Place;
use super::super::shop::{after, an_hour_ago};
use super::{Told, check_with, command};

/// Two mutations an hour ago in one of two partitions, and a place to read them into.
fn two_mutations(adjust: impl FnOnce(&mut Script)) -> (Sandbox, Place) {
    let start = an_hour_ago();
    let mut script = Script::new(history(start));
    adjust(&mut script);
    let sandbox = Sandbox::start(script).unwrap();
    let place = Place::of_table(&sandbox, start);
    (sandbox, place)
}

fn history(start: Timestamp) -> History {
    let paid = |at| Entry::set("state", "paid", at, "yes");
    History::starting_at(start)
        .partitions(&["m"])
        .write(after(start, 1), "order#1", [paid(1)])
        .write(after(start, 2), "order#2", [paid(2)])
        .build()
        .unwrap()
}

/// Checks a place whose service is `sandbox`. Nothing there is changed, and nothing is read.
async fn check(place: &Place, sandbox: &Sandbox) -> Told {
    let reads = || {
        let calls = sandbox.stats().calls.into_iter();
        calls
            .filter(|call| call.method == "ReadChangeStream")
            .count()
    };
    let before = reads();
    let told = check_with(place, command(&place.config())).await;
    assert_eq!(reads(), before, "{}", told.report);
    told
}
