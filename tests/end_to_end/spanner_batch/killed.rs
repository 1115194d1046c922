//! A process that is killed while it reads.

use acequia_sandbox::spanner::batch::{ResumeTokens, RowWire};
use rustix::process::Signal;
use serde_json::json;

use super::{expected, place, serve_customers, sorted};
use crate::end_to_end::place::PATIENCE;
use crate::end_to_end::process;
use crate::soak;

/// Each process goes on behind what the last one saved, and the file is cut back to that.
#[tokio::test]
async fn a_process_that_is_killed_five_times_writes_each_row_once() {
    let wire = RowWire {
        rows_per_frame: 7,
        cells_per_frame: Some(10),
        resume_tokens: ResumeTokens::Every(3),
        ..RowWire::default()
    };
    let rows = soak::times(20_000, 10);
    let sandbox = serve_customers(rows, wire);
    let mut place = place(&sandbox);
    place.set("max-concurrent-partitions", json!(2));
    for kill in 1..=5 {
        let running = process::start(&place.config());
        let written = tokio::time::timeout(PATIENCE, place.written(kill * rows / 8));
        assert!(written.await.is_ok(), "{} lines", place.lines().len());
        running.signal(Signal::KILL);
        assert_eq!(running.ended().await.code, None);
    }
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(rows));
}
