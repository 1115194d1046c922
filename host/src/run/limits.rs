//! The scheduler's limits, from the configuration.

use std::time::Duration;

use acequia_core::{CleanEnd, Limits};

use crate::config::{Config, RETENTION_MARGIN, SpannerChangeStream};

/// Limits for a change stream.
pub(super) fn limits(config: &Config, stream: &SpannerChangeStream, retention: Duration) -> Limits {
    let pipeline = &config.pipeline;
    Limits {
        max_open: stream.max_concurrent_queries,
        turn: stream.turn,
        bound: stream.end,
        clean_end: CleanEnd::NeedsSuccessor,
        // Our clock may be behind the service's. What is in the margin counts as expired and is told;
        // taken for readable, an expired partition with a part of its children known would be
        // finished, and the rest of them lost in silence.
        retention: retention.saturating_sub(RETENTION_MARGIN),
        heartbeat: stream.heartbeat_interval,
        stall: stream.heartbeat_interval * stream.stall_after_heartbeats,
        records_in_flight_max: as_u64(pipeline.records_in_flight_max.get()),
        bytes_in_flight_max: as_u64(pipeline.bytes_in_flight_max.get()),
        delivery_records_max: as_u64(pipeline.batch_records_max.get()),
        delivery_bytes_max: as_u64(pipeline.batch_bytes_max.get()),
        save_interval: config.checkpoint_interval,
        ..Limits::default()
    }
}

fn as_u64(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}
