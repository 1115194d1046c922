//! Where requests look: one look at a time, shared by all who ask at that time.

use std::sync::Arc;

use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, timeout};

use super::limits::{LOOK_SHARED, LOOK_TIMEOUT};
use crate::driver::{Clock, Probe};
use crate::status::{Status, Subject};

/// What there is to look at.
#[derive(Clone)]
pub(crate) enum Watched {
    /// Parts are being loaded and opened.
    Starting(Arc<Subject>),
    /// The loop runs.
    Running(Probe),
}

/// Why there is no status.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LookError {
    /// The loop is stuck.
    #[error("the loop has not answered for {} s", LOOK_TIMEOUT.as_secs())]
    Stuck,
    /// The run is over, and the process about to end.
    #[error("the run is over")]
    Over,
}

/// Looks for whoever asks.
pub(crate) struct Desk {
    watched: watch::Receiver<Watched>,
    clock: Clock,
    last: Mutex<Option<(Instant, Arc<Status>)>>,
}

impl Desk {
    pub(crate) fn new(watched: watch::Receiver<Watched>, clock: Clock) -> Self {
        Self {
            watched,
            clock,
            last: Mutex::new(None),
        }
    }

    /// The status of this moment, or of one that is [`LOOK_SHARED`] old at the most.
    pub(crate) async fn status(&self) -> Result<Arc<Status>, LookError> {
        let mut last = self.last.lock().await;
        if let Some((at, status)) = last.as_ref()
            && at.elapsed() < LOOK_SHARED
        {
            return Ok(Arc::clone(status));
        }
        let watched = self.watched.borrow().clone();
        let status = match watched {
            Watched::Starting(subject) => subject.starting(self.clock.now()),
            Watched::Running(probe) => match timeout(LOOK_TIMEOUT, probe.look()).await {
                Ok(status) => status.ok_or(LookError::Over)?,
                Err(_elapsed) => return Err(LookError::Stuck),
            },
        };
        let status = Arc::new(status);
        *last = Some((Instant::now(), Arc::clone(&status)));
        Ok(status)
    }
}
