//! A recording that grows while it is read.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tokio::sync::watch;

use crate::clock::{Running, after};

/// What a stream holds, shared by all readers and the one that makes it grow.
///
/// A heartbeat promises that nothing at or before it will follow. What is added later and what is
/// promised are therefore stamped under one lock, from one instant that only grows.
#[derive(Debug)]
pub(crate) struct Growing<R> {
    state: Mutex<State<R>>,
    grown: watch::Sender<()>,
    pub(crate) clock: Running,
}

#[derive(Debug)]
struct State<R> {
    recorded: R,
    promised: Promised,
}

/// The instant up to which nothing may be added any more.
#[derive(Debug)]
pub(crate) struct Promised(Timestamp);

impl Promised {
    pub(crate) fn raise(&mut self, to: Timestamp) {
        self.0 = self.0.max(to);
    }

    pub(crate) fn instant(&self) -> Timestamp {
        self.0
    }
}

impl<R: fmt::Debug> Growing<R> {
    /// Nothing is added at or before `created`.
    pub(crate) fn new(recorded: R, created: Timestamp, clock: Running) -> Self {
        let promised = Promised(created);
        Self {
            state: Mutex::new(State { recorded, promised }),
            grown: watch::Sender::new(()),
            clock,
        }
    }

    /// Tells of everything that is added from now on.
    pub(crate) fn grown(&self) -> watch::Receiver<()> {
        self.grown.subscribe()
    }

    /// Adds at an instant after everything that was promised; a whole microsecond, as the services'
    /// commit timestamps are.
    pub(crate) fn grow<T>(&self, step: impl FnOnce(&mut R, Timestamp) -> T) -> T {
        let grown = {
            let mut state = self.lock();
            let next = after(state.promised.0, Duration::from_micros(1));
            let at = whole_micros(self.clock.now()).max(next);
            state.promised.raise(at);
            step(&mut state.recorded, at)
        };
        self.grown.send_replace(());
        grown
    }

    /// Looks at what is there now, and may promise something about it.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&R, Timestamp, &mut Promised) -> T) -> T {
        let mut state = self.lock();
        let State { recorded, promised } = &mut *state;
        look(recorded, self.clock.now(), promised)
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn whole_micros(instant: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(instant.as_microsecond()).unwrap_or(instant)
}
