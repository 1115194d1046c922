//! A process that is killed while the partitions move.

use std::time::Duration;

use acequia_sandbox::bigtable::Sandbox;
use acequia_sandbox::bigtable::history::{Mutation, Size};
use jiff::Timestamp;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use rustix::process::Signal;
use serde_json::json;

use super::super::place::Place;
use super::super::process;
use super::super::shop::after;
use super::rows::{behind, moving, now};
use super::truth;
use crate::soak;

/// A mutation every so often.
const STEP: Duration = Duration::from_micros(200);

/// The tokens of a merge that was undone while the process was dead rest for two minutes.
const PATIENCE: Duration = Duration::from_secs(300);

struct Long {
    mutations: u32,
    splits_and_merges: u32,
    kills: u32,
}

/// In the long twin: a million mutations, 200 splits and merges, 20 kills.
fn long() -> Long {
    let longer = soak::times(1, 10);
    Long {
        mutations: 100_000 * longer,
        splits_and_merges: 20 * longer,
        kills: 2 * longer,
    }
}

fn size(start: Timestamp, long: &Long) -> Size {
    Size {
        step: STEP,
        mutations: long.mutations,
        rows: 20_000,
        entries_max: 2,
        splits: long.splits_and_merges / 2,
        merges: long.splits_and_merges / 2,
        moves: 0,
        partitions_first: 4,
        ..Size::small(start)
    }
}

/// A random instant of each of so many equal parts of the history, with the last part left out.
fn kills(start: Timestamp, committed: &[Mutation], kills: u32) -> Vec<Timestamp> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let span = behind(committed).duration_since(start);
    let part_ms = i64::try_from(span.as_millis()).unwrap() / i64::from(kills + 1);
    let instants = (0..i64::from(kills)).map(|part| {
        let within_ms = rng.random_range(0..part_ms);
        after(start, part * part_ms + within_ms)
    });
    instants.collect()
}

fn bytes(place: &Place) -> u64 {
    let file = std::fs::metadata(place.path("out.ndjson"));
    file.map_or(0, |file| file.len())
}

/// Runs the connector until an instant, at least until the file holds more than `before`, and kills it.
/// Gives the size of the file at that moment.
async fn killed_at(place: &Place, instant: Timestamp, before: u64) -> u64 {
    let running = process::start(&place.config());
    let grown = async {
        while bytes(place) <= before {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let grown = tokio::time::timeout(PATIENCE, grown).await;
    assert!(grown.is_ok(), "nothing is written after {before} bytes");
    let left = Duration::try_from(instant.duration_since(Timestamp::now()));
    tokio::time::sleep(left.unwrap_or_default()).await;
    running.signal(Signal::KILL);
    let ended = running.ended().await;
    assert_eq!(ended.code, None, "{}", ended.stderr);
    bytes(place)
}

/// The sandbox's clock is the machine's, so what is to be read comes while the process lives, and the
/// ranges change under it.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_while_partitions_move_writes_every_mutation_exactly_once() {
    let long = long();
    // Drawing the history takes its time, too.
    let start = after(now(), i64::from(long.mutations) / 50);
    let (script, committed) = moving(70, &size(start, &long));
    let ahead = Duration::try_from(start.duration_since(Timestamp::now()));
    tokio::time::sleep(ahead.unwrap_or_default()).await;
    let sandbox = Sandbox::start(script).unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("max-concurrent-streams", json!(8));
    place.set("bounded-timestamp", json!(behind(&committed).to_string()));
    // Long enough that a kill leaves a tail to be cut off.
    place.set(
        "checkpoint",
        json!({ "directory": "state", "interval": "300ms" }),
    );
    let mut before = 0;
    for instant in kills(start, &committed, long.kills) {
        before = killed_at(&place, instant, before).await;
    }
    let ended = process::start(&place.config()).ended_within(PATIENCE).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let said = "resuming from the saved checkpoint";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    truth::check(&place, &committed);
    let ranges = sandbox.stats().opened.len();
    // A change that is undone while the process is dead, or while its tokens rest, is never read.
    assert!(ranges > 20, "{ranges} ranges");
    let Long {
        mutations, kills, ..
    } = long;
    eprintln!("{mutations} mutations of {ranges} ranges, each once, after {kills} kills");
}
