//! The sandbox's idea of the present: the machine's clock, one that begins elsewhere, or one that a
//! test moves by hand.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::{SignedDuration, Timestamp};
use tokio::{sync::watch, time::Instant};

/// Where "now" comes from. Histories are usually written at fixed instants, so a clock that starts
/// beside them keeps them within their retention.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// Begins at this instant when the sandbox starts and runs at the usual speed.
    StartingAt(Timestamp),
    /// Stands still until it is moved.
    Manual(ManualClock),
}

/// A clock that stands still until [`ManualClock::advance`] moves it. Clones share the instant.
#[derive(Clone, Debug)]
pub struct ManualClock {
    instant: watch::Sender<Timestamp>,
}

impl ManualClock {
    /// A clock that stands at `instant`.
    #[must_use]
    pub fn at(instant: Timestamp) -> Self {
        Self {
            instant: watch::Sender::new(instant),
        }
    }

    /// Moves the clock forward and wakes whatever waits for it.
    pub fn advance(&self, by: Duration) {
        self.instant
            .send_modify(|instant| *instant = after(*instant, by));
    }

    /// The instant at which the clock stands.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        *self.instant.borrow()
    }
}

/// A clock that has been started.
#[derive(Clone, Debug)]
pub(crate) enum Running {
    Since { base: Timestamp, started: Instant },
    Manual(ManualClock),
}

impl Running {
    pub(crate) fn start(clock: &Clock) -> Self {
        match clock {
            Clock::System => Self::Since {
                base: system_now(),
                started: Instant::now(),
            },
            Clock::StartingAt(base) => Self::Since {
                base: *base,
                started: Instant::now(),
            },
            Clock::Manual(manual) => Self::Manual(manual.clone()),
        }
    }

    /// Where the clock stood when it was started, as far as it knows.
    pub(crate) fn began(&self) -> Timestamp {
        match self {
            Self::Since { base, .. } => *base,
            Self::Manual(manual) => manual.now(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Since { base, started } => after(*base, started.elapsed()),
            Self::Manual(manual) => manual.now(),
        }
    }

    pub(crate) async fn wait_until(&self, instant: Timestamp) {
        match self {
            Self::Since { .. } => {
                let left = instant.duration_since(self.now());
                tokio::time::sleep(Duration::try_from(left).unwrap_or(Duration::ZERO)).await;
            }
            Self::Manual(manual) => {
                let mut moved = manual.instant.subscribe();
                // The sender lives in `manual`, so the wait ends only when the instant is reached.
                let _ = moved.wait_for(|now| *now >= instant).await;
            }
        }
    }
}

/// `instant` and `span` later, or the last representable instant.
pub(crate) fn after(instant: Timestamp, span: Duration) -> Timestamp {
    SignedDuration::try_from(span)
        .ok()
        .and_then(|span| instant.checked_add(span).ok())
        .unwrap_or(Timestamp::MAX)
}

/// `instant` less `span`, or the first representable instant.
pub(crate) fn before(instant: Timestamp, span: Duration) -> Timestamp {
    SignedDuration::try_from(span)
        .ok()
        .and_then(|span| instant.checked_sub(span).ok())
        .unwrap_or(Timestamp::MIN)
}

fn system_now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    after(Timestamp::UNIX_EPOCH, since)
}

/// RFC 3339 in UTC with 0, 3, 6 or 9 digits of the second's fraction, as Google's services write it.
///
/// Source: `google/protobuf/timestamp.proto`, JSON mapping.
#[must_use]
pub fn rfc3339(instant: Timestamp) -> String {
    let nanos = instant.subsec_nanosecond();
    let digits = if nanos == 0 {
        0
    } else if nanos % 1_000_000 == 0 {
        3
    } else if nanos % 1_000 == 0 {
        6
    } else {
        9
    };
    format!("{instant:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn an_instant_is_written_with_whole_groups_of_three_digits() {
        for text in [
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.500Z",
            "2026-01-01T00:00:00.000250Z",
            "2026-01-01T00:00:00.000000001Z",
        ] {
            assert_eq!(rfc3339(text.parse().unwrap()), text);
        }
    }
}
