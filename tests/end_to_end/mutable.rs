//! Streams of moving key ranges whose reading has no end: they are read in windows.

use acequia_host::Outcome;
use acequia_sandbox::spanner::history::Size;
use acequia_sandbox::{
    Clock, ManualClock,
    spanner::{History, Mode, Script},
};
use jiff::Timestamp;

use super::place::{Place, drain_after};
use super::shop::{after, an_hour_ago, serve_script};
use super::truth;

/// The service's clock is an hour ahead of ours, so that every window is over when it is asked for.
#[tokio::test]
async fn without_an_end_the_first_partitions_are_asked_for_once() {
    let start = an_hour_ago();
    let size = Size {
        mutable: true,
        ..Size::small(start)
    };
    let history = History::random(60, &size);
    let committed = history.committed();
    let sandbox = serve_script(Script {
        mode: Mode::Mutable,
        clock: Clock::Manual(ManualClock::at(after(Timestamp::now(), 3_600_000))),
        ..Script::new(history)
    });
    let place = Place::endless(&sandbox, start);
    let report = drain_after(&place, committed.len()).await.unwrap();
    assert_eq!(report.outcome, Outcome::Drained);
    truth::check(&place, &committed);
    // Asked for when the run began, to see that the start can be read, and then to read it.
    assert_eq!(sandbox.stats().opened[acequia_sandbox::spanner::ROOT], 2);
}
