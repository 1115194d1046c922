//! How far batches are between the readers and the durable sink, and what the sink costs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts that lanes and the writer move on, and whoever looks reads.
#[derive(Debug)]
pub(crate) struct Flow {
    started: Instant,
    /// Batches that wait for a component or are in one.
    shaping: AtomicU64,
    /// Batches that wait for the sink or are in it.
    writing: AtomicU64,
    groups: AtomicU64,
    write_nanos: AtomicU64,
    sync_nanos: AtomicU64,
    /// When the sink was given what it works on, in nanoseconds since `started`, plus one; 0 while
    /// it has nothing.
    busy_since: AtomicU64,
}

/// What a look finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) shaping: u64,
    pub(crate) writing: u64,
    /// Groups of batches that became durable together.
    pub(crate) groups: u64,
    pub(crate) write: Duration,
    pub(crate) sync: Duration,
    /// How long the sink has been at what it does now.
    pub(crate) busy: Option<Duration>,
}

impl Flow {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            shaping: AtomicU64::new(0),
            writing: AtomicU64::new(0),
            groups: AtomicU64::new(0),
            write_nanos: AtomicU64::new(0),
            sync_nanos: AtomicU64::new(0),
            busy_since: AtomicU64::new(0),
        }
    }

    pub(crate) fn seen(&self) -> Seen {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let busy = read(&self.busy_since).checked_sub(1).map(|since| {
            self.started
                .elapsed()
                .saturating_sub(Duration::from_nanos(since))
        });
        Seen {
            shaping: read(&self.shaping),
            writing: read(&self.writing),
            groups: read(&self.groups),
            write: Duration::from_nanos(read(&self.write_nanos)),
            sync: Duration::from_nanos(read(&self.sync_nanos)),
            busy,
        }
    }

    /// A batch was given to a lane.
    pub(crate) fn sent(&self) {
        self.shaping.fetch_add(1, Ordering::Relaxed);
    }

    /// A lane gave a batch to the writer.
    pub(crate) fn shaped(&self) {
        self.writing.fetch_add(1, Ordering::Relaxed);
        self.shaping.fetch_sub(1, Ordering::Relaxed);
    }

    /// The sink begins with a group.
    pub(crate) fn begin_group(&self) {
        let since = nanos(self.started.elapsed()).saturating_add(1);
        self.busy_since.store(since, Ordering::Relaxed);
    }

    /// A group of this many batches is durable.
    pub(crate) fn end_group(&self, batches: u64, write: Duration, sync: Duration) {
        self.busy_since.store(0, Ordering::Relaxed);
        self.writing.fetch_sub(batches, Ordering::Relaxed);
        self.groups.fetch_add(1, Ordering::Relaxed);
        self.write_nanos.fetch_add(nanos(write), Ordering::Relaxed);
        self.sync_nanos.fetch_add(nanos(sync), Ordering::Relaxed);
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
