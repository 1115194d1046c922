//! A whole history drawn from a seed.

use std::time::Duration;

use jiff::Timestamp;
use rand::{RngExt, seq::SliceRandom};

use super::{
    Recorded,
    builder::BuildError,
    change::ValueCapture,
    grower::{Bounds, Grower},
};
use crate::clock::after;

/// How large a random history is.
#[derive(Clone, Debug)]
pub struct Size {
    /// When the stream is created.
    pub start: Timestamp,
    /// The mean time from one step to the next; every step is a multiple of a microsecond.
    pub step: Duration,
    /// Transactions.
    pub commits: u32,
    /// The most rows that a transaction changes.
    pub rows_per_commit_max: usize,
    /// Different keys.
    pub keys: u64,
    /// Splits asked for; a step that cannot be is left out.
    pub splits: u32,
    /// Merges asked for.
    pub merges: u32,
    /// Moves asked for.
    pub moves: u32,
    /// Heartbeats among the records.
    pub heartbeats: u32,
    /// Partitions at the start.
    pub partitions_first: u32,
    /// Now and then an order holds a value of about this many bytes.
    pub large_row_bytes: Option<usize>,
    /// Which values are recorded.
    pub capture: ValueCapture,
    /// Whether key ranges move between partitions that live on.
    pub mutable: bool,
}

impl Size {
    /// A hundred transactions, and a few of everything else, from `start` on.
    #[must_use]
    pub fn small(start: Timestamp) -> Self {
        Self {
            start,
            step: Duration::from_millis(50),
            commits: 100,
            rows_per_commit_max: 4,
            keys: 60,
            splits: 6,
            merges: 5,
            moves: 3,
            heartbeats: 10,
            partitions_first: 2,
            large_row_bytes: None,
            capture: ValueCapture::default(),
            mutable: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Commit,
    Split,
    Merge,
    Move,
    Heartbeat,
}

pub(super) fn draw(seed: u64, size: &Size) -> Recorded {
    let mut recorded = Recorded::new(size.start, size.capture.clone());
    let drawn = fill(&mut recorded, seed, size);
    debug_assert_eq!(drawn, Ok(()), "the grower only takes steps that can be");
    recorded
}

fn fill(recorded: &mut Recorded, seed: u64, size: &Size) -> Result<(), BuildError> {
    let bounds = Bounds {
        keys: size.keys,
        rows_per_commit_max: size.rows_per_commit_max,
        large_row_bytes: size.large_row_bytes,
        mutable: size.mutable,
    };
    let mut grower = Grower::new(seed, &bounds);
    grower.begin(recorded, size.partitions_first)?;
    let mut at = size.start;
    let mut last = Step::Split;
    for step in steps(&mut grower, size) {
        // Transactions may share a commit timestamp; nothing else shares one here.
        let together = step == Step::Commit && last == Step::Commit;
        let shared = together && grower.rng().random_ratio(1, 8);
        if !shared {
            at = after(at, pause(&mut grower, size.step));
        }
        last = step;
        match step {
            Step::Commit => grower.commit(recorded, at).map(|_| true),
            Step::Split => grower.split(recorded, at),
            Step::Merge => grower.merge(recorded, at),
            Step::Move => grower.moves(recorded, at),
            Step::Heartbeat => grower.heartbeat(recorded, at),
        }?;
    }
    Ok(())
}

fn steps(grower: &mut Grower, size: &Size) -> Vec<Step> {
    let counts = [
        (Step::Commit, size.commits),
        (Step::Split, size.splits),
        (Step::Merge, size.merges),
        (Step::Move, size.moves),
        (Step::Heartbeat, size.heartbeats),
    ];
    let mut steps: Vec<Step> = counts
        .into_iter()
        .flat_map(|(step, count)| (0..count).map(move |_| step))
        .collect();
    steps.shuffle(grower.rng());
    steps
}

fn pause(grower: &mut Grower, mean: Duration) -> Duration {
    let twice_us = u64::try_from(mean.as_micros())
        .unwrap_or(u64::MAX)
        .saturating_mul(2);
    Duration::from_micros(grower.rng().random_range(1..=twice_us.max(1)))
}
