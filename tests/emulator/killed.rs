//! The connector is killed at random moments while a writer commits, and starts again: its file has
//! every committed row change exactly once, and the changes of each key in commit order.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tokio::time::timeout;

use super::admin;
use super::client::Session;
use super::connector::Place;
use super::reread::{Reread, reread};
use super::service::Emulator;
use super::shop::{self, Dialect, STREAM};
use super::verdict::{self, Inversion, change_of_line};
use super::writer::{Change, Log, Writer};
use crate::soak;

/// How long the connector may take to catch up once nobody kills it.
const CATCHES_UP_WITHIN: Duration = Duration::from_secs(120);

/// How long the writer may take, and the undisturbed reader.
const WRITES_WITHIN: Duration = Duration::from_secs(900);

/// How long a kill waits for output that is not saved.
const UNSAVED_WITHIN: Duration = Duration::from_secs(5);

/// Two busy emulators would leave each other no time to keep the pace.
static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// How much is written and killed.
struct Plan {
    transactions: u32,
    per_second: u32,
    kills: u32,
    /// The mean time between two kills.
    between: Duration,
}

impl Plan {
    /// A partition of the emulator lives four to six seconds, so twenty generations take about a
    /// hundred. Each query costs the emulator time for all that was ever committed: on two cores that
    /// others use too, 20,000 transactions take five minutes, and are left to the soak.
    fn of_environment() -> Self {
        let soak = soak::is_on();
        Self {
            transactions: if soak { 20_000 } else { 6000 },
            per_second: if soak { 130 } else { 50 },
            kills: 20,
            between: Duration::from_millis(if soak { 6500 } else { 4300 }),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn googlesql_killed_at_random_moments_delivers_every_change_once() {
    delivers_every_change_once(Dialect::GoogleSql).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_killed_at_random_moments_delivers_every_change_once() {
    delivers_every_change_once(Dialect::PostgreSql).await;
}

async fn delivers_every_change_once(dialect: Dialect) {
    let _turn = ONE_AT_A_TIME.lock().await;
    let Some(emulator) = Emulator::start("killed at random moments").await else {
        return;
    };
    let started = Instant::now();
    let plan = Plan::of_environment();
    let seed = seed();
    println!("{dialect:?}: seed {seed}");
    let channel = emulator.connect().await;
    let database =
        admin::create_database(&channel, "shop", dialect, shop::statements(dialect)).await;
    let created = Timestamp::now();
    let mut session = Session::open(channel, &database).await;
    let mut writer = Writer::new(session.clone(), dialect, seed);
    let log = writer.log();
    let (transactions, per_second) = (plan.transactions, plan.per_second);
    let writing = tokio::spawn(async move {
        let written = writer.write(transactions, per_second);
        timeout(WRITES_WITHIN, written)
            .await
            .expect("the emulator commits in time");
    });

    let place = Place::new(&emulator, &database, STREAM);
    let kills = kill_repeatedly(&place, &plan, seed, &log).await;
    finish(dialect, &place, writing, &log).await;

    let committed = log.changes();
    let last = log.last().expect("something was committed");
    let reading = reread(&mut session, dialect, created, last);
    let reread = timeout(WRITES_WITHIN, reading)
        .await
        .expect("the emulator reads in time");
    let generations = generations_seen(&place.opened(), &reread);
    println!(
        "{dialect:?}: {transactions} transactions, {} row changes, {} kills, {} with unsaved \
         output, {} with a tail to cut, {generations} generations, {} s",
        committed.len(),
        kills.all,
        kills.with_unsaved,
        kills.with_tail,
        started.elapsed().as_secs(),
    );
    judge(&committed, &place, &reread);
    assert!(kills.are_enough(), "{kills:?}");
    assert!(generations >= 20, "{generations} generations");
}

/// What the kills left for the next run.
#[derive(Debug, Default)]
struct Kills {
    all: u32,
    /// Bytes of output that no checkpoint stands for.
    with_unsaved: u32,
    /// Of these, whole lines, which the next run must cut off and write again.
    with_tail: u32,
}

impl Kills {
    /// Whether enough of them hit a moment that matters.
    fn are_enough(&self) -> bool {
        self.with_unsaved >= 10 && self.with_tail >= 5
    }
}

/// Kills as often as planned, and up to twice as often until enough kills hit a moment that matters:
/// how many do depends on the machine.
async fn kill_repeatedly(place: &Place, plan: &Plan, seed: u64, log: &Log) -> Kills {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut kills = Kills::default();
    let started = Instant::now();
    while kills.all < plan.kills || (!kills.are_enough() && kills.all < 2 * plan.kills) {
        let running = place.start("");
        let moment = random.random_range(0.2..1.8);
        tokio::time::sleep(plan.between.mul_f64(moment)).await;
        if random.random_range(0..6) > 0 {
            output_is_unsaved(place).await;
        }
        running.kill();
        let (output, saved) = (place.output(), place.saved_bytes());
        let tail = output
            .get(saved..)
            .expect("what a checkpoint stands for is in the file");
        kills.all += 1;
        kills.with_unsaved += u32::from(!tail.is_empty());
        kills.with_tail += u32::from(tail.contains('\n'));
        println!(
            "kill {} at {} s: {} changes committed, {} written, {} of them unsaved",
            kills.all,
            started.elapsed().as_secs(),
            log.changes().len(),
            output.lines().count(),
            tail.lines().count(),
        );
    }
    kills
}

/// Waits a while for a moment at which output is written and not saved: where the emulator delivers
/// in bursts, few moments are.
async fn output_is_unsaved(place: &Place) {
    let started = Instant::now();
    while place.output_bytes() <= place.saved_bytes() && started.elapsed() < UNSAVED_WITHIN {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// The last run, which nobody kills: in GoogleSQL up to an end position, in PostgreSQL until it is
/// told to stop.
async fn finish(dialect: Dialect, place: &Place, writing: tokio::task::JoinHandle<()>, log: &Log) {
    let status = match dialect {
        Dialect::GoogleSql => {
            writing.await.expect("the writer ends well");
            // The emulator's commit timestamps run ahead of this clock by milliseconds.
            let last = log.last().expect("something was committed");
            let end = last.max(Timestamp::now());
            let running = place.start(&format!("  end-position: {end}"));
            running.ended(CATCHES_UP_WITHIN).await
        }
        Dialect::PostgreSql => {
            let runs = place.runs();
            let running = place.start("");
            writing.await.expect("the writer ends well");
            let changes = log.changes().len();
            let started = Instant::now();
            let is_done = || place.runs() > runs && place.output().lines().count() >= changes;
            while !is_done() && started.elapsed() < CATCHES_UP_WITHIN {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            running.stop(CATCHES_UP_WITHIN).await
        }
    };
    assert_eq!(status.code(), Some(0), "{}", ending(&place.log()));
}

/// How many different distances from the root query the opened partitions have.
fn generations_seen(opened: &BTreeSet<String>, reread: &Reread) -> usize {
    let generations = reread.generations();
    let seen = opened
        .iter()
        .filter_map(|token| generations.get(token.as_str()));
    seen.collect::<BTreeSet<_>>().len()
}

/// What the undisturbed reader finds wrong too is the emulator's fault: a change that it does not
/// deliver, and a row whose changes it puts into partitions that do not follow each other.
fn judge(committed: &[Change], place: &Place, reread: &Reread) {
    let delivered: Vec<Change> = place.output().lines().map(change_of_line).collect();
    let verdict = verdict::judge(committed, &delivered);
    let surplus = &verdict.surplus;
    assert!(surplus.is_empty(), "not committed, or twice: {surplus:?}");

    let (withheld, lost): (Vec<&Change>, Vec<&Change>) = verdict
        .missing
        .iter()
        .partition(|change| reread.partition(change).is_none());
    for change in withheld {
        println!("the emulator's fault: it does not deliver {change:?}");
    }
    assert!(lost.is_empty(), "lost: {lost:?}");

    let (chained, unchained): (Vec<&Inversion>, Vec<&Inversion>) = verdict
        .inverted
        .iter()
        .partition(|inversion| is_chained(inversion, reread));
    if !unchained.is_empty() {
        println!(
            "the emulator's fault: {} pairs of changes of one row lie in partitions that do not \
             follow each other, and came in another order",
            unchained.len()
        );
    }
    assert!(chained.is_empty(), "out of order: {chained:?}");
}

/// Whether the order of two changes of a row can be known. On the service it always can: all changes
/// of a row lie in partitions that follow each other. The emulator writes all rows to the partition
/// with the smallest token, whichever it comes out of.
///
/// Source: https://cloud.google.com/spanner/docs/change-streams/details#data-records-order
fn is_chained(inversion: &Inversion, reread: &Reread) -> bool {
    let (earlier, later) = (
        reread.partition(&inversion.earlier),
        reread.partition(&inversion.later),
    );
    match (earlier, later) {
        (Some(earlier), Some(later)) => reread.follows(later, earlier),
        // Of a change that is not found again nothing is known.
        (None, _) | (_, None) => true,
    }
}

/// A seed from the clock, or the one that `ACEQUIA_SEED` repeats.
fn seed() -> u64 {
    let given = std::env::var("ACEQUIA_SEED").ok();
    given.map_or_else(
        || Timestamp::now().as_millisecond().unsigned_abs(),
        |text| text.parse().expect("ACEQUIA_SEED is a number"),
    )
}

fn ending(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines
        .get(lines.len().saturating_sub(20)..)
        .unwrap_or_default()
        .join("\n")
}
