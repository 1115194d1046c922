//! The host's side of the `log` import: messages cut to length, limited in rate, under the
//! component's name.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::{debug, error, info, warn};

use super::bindings::acequia::connector::log::{Host, Level};
use super::limits::{LOG_MESSAGE_BYTES_MAX, LOG_MESSAGES_PER_SECOND};
use super::message::clip;
use super::state::State;

/// The log of one component; its instances share it, and with it the rate.
#[derive(Clone)]
pub(super) struct GuestLog {
    component: Arc<str>,
    window: Arc<Mutex<Window>>,
}

impl GuestLog {
    pub(super) fn new(component: &str) -> Self {
        Self {
            component: component.into(),
            window: Arc::new(Mutex::new(Window::default())),
        }
    }

    fn write(&self, level: Level, message: &str) {
        let component = &*self.component;
        let admitted = self
            .window
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .admit(Instant::now());
        let Admitted::Yes { suppressed } = admitted else {
            return;
        };
        if suppressed > 0 {
            warn!(
                component,
                suppressed, "the component logs too much: messages were left out"
            );
        }
        let message = clip(message, LOG_MESSAGE_BYTES_MAX);
        match level {
            Level::Debug => debug!(component, "{message}"),
            Level::Info => info!(component, "{message}"),
            Level::Warn => warn!(component, "{message}"),
            Level::Error => error!(component, "{message}"),
        }
    }
}

impl Host for State {
    fn write(&mut self, level: Level, message: String) {
        self.log.write(level, &message);
    }
}

/// Counts messages in windows of one second.
#[derive(Default)]
struct Window {
    since: Option<Instant>,
    admitted: u32,
    suppressed: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum Admitted {
    /// The message is shown; so many before it were not.
    Yes {
        suppressed: u64,
    },
    No,
}

impl Window {
    fn admit(&mut self, now: Instant) -> Admitted {
        let open = self
            .since
            .is_some_and(|since| now.duration_since(since) < WINDOW);
        if open && self.admitted >= LOG_MESSAGES_PER_SECOND {
            self.suppressed = self.suppressed.saturating_add(1);
            return Admitted::No;
        }
        if !open {
            self.since = Some(now);
            self.admitted = 0;
        }
        self.admitted += 1;
        Admitted::Yes {
            suppressed: std::mem::take(&mut self.suppressed),
        }
    }
}

const WINDOW: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Admitted, LOG_MESSAGES_PER_SECOND, WINDOW, Window};

    #[test]
    fn what_goes_past_the_rate_is_counted_and_told_in_the_next_second() {
        let mut window = Window::default();
        let start = Instant::now();
        for _ in 0..LOG_MESSAGES_PER_SECOND {
            assert_eq!(window.admit(start), Admitted::Yes { suppressed: 0 });
        }
        assert_eq!(window.admit(start), Admitted::No);
        assert_eq!(window.admit(start + WINDOW / 2), Admitted::No);
        assert_eq!(
            window.admit(start + WINDOW),
            Admitted::Yes { suppressed: 2 }
        );
        assert_eq!(
            window.admit(start + WINDOW),
            Admitted::Yes { suppressed: 0 }
        );
    }
}
