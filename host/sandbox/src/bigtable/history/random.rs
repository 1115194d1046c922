//! A whole history drawn from a seed.

use std::time::Duration;

use jiff::Timestamp;
use rand::{RngExt, seq::SliceRandom};

use super::{
    Recorded,
    builder::BuildError,
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
    /// Mutations in time.
    pub mutations: u32,
    /// Mutations that arrive below the low watermark.
    pub mutations_below: u32,
    /// Different rows.
    pub rows: u64,
    /// The most entries of a mutation.
    pub entries_max: usize,
    /// Splits asked for; a step that cannot be is left out.
    pub splits: u32,
    /// Merges asked for.
    pub merges: u32,
    /// Moves of boundaries asked for.
    pub moves: u32,
    /// Partitions at the start.
    pub partitions_first: u32,
    /// Clusters at which users write.
    pub clusters: u32,
    /// How long a mutation may be under way from another cluster than the first.
    pub replication_delay: Duration,
    /// Now and then a value has about this many bytes.
    pub large_value_bytes: Option<usize>,
}

impl Size {
    /// Two hundred mutations, and a few of everything else, from `start` on.
    #[must_use]
    pub fn small(start: Timestamp) -> Self {
        Self {
            start,
            step: Duration::from_millis(20),
            mutations: 200,
            mutations_below: 0,
            rows: 60,
            entries_max: 4,
            splits: 6,
            merges: 5,
            moves: 3,
            partitions_first: 2,
            clusters: 1,
            replication_delay: Duration::ZERO,
            large_value_bytes: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Write,
    WriteBelow,
    Split,
    Merge,
    Move,
}

pub(super) fn draw(seed: u64, size: &Size) -> Recorded {
    let mut recorded = Recorded::new(size.start);
    let drawn = fill(&mut recorded, seed, size);
    debug_assert_eq!(drawn, Ok(()), "the grower only takes steps that can be");
    recorded
}

fn fill(recorded: &mut Recorded, seed: u64, size: &Size) -> Result<(), BuildError> {
    let bounds = Bounds {
        rows: size.rows,
        entries_max: size.entries_max,
        clusters: size.clusters,
        replication_delay: size.replication_delay,
        large_value_bytes: size.large_value_bytes,
    };
    let mut grower = Grower::new(seed, &bounds);
    grower.begin(recorded, size.start, size.partitions_first)?;
    let mut at = size.start;
    for step in steps(&mut grower, size) {
        // Mutations may share an instant with one another and with a change of the partitions.
        if !grower.rng().random_ratio(1, 8) {
            at = after(at, pause(&mut grower, size.step));
        }
        match step {
            Step::Write => grower.write(recorded, at).map(|()| true),
            Step::WriteBelow => grower.write_below(recorded, at).map(|()| true),
            Step::Split => grower.split(recorded, at),
            Step::Merge => grower.merge(recorded, at),
            Step::Move => grower.moves(recorded, at),
        }?;
    }
    Ok(())
}

fn steps(grower: &mut Grower, size: &Size) -> Vec<Step> {
    let counts = [
        (Step::Write, size.mutations),
        (Step::WriteBelow, size.mutations_below),
        (Step::Split, size.splits),
        (Step::Merge, size.merges),
        (Step::Move, size.moves),
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
