//! When and how to say that writing fails.

use std::time::Duration;

use tokio::time::Instant;
use tonic::Code;
use tracing::{info, warn};

use crate::chain::chain;
use crate::google::CallError;

/// The shortest time from one warning to the next.
const PAUSE: Duration = Duration::from_secs(600);

/// Remembers what was said.
#[derive(Debug, Default)]
pub(super) struct Complaint {
    warned: Option<Instant>,
    /// Failures since then that were not told.
    untold: u32,
}

impl Complaint {
    /// Writing failed: a warning, unless there was one a short while ago.
    pub(super) fn failed(&mut self, error: &CallError, project: &str) {
        if self.is_due(Instant::now()) {
            let untold = std::mem::take(&mut self.untold);
            let advice = advice(error.code(), project);
            warn!(
                untold,
                "client metrics are not written to Cloud Monitoring: {}; {advice}",
                chain(error)
            );
        }
    }

    /// Writing took too long.
    pub(super) fn timed_out(&mut self, limit: Duration) {
        if self.is_due(Instant::now()) {
            let untold = std::mem::take(&mut self.untold);
            warn!(
                untold,
                "client metrics are not written to Cloud Monitoring: no answer within {limit:?}; {LATER}"
            );
        }
    }

    /// Writing worked.
    pub(super) fn worked(&mut self) {
        if self.warned.take().is_some() {
            self.untold = 0;
            info!("client metrics are written to Cloud Monitoring again");
        }
    }

    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self
            .warned
            .is_none_or(|warned| now.saturating_duration_since(warned) >= PAUSE);
        if is_due {
            self.warned = Some(now);
        } else {
            self.untold = self.untold.saturating_add(1);
        }
        is_due
    }
}

const LATER: &str = "the run goes on, and they are written the next time";

/// What to do about it.
///
/// Source: https://cloud.google.com/spanner/docs/view-manage-client-side-metrics and
/// https://cloud.google.com/bigtable/docs/client-side-metrics-setup
fn advice(code: Code, project: &str) -> String {
    if code != Code::PermissionDenied {
        return LATER.to_owned();
    }
    format!(
        "the run goes on. Enable the Cloud Monitoring API in project {project} and grant the account \
         the permission monitoring.timeSeries.create there, which roles/monitoring.metricWriter has, \
         or write export-client-metrics-to-cloud-monitoring: false"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_failures_is_told_once_in_ten_minutes_and_a_success_ends_it() {
        let mut complaint = Complaint::default();
        let start = Instant::now();
        let minutes = |minutes: u64| start + Duration::from_secs(60 * minutes);
        assert!(complaint.is_due(start));
        assert!((1..10).all(|minute| !complaint.is_due(minutes(minute))));
        assert_eq!(complaint.untold, 9);
        assert!(complaint.is_due(minutes(10)));
        complaint.worked();
        assert!(complaint.is_due(minutes(11)));
    }

    #[test]
    fn whoever_lacks_a_permission_is_told_which_and_how_to_do_without() {
        let advice = advice(Code::PermissionDenied, "shop");
        for part in [
            "project shop",
            "roles/monitoring.metricWriter",
            "export-client-metrics-to-cloud-monitoring: false",
        ] {
            assert!(advice.contains(part), "{advice}");
        }
    }
}
