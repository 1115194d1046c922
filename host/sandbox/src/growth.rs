//! The time of a history that grows while it is served.

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
