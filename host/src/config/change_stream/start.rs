//! Where reading begins.

use std::time::Duration;

use jiff::Timestamp;

/// How far above the oldest readable instant a start is kept, so that it does not expire between
/// the question and the first query.
pub const RETENTION_MARGIN: Duration = Duration::from_secs(60);

/// Where a stream without a checkpoint begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartPosition {
    /// The instant at which the run begins.
    Latest,
    /// The oldest instant that the service still holds, plus [`RETENTION_MARGIN`].
    Earliest,
    /// An instant; it is read, too.
    At(Timestamp),
    /// This long before the run begins.
    Ago(Duration),
}

/// A start position as an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// Where reading begins, inclusive.
    pub at: Timestamp,
    /// The instant that was asked for, where it had expired and `at` is later than it. The caller
    /// warns: what lies between is not read.
    pub moved_up: Option<Timestamp>,
}

/// Why a start position is not an instant to start at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// It lies in the future.
    #[error("the start position {at} lies in the future (it is {now}); use latest to begin now")]
    Future {
        /// The instant that was asked for.
        at: Timestamp,
        /// The clock.
        now: Timestamp,
    },
    /// It lies before the first instant that a timestamp can hold.
    #[error(
        "the start position lies before the year -9999; use earliest to begin as early as the stream allows"
    )]
    OutOfRange,
}

impl StartPosition {
    /// The instant that this position means at `now`, for a stream whose oldest readable instant is
    /// `earliest`.
    ///
    /// # Errors
    ///
    /// [`StartError::Future`] for an instant after `now`, [`StartError::OutOfRange`] for one that no
    /// timestamp can hold.
    pub fn resolve(self, now: Timestamp, earliest: Timestamp) -> Result<Resolved, StartError> {
        let floor = earliest
            .checked_add(RETENTION_MARGIN)
            .map_or(now, |floor| floor.min(now));
        let asked = match self {
            Self::Latest => now,
            Self::Earliest => floor,
            Self::At(at) if at > now => return Err(StartError::Future { at, now }),
            Self::At(at) => at,
            Self::Ago(ago) => now.checked_sub(ago).map_err(|_| StartError::OutOfRange)?,
        };
        Ok(Resolved {
            at: asked.max(floor),
            moved_up: (asked < floor).then_some(asked),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    const NOW: &str = "2026-05-08T12:00:00Z";
    const EARLIEST: &str = "2026-05-01T12:00:00Z";

    fn resolve(position: StartPosition) -> Result<Resolved, StartError> {
        position.resolve(at(NOW), at(EARLIEST))
    }

    fn exactly(text: &str) -> Result<Resolved, StartError> {
        Ok(Resolved {
            at: at(text),
            moved_up: None,
        })
    }

    #[test]
    fn latest_is_the_instant_of_the_run() {
        assert_eq!(resolve(StartPosition::Latest), exactly(NOW));
    }

    #[test]
    fn earliest_keeps_a_minute_above_the_oldest_readable_instant() {
        assert_eq!(
            resolve(StartPosition::Earliest),
            exactly("2026-05-01T12:01:00Z")
        );
    }

    #[test]
    fn a_readable_instant_is_taken_as_it_is() {
        let start = StartPosition::At(at("2026-05-01T12:01:00Z"));
        assert_eq!(resolve(start), exactly("2026-05-01T12:01:00Z"));
        assert_eq!(resolve(StartPosition::At(at(NOW))), exactly(NOW));
    }

    #[test]
    fn an_expired_instant_is_moved_up_and_said_so() {
        let asked = at("2026-04-01T00:00:00Z");
        assert_eq!(
            resolve(StartPosition::At(asked)),
            Ok(Resolved {
                at: at("2026-05-01T12:01:00Z"),
                moved_up: Some(asked)
            })
        );
    }

    #[test]
    fn an_instant_inside_the_margin_is_moved_up() {
        let asked = at("2026-05-01T12:00:59.999999999Z");
        let resolved = resolve(StartPosition::At(asked)).unwrap();
        assert_eq!(resolved.at, at("2026-05-01T12:01:00Z"));
        assert_eq!(resolved.moved_up, Some(asked));
    }

    #[test]
    fn a_future_instant_is_refused() {
        let asked = at("2026-05-08T12:00:00.000000001Z");
        assert_eq!(
            resolve(StartPosition::At(asked)),
            Err(StartError::Future {
                at: asked,
                now: at(NOW)
            })
        );
    }

    #[test]
    fn ago_counts_back_from_the_run() {
        let hour = StartPosition::Ago(Duration::from_secs(3600));
        assert_eq!(resolve(hour), exactly("2026-05-08T11:00:00Z"));
    }

    #[test]
    fn ago_past_the_retention_is_moved_up() {
        let month = StartPosition::Ago(Duration::from_secs(30 * 86_400));
        let resolved = resolve(month).unwrap();
        assert_eq!(resolved.at, at("2026-05-01T12:01:00Z"));
        assert_eq!(resolved.moved_up, Some(at("2026-04-08T12:00:00Z")));
    }

    #[test]
    fn ago_longer_than_time_itself_is_refused() {
        let eternity = StartPosition::Ago(Duration::from_secs(u64::from(u32::MAX) * 1000));
        assert_eq!(resolve(eternity), Err(StartError::OutOfRange));
    }

    #[test]
    fn a_stream_younger_than_the_margin_starts_no_later_than_now() {
        let earliest = at("2026-05-08T11:59:30Z");
        let resolved = StartPosition::Earliest.resolve(at(NOW), earliest);
        assert_eq!(resolved, exactly(NOW));
    }
}
