//! What bounds the scheduler.

use std::num::NonZeroUsize;
use std::time::Duration;

use jiff::Timestamp;

/// Bounds and times. Every field has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Partitions that are read at once. Default: 8. Small: more turns, later watermark. Large:
    /// more memory and more streams on a channel.
    pub max_open: NonZeroUsize,
    /// How long a partition is read while others wait. Default: 30 s. Small: more openings, each
    /// repeating its boundary. Large: a watermark that moves in large steps.
    pub turn: Duration,
    /// The last commit timestamp to read, inclusive. Default: none, the stream has no end.
    pub bound: Option<Timestamp>,
    /// What a clean end of a stream means. Default: [`CleanEnd::NeedsSuccessor`].
    pub clean_end: CleanEnd,
    /// How far back the source can be read. Default: 7 days, as Spanner's. Small: OUT_OF_RANGE is
    /// taken for expiry too early. Large: expiry aborts instead.
    pub retention: Duration,
    /// The interval of heartbeats that readers ask for. Default: 2 s. A stream within two of them
    /// of the wall clock has caught up.
    pub heartbeat: Duration,
    /// How long an open stream that is not held may say nothing. Default: 20 s, ten heartbeats.
    /// Small: healthy streams are opened again. Large: a dead one is noticed late.
    pub stall: Duration,
    /// The same of a part of a snapshot, and of its plan. Default: 10 min, since a query may look at
    /// many rows before it finds the first, and nothing is sent meanwhile.
    pub snapshot_stall: Duration,
    /// Records in flight, over all partitions. Default: 65,536. Small: readers are held often.
    /// Large: more memory. Below a delivery it acts as one delivery.
    pub records_in_flight_max: u64,
    /// Bytes in flight, over all partitions. Default: 16 MiB. One delivery passes alone even if it
    /// is larger.
    pub bytes_in_flight_max: u64,
    /// Records that one delivery has at most. Default: 128. What readers do, not a choice.
    pub delivery_records_max: u64,
    /// Bytes that one delivery has at most, unless it is one record. Default: 256 KiB. What readers
    /// do, not a choice.
    pub delivery_bytes_max: u64,
    /// Transactions at one commit timestamp of one partition. Default: 65,536. Reaching it is an
    /// error, since forgetting one would double its records.
    pub boundary_transactions_max: usize,
    /// Finished partitions that are remembered for people who look at a run. Default: 4,096, some
    /// 2 MiB with tokens of 200 bytes. Older ones are counted only.
    pub history_max: usize,
    /// Time between saves that only move positions. Default: 1 s. Small: more writes. Large: more
    /// repeats after a crash.
    pub save_interval: Duration,
    /// Waiting before opening or saving again.
    pub backoff: Backoff,
    /// How long the tokens of a row range wait for those that it lacks, before each of them is read
    /// for itself. Default: 2 min, as Beam's reconciler. Small: merges are taken apart that would
    /// have come together. Large: keys rest that long after a merge that was undone.
    pub tokens_wait: Duration,
    /// How long keys rest that a closed range left to nobody, before they are read again from its low
    /// watermark, or until the process starts anew; and how long tokens wait for a range that is read and may still close. Default: 20
    /// min, as Beam's reconciler.
    pub orphans_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_open: NonZeroUsize::MIN.saturating_add(7),
            turn: Duration::from_secs(30),
            bound: None,
            clean_end: CleanEnd::NeedsSuccessor,
            retention: Duration::from_hours(7 * 24),
            heartbeat: Duration::from_secs(2),
            stall: Duration::from_secs(20),
            snapshot_stall: Duration::from_mins(10),
            records_in_flight_max: 65_536,
            bytes_in_flight_max: 16 << 20,
            delivery_records_max: 128,
            delivery_bytes_max: 256 << 10,
            boundary_transactions_max: 65_536,
            history_max: 4096,
            save_interval: Duration::from_secs(1),
            backoff: Backoff::default(),
            tokens_wait: Duration::from_mins(2),
            orphans_wait: Duration::from_mins(20),
        }
    }
}

/// What a stream that ends with status OK means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanEnd {
    /// The end only if child partitions or the bound explain it; otherwise the stream is opened
    /// again. Change streams. Parts of a snapshot end in any case.
    NeedsSuccessor,
    /// The end. Batch reads.
    Finishes,
    /// Never the end: the stream says when it is closed. Row ranges.
    Reopens,
}

/// Exponential backoff with full jitter: the delay is drawn between zero and a ceiling that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The first ceiling. Default: 250 ms.
    pub first: Duration,
    /// Growth of the ceiling, in tenths. Default: 13, so 1.3.
    pub factor_tenths: u32,
    /// The largest ceiling. Default: 32 s.
    pub max: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(250),
            factor_tenths: 13,
            max: Duration::from_secs(32),
        }
    }
}

impl Backoff {
    /// The ceiling of the delay after this many failures in a row, counted from 1.
    pub fn ceiling(&self, failures: u32) -> Duration {
        let mut ceiling = self.first;
        for _ in 1..failures {
            if ceiling >= self.max {
                break;
            }
            ceiling = ceiling.saturating_mul(self.factor_tenths.max(10)) / 10;
        }
        ceiling.min(self.max)
    }
}
