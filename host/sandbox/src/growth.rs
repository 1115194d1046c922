//! The time of a history that grows or flows while it is served.

use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// The slowest that a live history grows, in steps a second.
const RATE_MIN: f64 = 0.001;

/// When a live history stops growing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// When the sandbox stops.
    #[default]
    Forever,
    /// After this time.
    Elapsed(Duration),
    /// With the step that brings the changes of rows to this number or beyond.
    Changes(u64),
}

impl Until {
    pub(crate) fn is_over(self, elapsed: Duration, changes: u64) -> bool {
        match self {
            Self::Forever => false,
            Self::Elapsed(span) => elapsed >= span,
            Self::Changes(wanted) => changes >= wanted,
        }
    }
}

/// Ticks at a steady rate, or never.
#[derive(Debug)]
pub(crate) struct Ticks(Option<Interval>);

impl Ticks {
    /// The first tick comes after one such span. `None` and zero never tick.
    pub(crate) fn every(span: Option<Duration>) -> Self {
        let span = span.filter(|span| !span.is_zero());
        Self(span.map(|span| {
            let mut interval = interval_at(Instant::now() + span, span);
            // A rate is kept over time, so ticks that were missed are made up for.
            interval.set_missed_tick_behavior(MissedTickBehavior::Burst);
            interval
        }))
    }

    /// So many ticks a second, but not fewer than one in a thousand seconds.
    pub(crate) fn per_second(rate: f64) -> Self {
        let span = Duration::from_secs_f64(1.0 / rate.max(RATE_MIN));
        Self::every(Some(span))
    }

    pub(crate) async fn next(&mut self) {
        match &mut self.0 {
            Some(interval) => {
                interval.tick().await;
            }
            None => std::future::pending().await,
        }
    }
}

/// When the records of a flood are committed and sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many records a partition, committed about a microsecond apart from the flood's beginning on, and sent
    /// as fast as they are taken.
    AtOnce {
        /// Records of one partition.
        records: u32,
    },
    /// So many records a second and partition without an end, each committed when it is sent.
    Steady {
        /// Records of one partition in a second; below 0.001 counts as 0.001.
        per_second: f64,
    },
}

/// The most messages that are due together, so that a reader who was slow does not get old stamps.
const DUE_AT_ONCE_MAX: u64 = 16;

/// Messages at a steady rate.
#[derive(Clone, Debug)]
pub(crate) struct Steady {
    /// From one message to the next.
    interval: Duration,
    began: Option<Instant>,
    sent: u64,
}

impl Steady {
    /// So many messages a second, but not fewer than one in a thousand seconds.
    pub(crate) fn per_second(rate: f64) -> Self {
        Self {
            interval: Duration::from_secs_f64(1.0 / rate.max(RATE_MIN)),
            began: None,
            sent: 0,
        }
    }

    /// Waits for the next message, and counts it with the others that are due.
    pub(crate) async fn due(&mut self) -> u64 {
        let began = *self.began.get_or_insert_with(Instant::now);
        let next = u32::try_from(self.sent).unwrap_or(u32::MAX);
        tokio::time::sleep_until(began + self.interval.saturating_mul(next)).await;
        let elapsed = began.elapsed().as_nanos() / self.interval.as_nanos().max(1);
        let due = u64::try_from(elapsed).unwrap_or(u64::MAX).saturating_add(1);
        let due = due.saturating_sub(self.sent).clamp(1, DUE_AT_ONCE_MAX);
        self.sent += due;
        due
    }
}
