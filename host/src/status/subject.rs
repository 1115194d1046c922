//! What of a run does not change while it runs.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::{Now, Timestamp};

use super::{
    History, InFlight, Partitions, Phase, SinkStatus, Status, Totals, VERSION, WatchedGuest,
};

/// Who is looked at.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) connector: String,
    pub(crate) source: BTreeMap<String, String>,
    pub(crate) started_at: Timestamp,
    pub(crate) sink: &'static str,
    pub(crate) guests: Vec<WatchedGuest>,
    /// How far back the source can be read; none before it was asked.
    pub(crate) retention: Option<Duration>,
    /// What replication holds the watermark back by; none where no backlog is estimated.
    pub(crate) backlog_adjustment: Option<Duration>,
}

impl Subject {
    /// What can be said before anything is read.
    pub(crate) fn starting(&self, now: Now) -> Status {
        Status {
            version: VERSION,
            name: self.name.clone(),
            connector: self.connector.clone(),
            acequia: env!("CARGO_PKG_VERSION"),
            source: self.source.clone(),
            started_at: self.started_at,
            now: now.wall,
            uptime_seconds: now.monotonic.as_secs_f64(),
            phase: Phase::Starting,
            ready: false,
            degraded: Vec::new(),
            watermark: None,
            watermark_lag_seconds: None,
            headroom_seconds: None,
            last_record_age_seconds: None,
            totals: Totals::default(),
            in_flight: InFlight::default(),
            checkpoint: None,
            guests: self.guests.iter().map(WatchedGuest::seen).collect(),
            sink: SinkStatus {
                kind: self.sink,
                ..SinkStatus::default()
            },
            partitions: Partitions::default(),
            history: History::default(),
        }
    }
}
