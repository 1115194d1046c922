//! What kind of run a seed is.

use std::num::NonZeroUsize;
use std::time::Duration;

use acequia_core::{Backoff, CleanEnd, Limits, Sabotage};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus as Random;

use super::world::{World, instant};

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) keys: usize,
    pub(super) first_partitions: usize,
    pub(super) events: usize,
    pub(super) change_rate: f64,
    pub(super) mutable: bool,
    /// Whether partitions are row ranges.
    pub(super) rows: bool,
    /// Whether the sink cuts its tail on restart, so that exactly once is expected.
    pub(super) cuts: bool,
    /// Whether positions expire.
    pub(super) expires: bool,
    /// Whether the history is all there from the beginning.
    pub(super) lags: bool,
    pub(super) bounded: bool,
    /// Whether the bound is an earlier one at first.
    pub(super) bound_moves: bool,
    /// Whether the service leaves keys out, in its list of ranges and where a range is closed.
    pub(super) forgets_keys: bool,
    pub(super) late_start: bool,
    /// Whether a stopped run's checkpoint is rewound at times.
    pub(super) rewinds: bool,
    /// Steps with faults.
    pub(super) steps: usize,
    pub(super) sabotage: Option<Sabotage>,
    /// Whether the scheduler's own checks are left out, so that only the model can find a defect.
    pub(super) blind: bool,
}

impl Settings {
    pub(super) fn draw(random: &mut Random) -> Self {
        Self {
            keys: random.random_range(2..=8),
            first_partitions: random.random_range(1..=2),
            events: random.random_range(20..=60),
            change_rate: random.random_range(0.05..0.35),
            mutable: random.random_bool(0.3),
            rows: false,
            cuts: random.random_bool(0.8),
            expires: random.random_bool(0.1),
            lags: random.random_bool(0.3),
            bounded: random.random_bool(0.7),
            bound_moves: false,
            forgets_keys: false,
            late_start: random.random_bool(0.3),
            rewinds: false,
            steps: random.random_range(50..=300),
            sabotage: None,
            blind: false,
        }
    }

    /// What is drawn for row ranges only.
    pub(super) fn draw_rows(&mut self, random: &mut Random) {
        self.bound_moves = self.bounded && random.random_bool(0.3);
        // Keys that are left out are read again from a low watermark, with repeats.
        self.forgets_keys = !self.cuts && random.random_bool(0.5);
    }

    pub(super) fn limits(&self, world: &World, random: &mut Random) -> Limits {
        let delivery_records_max = random.random_range(1..=5);
        let clean_end = match self.rows {
            true => CleanEnd::Reopens,
            false => CleanEnd::NeedsSuccessor,
        };
        Limits {
            clean_end,
            tokens_wait: Duration::from_secs(1),
            orphans_wait: Duration::from_secs(2),
            max_open: NonZeroUsize::new(random.random_range(1..=4)).unwrap(),
            turn: Duration::from_millis(500),
            bound: self.first_bound(world).map(instant),
            retention: self.retention(),
            heartbeat: Duration::from_millis(200),
            stall: Duration::from_secs(2),
            records_in_flight_max: random.random_range(1..=20),
            bytes_in_flight_max: random.random_range(1000..=4000),
            delivery_records_max,
            delivery_bytes_max: delivery_records_max * 100,
            save_interval: Duration::from_millis(200),
            backoff: Backoff {
                first: Duration::from_millis(50),
                max: Duration::from_millis(500),
                ..Backoff::default()
            },
            ..Limits::default()
        }
    }

    /// The last tick that is read.
    pub(super) fn bound(&self, world: &World) -> Option<u64> {
        self.bounded.then_some(world.horizon - world.horizon / 8)
    }

    /// The last tick that is read before the bound moves.
    pub(super) fn first_bound(&self, world: &World) -> Option<u64> {
        let bound = self.bound(world)?;
        Some(if self.bound_moves { bound / 2 } else { bound })
    }

    /// The tick at which reading begins.
    pub(super) fn start(&self, world: &World) -> u64 {
        let wanted = if self.late_start {
            world.horizon / 4
        } else {
            0
        };
        world.quiet_tick(wanted)
    }

    pub(super) fn retention(&self) -> Duration {
        if self.expires {
            Duration::from_secs(30)
        } else {
            Duration::from_hours(24)
        }
    }
}
