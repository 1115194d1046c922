//! Which end a partition query is given.
//!
//! An immutable partition is read up to the configured end, or for ever. A mutable one must have an
//! end at most 30 minutes past the larger of its start and the server's clock, so it is read in
//! windows: each begins where the last ended.

use std::time::Duration;

use acequia_core::Timestamp;

use crate::spanner::request::PartitionMode;

/// Length of a window. Short enough for clocks that differ by minutes, long enough that reopening
/// costs nothing.
///
/// Source: apache/beam pull requests 34967 and 37459 (the service refuses 30 minutes and more).
const WINDOW: Duration = Duration::from_secs(10 * 60);

/// The end of a query.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum End {
    /// None: it ends with the partition.
    Open,
    /// The configured end of all reading, inclusive.
    Bound(Timestamp),
    /// The end of this window, inclusive; another window follows.
    Window(Timestamp),
}

impl End {
    pub(super) fn of(
        mode: PartitionMode,
        bound: Option<Timestamp>,
        start: Timestamp,
        now: Timestamp,
    ) -> Self {
        let window = || start.max(now).checked_add(WINDOW).unwrap_or(Timestamp::MAX);
        match (mode, bound) {
            (PartitionMode::Immutable, None) => Self::Open,
            (PartitionMode::Immutable, Some(bound)) => Self::Bound(bound),
            (PartitionMode::Mutable, Some(bound)) if bound <= window() => Self::Bound(bound),
            (PartitionMode::Mutable, Some(_) | None) => Self::Window(window()),
        }
    }

    pub(super) fn timestamp(self) -> Option<Timestamp> {
        match self {
            Self::Open => None,
            Self::Bound(at) | Self::Window(at) => Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_mutable_partition_is_read_in_windows_up_to_the_bound() {
        let mode = PartitionMode::Mutable;
        let (start, now) = (at("2026-01-01T00:00:00Z"), at("2026-01-01T01:00:00Z"));
        assert_eq!(
            End::of(mode, None, start, now),
            End::Window(at("2026-01-01T01:10:00Z"))
        );
        let far = at("2026-02-01T00:00:00Z");
        assert_eq!(
            End::of(mode, Some(far), start, now),
            End::Window(at("2026-01-01T01:10:00Z"))
        );
        let near = at("2026-01-01T00:30:00Z");
        assert_eq!(End::of(mode, Some(near), start, now), End::Bound(near));
    }

    #[test]
    fn an_immutable_partition_has_the_configured_end_or_none() {
        let mode = PartitionMode::Immutable;
        let start = at("2026-01-01T00:00:00Z");
        assert_eq!(End::of(mode, None, start, start), End::Open);
        assert_eq!(End::of(mode, Some(start), start, start), End::Bound(start));
    }
}
