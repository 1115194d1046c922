//! The warning that a position comes near the end of the retention, whoever looks or not.

use std::time::Duration;

use tracing::warn;

use super::Driver;
use crate::status::HEADROOM_SHARE;

/// How often it is looked at. The shortest retention is a day, so a minute is soon enough.
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams#data-retention>
pub(super) const HEADROOM_INTERVAL: Duration = Duration::from_secs(60);

/// Looks between two warnings while it does not get better.
const LOOKS_BETWEEN_WARNINGS: u32 = 10;

/// When it was warned last.
#[derive(Debug, Default)]
pub(super) struct HeadroomWatch {
    looks_until_warning: u32,
}

impl HeadroomWatch {
    /// Whether to warn now.
    fn look(&mut self, in_danger: bool) -> bool {
        if !in_danger {
            self.looks_until_warning = 0;
            return false;
        }
        let warn = self.looks_until_warning == 0;
        self.looks_until_warning = if warn {
            LOOKS_BETWEEN_WARNINGS
        } else {
            self.looks_until_warning - 1
        };
        warn
    }
}

impl Driver {
    fn forget_finished(&mut self) {
        let (scheduler, backlog) = (&self.scheduler, &mut self.backlog);
        backlog.forget(scheduler.stats().unfinished, |id| scheduler.has(id));
    }

    pub(super) fn watch_headroom(&mut self) {
        let now = self.clock.now();
        self.forget_finished();
        let (Some(left), Some(retention)) = (self.headroom(now), self.subject.retention) else {
            return;
        };
        let wanted = (retention / HEADROOM_SHARE).as_secs_f64();
        if self.headroom_watch.look(left.as_secs_f64() < wanted) {
            warn!(
                headroom_seconds = left.as_secs(),
                retention_seconds = retention.as_secs(),
                watermark = %self.scheduler.watermark(),
                "the oldest position comes near the end of the retention; what is older is lost"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_warns_at_once_then_every_so_often_and_anew_after_it_got_better() {
        let mut watch = HeadroomWatch::default();
        assert!(!watch.look(false));
        let warned: Vec<_> = (0..12).map(|_look| watch.look(true)).collect();
        assert_eq!(warned.iter().filter(|warned| **warned).count(), 2);
        assert!(warned[0]);
        assert!(!watch.look(false));
        assert!(watch.look(true));
    }
}
