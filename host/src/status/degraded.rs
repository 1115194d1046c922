//! What is told as not being as it should be.

use std::time::Duration;

use super::{Status, short};

/// A position is in danger when less than this part of the retention is left.
pub(crate) const HEADROOM_SHARE: u32 = 10;

/// A sink that works on one group for this long is told as slow. Well above a slow disk's sync.
const SINK_BUSY: Duration = Duration::from_secs(30);

/// Failures of one partition in a row that are told: with the default pauses, some seconds.
const FAILURES: u32 = 5;

/// The sentences of a status.
pub(crate) fn degraded(
    status: &Status,
    retention: Option<Duration>,
    save_failure: Option<&str>,
) -> Vec<String> {
    let headroom = headroom(status, retention);
    let sink = status
        .sink
        .busy_seconds
        .filter(|busy| *busy >= SINK_BUSY.as_secs_f64())
        .map(|busy| format!("the sink has been busy with one group for {busy:.0} s"));
    let failing = status
        .partitions
        .list
        .iter()
        .filter(|partition| partition.failures >= FAILURES)
        .max_by_key(|partition| partition.failures)
        .map(|partition| {
            let (token, failures) = (short(&partition.token), partition.failures);
            format!("partition {token} failed {failures} times in a row")
        });
    let save = save_failure.map(|cause| format!("the last checkpoint could not be saved: {cause}"));
    [headroom, sink, failing, save]
        .into_iter()
        .flatten()
        .collect()
}

/// What is older than the retention cannot be read any more.
fn headroom(status: &Status, retention: Option<Duration>) -> Option<String> {
    let (left, retention) = (status.headroom_seconds?, retention?);
    let wanted = (retention / HEADROOM_SHARE).as_secs_f64();
    (left < wanted).then(|| {
        format!(
            "the oldest position is {left:.0} s from the end of the retention of {} s",
            retention.as_secs()
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use acequia_core::{Now, Timestamp};

    use super::*;
    use crate::status::Subject;

    fn status() -> Status {
        let subject = Subject {
            name: "orders".into(),
            connector: "spanner-change-stream-source".into(),
            source: BTreeMap::new(),
            started_at: Timestamp::UNIX_EPOCH,
            sink: "file",
            guests: Vec::new(),
            retention: None,
            backlog_adjustment: None,
        };
        subject.starting(Now {
            monotonic: Duration::ZERO,
            wall: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn a_position_in_the_last_tenth_of_the_retention_is_told() {
        let retention = Some(Duration::from_secs(1000));
        let mut status = status();
        status.headroom_seconds = Some(101.0);
        assert!(degraded(&status, retention, None).is_empty());
        status.headroom_seconds = Some(99.0);
        let told = degraded(&status, retention, None);
        assert!(told[0].contains("99 s from the end of the retention of 1000 s"));
    }

    #[test]
    fn a_sink_that_hangs_and_a_save_that_fails_are_told() {
        let mut status = status();
        status.sink.busy_seconds = Some(29.0);
        assert!(degraded(&status, None, None).is_empty());
        status.sink.busy_seconds = Some(31.0);
        let told = degraded(&status, None, Some("no space left"));
        assert!(told[0].contains("busy with one group for 31 s"));
        assert!(told[1].contains("no space left"));
    }
}
