//! How much is measured.

use serde::Serialize;

/// The size of a bench. All of it is printed with the figures.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Settings {
    /// Partitions that are read side by side.
    pub partitions: u32,
    /// Records of one partition in one sample.
    pub records_per_partition: u32,
    /// Rows in one message of Spanner. One of Bigtable holds one mutation.
    pub rows_per_frame: u32,
    /// Samples of each kind; they are taken in turn.
    pub rounds: u32,
    /// Batches in one sample of the deserializer.
    pub shaped_batches: u32,
    /// How long latencies are collected, seconds.
    pub latency_seconds: u32,
    /// Partitions in the largest scheduler.
    pub scheduler_partitions_max: u32,
    /// Events in one sample of the scheduler.
    pub scheduler_events: u32,
}

impl Settings {
    /// Under ten minutes on two cores.
    pub const FULL: Self = Self {
        partitions: 8,
        records_per_partition: 65_536,
        rows_per_frame: 1,
        rounds: 9,
        shaped_batches: 1_000,
        latency_seconds: 10,
        scheduler_partitions_max: 1_000_000,
        scheduler_events: 100_000,
    };

    /// About a minute.
    pub const QUICK: Self = Self {
        records_per_partition: 16_384,
        rounds: 3,
        shaped_batches: 250,
        latency_seconds: 3,
        scheduler_events: 20_000,
        ..Self::FULL
    };

    /// Seconds: shows that everything works, and says nothing about speed.
    pub const TINY: Self = Self {
        records_per_partition: 256,
        rounds: 1,
        shaped_batches: 2,
        latency_seconds: 1,
        scheduler_partitions_max: 1_000,
        scheduler_events: 100,
        ..Self::FULL
    };

    /// Records of one sample.
    #[must_use]
    pub fn records(&self) -> u64 {
        u64::from(self.partitions) * u64::from(self.records_per_partition)
    }
}
