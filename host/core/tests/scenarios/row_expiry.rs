//! Row ranges whose position the service has dropped.

use acequia_core::{Command, Event, Limits, Resume, SinkState};

use super::bench::{Bench, at, out_of_range, seconds};
use super::rows::{bench, closed, continuation, limits, range};

fn short() -> Limits {
    Limits {
        retention: seconds(60),
        max_open: std::num::NonZeroUsize::new(1).unwrap(),
        ..limits()
    }
}

fn restart(bench: &mut Bench, second: i64) {
    bench.handle(Event::Restarted {
        at: at(second),
        sink_state: SinkState::new("with the gap"),
    });
}

fn has_asked(bench: &Bench) -> bool {
    let is_question = |command: &Command| matches!(command, Command::Expired { .. });
    bench.commands.iter().any(is_question)
}

/// [*, c) has expired, [c, m) is up to date, and a token of [m, p) has waited since 3.
fn expired() -> Bench {
    let mut bench = bench(short(), &["[*, c)", "[c, m)", "[m, p)", "[p, *)"]);
    bench.say("[*, c)", continuation(2, "old"));
    bench.say("[c, m)", continuation(90, "new"));
    bench.say("[m, p)", continuation(3, "old, too"));
    bench.say("[p, *)", continuation(90, "new, too"));
    bench.say("[*, c)", continuation(2, "old"));
    bench.say("[c, m)", continuation(90, "new"));
    bench.say("[m, p)", closed(&[("[m, *)", "[m, p)", "waits")]));
    bench.say("[p, *)", continuation(90, "new, too"));
    bench.wait(seconds(100));
    let reader = bench.reader_of("[*, c)");
    bench.fail(&reader, out_of_range());
    assert!(has_asked(&bench));
    bench
}

#[test]
fn only_the_ranges_that_have_expired_begin_again_those_that_collect_too() {
    let mut bench = expired();
    restart(&mut bench, 50);
    let saved = bench.scheduler.checkpoint().partitions;
    let position = |text: &str| {
        let of = range(text);
        let found = saved
            .values()
            .find(|saved| saved.range.as_ref() == Some(&of));
        found.map(|saved| saved.position.clone())
    };
    assert_eq!(position("[*, c)"), Some(Resume::fresh(at(50))));
    assert_eq!(position("[m, p)"), Some(Resume::fresh(at(50))));
    assert_eq!(position("[m, *)"), None);
    assert_eq!(position("[c, m)").unwrap().tokens()[0].token, "new".into());
    assert_eq!(
        position("[p, *)").unwrap().tokens()[0].token,
        "new, too".into()
    );
    assert_eq!(bench.scheduler.stats().restarts, 1);
    bench.save();
    assert_eq!(bench.saved().sink_state, SinkState::new("with the gap"));
}

#[test]
fn a_range_that_begins_again_behind_the_bound_is_done() {
    let limits = Limits {
        bound: Some(at(10)),
        ..short()
    };
    let mut bench = bench(limits, &["[*, *)"]);
    bench.wait(seconds(100));
    let reader = bench.reader_of("[*, *)");
    bench.fail(&reader, out_of_range());
    restart(&mut bench, 50);
    bench.save();
    assert!(bench.wanted(&Command::Complete { drained: false }));
    assert_eq!(bench.openings_of("[*, *)"), 1);
}

#[test]
fn a_range_at_the_bound_does_not_expire() {
    let limits = Limits {
        bound: Some(at(10)),
        ..short()
    };
    let mut bench = bench(limits, &["[*, m)", "[m, *)"]);
    bench.say("[*, m)", continuation(9, "done"));
    bench.say("[m, *)", continuation(9, "t"));
    bench.say("[*, m)", closed(&[]));
    bench.wait(seconds(100));
    let reader = bench.reader_of("[m, *)");
    bench.fail(&reader, out_of_range());
    restart(&mut bench, 50);
    let saved = bench.scheduler.checkpoint().partitions;
    let done = saved.values().find(|it| it.range == Some(range("[*, m)")));
    assert_eq!(done.unwrap().position.tokens()[0].token, "done".into());
}

#[test]
fn the_retention_is_what_the_source_said_last() {
    let mut bench = bench(short(), &["[*, *)"]);
    bench.wait(seconds(100));
    bench.handle(Event::Retention {
        retention: seconds(1000),
    });
    let reader = bench.reader_of("[*, *)");
    bench.fail(&reader, out_of_range());
    assert!(!has_asked(&bench), "it is inside of the retention");
    let is_abort = |command: &Command| matches!(command, Command::Abort { .. });
    assert!(bench.commands.iter().any(is_abort));
}
