//! The only place that reads clocks for the scheduler.

use std::time::Duration;

use acequia_core::{Now, Timestamp};
use tokio::time::Instant;

/// Time since the start of the run, and the wall clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Instant,
}

impl Clock {
    /// A clock that starts here.
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// The present, as the scheduler takes it.
    pub(crate) fn now(&self) -> Now {
        Now {
            monotonic: self.started.elapsed(),
            wall: Timestamp::now(),
        }
    }

    /// The instant at a time since the start.
    pub(super) fn instant(&self, monotonic: Duration) -> Instant {
        self.started + monotonic
    }
}
