//! A saved checkpoint that goes back, and the run that follows.

use acequia_core::{Checkpoint, Limits, Resume, RewindError, Start};
use jiff::SignedDuration;

use super::bench::{Bench, at, child, children, heartbeat, id, record};

/// `a` is read up to 20 and `b`, which waits for nobody, up to 30.
fn two_partitions() -> Checkpoint {
    let mut bench = Bench::with(Limits::default(), &["a", "b"]);
    let (a, b) = (bench.reader("a"), bench.reader("b"));
    bench.deliver(&a, vec![record(10, "t", 0), heartbeat(20)]);
    bench.durable(&a, 0);
    bench.deliver(&b, vec![heartbeat(30)]);
    bench.scheduler.checkpoint()
}

#[test]
fn what_follows_is_one_root_query_at_the_instant() {
    let saved = two_partitions();
    let rewound = saved.rewound(at(5)).unwrap();
    assert!(rewound.partitions.keys().eq([&id("")]));
    assert_eq!(rewound.tombstones.len(), 0);
    let bench = Bench::start(Limits::default(), Start::Checkpoint(rewound));
    assert_eq!(bench.opening("").1, Resume::fresh(at(5)));
    assert_eq!((bench.openings("a"), bench.openings("b")), (0, 0));
}

#[test]
fn identity_and_sink_state_stay_and_the_generation_grows() {
    let saved = two_partitions();
    let rewound = saved.rewound(at(5)).unwrap();
    assert_eq!(rewound.identity, saved.identity);
    assert_eq!(rewound.sink_state, saved.sink_state);
    assert_eq!(rewound.generation.get(), saved.generation.get() + 1);
    assert_eq!(rewound.watermark, at(5) - SignedDuration::from_nanos(1));
}

#[test]
fn a_partition_is_found_again_and_read_from_the_instant_on() {
    let rewound = two_partitions().rewound(at(5)).unwrap();
    let mut bench = Bench::start(Limits::default(), Start::Checkpoint(rewound));
    let root = bench.reader("");
    bench.deliver(&root, vec![children(5, vec![child("a", &[])])]);
    bench.end(&root);
    assert_eq!(bench.opening("a").1, Resume::fresh(at(5)));
}

#[test]
fn the_watermark_is_the_last_instant_that_skips_nothing() {
    let saved = two_partitions();
    assert_eq!(saved.watermark, at(20));
    assert!(saved.rewound(at(20)).is_ok());
    let after = at(20) + SignedDuration::from_nanos(1);
    let error = saved.rewound(after).unwrap_err();
    let skips = RewindError::Skips {
        at: after,
        watermark: at(20),
    };
    assert_eq!(error, skips);
}

#[test]
fn a_finished_stream_is_read_again_to_its_end() {
    let limits = Limits {
        bound: Some(at(40)),
        ..Limits::default()
    };
    let mut bench = Bench::with(limits.clone(), &["a"]);
    let a = bench.reader("a");
    bench.deliver(&a, vec![heartbeat(40)]);
    bench.end(&a);
    bench.save();
    assert!(bench.scheduler.is_complete());
    let saved = bench.saved().clone();
    assert_eq!((saved.partitions.len(), saved.watermark), (0, at(40)));

    let rewound = saved.rewound(at(40)).unwrap();
    let mut bench = Bench::start(limits, Start::Checkpoint(rewound));
    let root = bench.reader("");
    bench.deliver(&root, vec![children(40, vec![child("a", &[])])]);
    bench.end(&root);
    let a = bench.reader("a");
    bench.deliver(&a, vec![heartbeat(40)]);
    bench.end(&a);
    bench.save();
    assert!(bench.scheduler.is_complete());
    assert_eq!(bench.saved().watermark, at(40));
}
