//! What a component costs.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::instance::Stopped;

/// Counts over all instances of one component since it was loaded.
#[derive(Debug, Default)]
pub struct Meter {
    calls: AtomicU64,
    records: AtomicU64,
    failures: AtomicU64,
    stops: AtomicU64,
    nanos: AtomicU64,
    memory_bytes: AtomicU64,
    listener: OnceLock<Arc<dyn Listen>>,
}

/// Hears of every call of a component, where counts are not enough.
pub trait Listen: Debug + Send + Sync {
    /// A call came to its end after so long. It is told between two calls, so it must be quick.
    fn called(&self, took: Duration);

    /// The same call gave no answer.
    fn stopped(&self, by: &Stopped);
}

/// What a component has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Calls that came to an end, whichever.
    pub calls: u64,
    /// Records that went in.
    pub records: u64,
    /// Records that it failed on, each counted once.
    pub failures: u64,
    /// Calls that were stopped: traps, time limits, memory limits.
    pub stops: u64,
    /// Time in calls, as a caller sees it.
    pub time: Duration,
    /// The largest memory of one instance at the end of a call, in bytes.
    pub memory_bytes: u64,
}

impl Meter {
    /// The counts so far.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Cost {
            calls: read(&self.calls),
            records: read(&self.records),
            failures: read(&self.failures),
            stops: read(&self.stops),
            time: Duration::from_nanos(read(&self.nanos)),
            memory_bytes: read(&self.memory_bytes),
        }
    }

    /// Tells a listener of every call from here on. A meter has one listener; a second is not told.
    pub fn tell(&self, listener: Arc<dyn Listen>) {
        let _has_one = self.listener.set(listener);
    }

    /// A call came to its end.
    pub(super) fn called(&self, began: Instant, memory_bytes: usize) {
        let took = began.elapsed();
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
        self.memory_bytes
            .fetch_max(count(memory_bytes), Ordering::Relaxed);
        if let Some(listener) = self.listener.get() {
            listener.called(took);
        }
    }

    pub(super) fn stopped(&self, by: &Stopped) {
        self.stops.fetch_add(1, Ordering::Relaxed);
        if let Some(listener) = self.listener.get() {
            listener.stopped(by);
        }
    }

    pub(super) fn records(&self, records: usize) {
        self.records.fetch_add(count(records), Ordering::Relaxed);
    }

    pub(super) fn failed(&self, records: usize) {
        self.failures.fetch_add(count(records), Ordering::Relaxed);
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
