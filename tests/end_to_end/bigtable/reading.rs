//! Whole histories, drained.

use std::collections::BTreeSet;
use std::time::Duration;

use acequia_host::Outcome;
use acequia_sandbox::bigtable::history::{Mutation, Size};
use acequia_sandbox::bigtable::{Closes, History, Sandbox, Script, TokenRanges, Wire};
use jiff::Timestamp;
use serde_json::json;

use super::super::place::Place;
use super::super::process;
use super::super::shop::{after, an_hour_ago};
use super::rows::{behind, moving, now};
use super::truth;

const REPLICATION: Duration = Duration::from_millis(150);

/// Every way to lay out a mutation that readers must understand.
fn wires() -> [Wire; 4] {
    let chunked = Wire {
        chunk_bytes: Some(64),
        chunks_per_message: Some(3),
        ..Wire::default()
    };
    let apart = Wire {
        chunk_bytes: Some(1_000),
        end_apart: true,
        ..Wire::default()
    };
    let any = Wire {
        drawn_from: Some(7),
        ..Wire::default()
    };
    [Wire::default(), chunked, apart, any]
}

/// Mutations of several clusters, large values among them, and every kind of change of the partitions.
fn size(start: Timestamp) -> Size {
    Size {
        rows: 40,
        clusters: 3,
        replication_delay: REPLICATION,
        large_value_bytes: Some(5_000),
        ..Size::small(start)
    }
}

fn kinds(committed: &[Mutation]) -> BTreeSet<String> {
    let values = committed.iter().map(Mutation::to_json);
    let entries = values.flat_map(|value| {
        let of_type = value["mutation_type"].as_str().unwrap().to_owned();
        let entries = value["entries"].as_array().unwrap().clone();
        let kinds = entries
            .into_iter()
            .map(|entry| entry["kind"].as_str().unwrap().to_owned());
        kinds.chain([of_type]).collect::<Vec<_>>()
    });
    entries.collect()
}

async fn drain(script: Script, start: Timestamp, committed: &[Mutation]) -> Sandbox {
    let sandbox = Sandbox::start(Script {
        replication_delay: REPLICATION,
        ..script
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("max-concurrent-streams", json!(8));
    place.set("bounded-timestamp", json!(behind(committed).to_string()));
    let report = place.run().await.unwrap();
    assert_eq!(report.outcome, Outcome::Finished);
    truth::check(&place, committed);
    sandbox
}

#[tokio::test]
async fn a_history_of_every_kind_of_entry_comes_out_exactly_once_in_every_wire_layout() {
    let start = an_hour_ago();
    for (seed, wire) in (0..).zip(wires()) {
        let history = History::random(seed, &size(start));
        let committed = history.committed();
        let expected = "set_cell delete_cells delete_family add_to_cell merge_to_cell user \
                        garbage_collection";
        let expected: BTreeSet<_> = expected.split_whitespace().map(str::to_owned).collect();
        assert_eq!(kinds(&committed), expected);
        let script = Script {
            wire,
            ..Script::new(history)
        };
        drain(script, start, &committed).await;
    }
}

/// Reads a history while its partitions split, merge and move, up to a bound.
async fn drain_moving(seed: u64, closes: Closes) {
    let start = now();
    let (script, committed) = moving(seed, &size(start));
    let script = Script {
        closes,
        wire: Wire {
            drawn_from: Some(seed),
            ..Wire::default()
        },
        ..script
    };
    let sandbox = drain(script, start, &committed).await;
    // More ranges than were there at the beginning or in the end.
    let ranges = sandbox.stats().opened.len();
    assert!(ranges > 10, "the partitions did not move: {ranges}");
}

#[tokio::test]
async fn a_bounded_run_over_moving_partitions_ends_by_itself_with_everything_up_to_the_bound() {
    let plain = Closes::default();
    tokio::join!(
        drain_moving(11, plain),
        drain_moving(12, plain),
        drain_moving(13, plain)
    );
}

#[tokio::test]
async fn tokens_that_name_a_whole_new_partition_tell_of_their_own_keys_only() {
    let closes = |new_partitions| Closes {
        new_partitions,
        token_ranges: TokenRanges::NewPartition,
    };
    tokio::join!(
        drain_moving(21, closes(true)),
        drain_moving(22, closes(false))
    );
}

#[tokio::test]
async fn a_run_with_a_later_bound_goes_on_where_the_earlier_one_ended() {
    let start = now();
    let (script, committed) = moving(31, &size(start));
    let sandbox = Sandbox::start(Script {
        replication_delay: REPLICATION,
        ..script
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("max-concurrent-streams", json!(8));
    let middle = committed[committed.len() / 2].commit_timestamp;
    for bound in [middle, behind(&committed)] {
        place.set("bounded-timestamp", json!(bound.to_string()));
        let report = place.run().await.unwrap();
        assert_eq!(report.outcome, Outcome::Finished);
        let up_to = committed
            .iter()
            .filter(|mutation| mutation.commit_timestamp <= bound);
        let up_to: Vec<_> = up_to.cloned().collect();
        assert_eq!(place.lines().len(), up_to.len(), "up to {bound}");
    }
    let mut ids: Vec<_> = committed.iter().map(Mutation::id).collect();
    let values = place.values();
    let mut found: Vec<_> = values.iter().map(|value| value["id"].clone()).collect();
    ids.sort();
    found.sort_by_key(ToString::to_string);
    assert_eq!(json!(found), json!(ids));
}

#[tokio::test]
async fn the_command_drains_a_table_says_so_and_exits_with_0() {
    let start = an_hour_ago();
    let history = History::random(40, &Size::small(start));
    let committed = history.committed();
    let sandbox = Sandbox::start(Script::new(history)).unwrap();
    let mut place = Place::of_table(&sandbox, start);
    let bound = after(start, 1_800_000);
    place.set("bounded-timestamp", json!(bound.to_string()));
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    truth::check(&place, &committed);
    let records = committed.len();
    let counted = format!("{records} records read, {records} outputs");
    for said in ["finished", &counted] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}
