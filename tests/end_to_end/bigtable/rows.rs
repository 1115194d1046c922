//! Histories of the table that the tests share, and a sandbox that serves them.

use acequia_sandbox::Clock;
use acequia_sandbox::bigtable::history::{Builder, Entry, Mutation, Size};
use acequia_sandbox::bigtable::{History, Sandbox, Script};
use jiff::Timestamp;

use super::super::shop::after;

/// One cell of a row.
pub(super) fn paid() -> Entry {
    Entry::set("state", "paid", 1_000, "yes")
}

/// A sandbox that serves a history and has no faults.
pub(super) fn serve(history: History) -> Sandbox {
    Sandbox::start(Script::new(history)).unwrap()
}

/// Writes so many mutations, one a millisecond, to the rows `a0`, `b0`, … of these partitions in turn.
pub(super) fn write_in_turn(
    mut history: Builder,
    start: Timestamp,
    mutations: i64,
    rows: &[&str],
) -> Builder {
    for (millis, row) in (1..=mutations).zip(rows.iter().cycle()) {
        history = history.write(after(start, millis), (*row).to_owned(), [paid()]);
    }
    history
}

/// This moment, as a commit timestamp may be.
pub(super) fn now() -> Timestamp {
    Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap()
}

/// A random history that happens while it is read, in some seconds from now on.
pub(super) fn moving(seed: u64, size: &Size) -> (Script, Vec<Mutation>) {
    let history = History::random(seed, size);
    let committed = history.committed();
    let script = Script {
        clock: Clock::StartingAt(size.start),
        ..Script::new(history)
    };
    (script, committed)
}

/// An instant after everything that was committed, and after its replication.
pub(super) fn behind(committed: &[Mutation]) -> Timestamp {
    let commits = committed.iter().map(|mutation| mutation.commit_timestamp);
    after(commits.max().unwrap(), 500)
}
