//! A value that calls change and tests wait for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// A value that its clones share. Whoever waits looks again after every change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched<T> {
    value: Arc<Mutex<T>>,
    changed: watch::Sender<()>,
}

impl<T: Clone> Watched<T> {
    pub(crate) fn get(&self) -> T {
        self.lock().clone()
    }

    /// Waits until the value is `enough`.
    pub(crate) async fn wait_for(&self, enough: impl Fn(&T) -> bool) -> T {
        let mut changed = self.changed.subscribe();
        loop {
            let value = self.get();
            if enough(&value) {
                return value;
            }
            // The sender lives in `self`, so the wait ends only with a change.
            let _ = changed.changed().await;
        }
    }
}

impl<T> Watched<T> {
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.lock());
        self.changed.send_replace(());
        result
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
