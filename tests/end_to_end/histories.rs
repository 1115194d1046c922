//! Whole histories, drained.

use acequia_host::Outcome;
use acequia_sandbox::spanner::history::{Size, ValueCapture};
use acequia_sandbox::spanner::{Dialect, FinalHeartbeat, History, Mode, Script, Wire};

use super::place::Place;
use super::shop::{after, an_hour_ago, serve_script};
use super::{process, truth};
use crate::soak;

/// Every way to lay out a stream that readers must understand.
fn wires() -> [Wire; 4] {
    let plain = Wire::default();
    let chunked = Wire {
        chunk_bytes: Some(40),
        resume_tokens: true,
        metadata_every: Some(3),
        ..Wire::default()
    };
    let packed = Wire {
        rows_per_frame: 7,
        empty_frame_every: Some(2),
        null_for_empty: true,
        ..Wire::default()
    };
    let all = Wire {
        rows_per_frame: 3,
        chunk_bytes: Some(400),
        empty_frame_every: Some(4),
        metadata_every: Some(2),
        resume_tokens: true,
        null_for_empty: true,
        null_root_parents: true,
        unfamiliar_fields: true,
    };
    [plain, chunked, packed, all]
}

/// Drains histories in every layout, from this seed on.
async fn drain_in_every_layout(first: u64, dialect: Dialect, mode: Mode) {
    let rounds = soak::times(1, 25);
    for round in 0..rounds {
        for (seed, wire) in (first + 100 * round..).zip(wires()) {
            drain(seed, dialect, mode, wire).await;
        }
    }
    let histories = rounds * wires().len() as u64;
    eprintln!("{dialect:?}, {mode:?}: {histories} histories drained");
}

/// Drains a random history and compares what came out with what was committed.
async fn drain(seed: u64, dialect: Dialect, mode: Mode, wire: Wire) {
    let start = an_hour_ago();
    let size = Size {
        mutable: mode == Mode::Mutable,
        capture: capture(seed),
        ..Size::small(start)
    };
    let history = History::random(seed, &size);
    let committed = history.committed();
    let sandbox = serve_script(Script {
        dialect,
        mode,
        wire,
        final_heartbeat: match seed % 3 {
            0 => FinalHeartbeat::WhenSilent,
            1 => FinalHeartbeat::Always,
            _ => FinalHeartbeat::Never,
        },
        ..Script::new(history)
    });
    let place = Place::new(&sandbox, start, after(start, 1_800_000));
    let report = place
        .run()
        .await
        .unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
    assert_eq!(report.outcome, Outcome::Finished);
    truth::check(&place, &committed);
}

fn capture(seed: u64) -> ValueCapture {
    match seed % 4 {
        0 => ValueCapture::OldAndNewValues,
        1 => ValueCapture::NewValues,
        2 => ValueCapture::NewRow,
        _ => ValueCapture::NewRowAndOldValues,
    }
}

#[tokio::test]
async fn a_googlesql_history_comes_out_exactly_once_in_every_wire_layout() {
    drain_in_every_layout(0, Dialect::GoogleSql, Mode::Immutable).await;
}

#[tokio::test]
async fn a_postgresql_history_comes_out_exactly_once_in_every_wire_layout() {
    drain_in_every_layout(10, Dialect::Postgres, Mode::Immutable).await;
}

#[tokio::test]
async fn a_googlesql_history_of_moving_key_ranges_comes_out_exactly_once_in_every_wire_layout() {
    drain_in_every_layout(20, Dialect::GoogleSql, Mode::Mutable).await;
}

#[tokio::test]
async fn a_postgresql_history_of_moving_key_ranges_comes_out_exactly_once_in_every_wire_layout() {
    drain_in_every_layout(30, Dialect::Postgres, Mode::Mutable).await;
}

#[tokio::test]
async fn the_command_drains_a_history_says_so_and_exits_with_0() {
    let start = an_hour_ago();
    let history = History::random(40, &Size::small(start));
    let committed = history.committed();
    let sandbox = serve_script(Script::new(history));
    let place = Place::new(&sandbox, start, after(start, 1_800_000));
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    truth::check(&place, &committed);
    let records = records(&committed);
    let counted = format!("{records} records read, {} outputs", committed.len());
    for said in ["finished", &counted] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    assert!(ended.stderr.contains("starting afresh"), "{}", ended.stderr);
}

/// Records hold one or more row changes; the first of each has index 0.
fn records(committed: &[acequia_sandbox::spanner::history::Committed]) -> usize {
    committed.iter().filter(|row| row.mod_index == 0).count()
}
