//! The scheduler's limits, from the configuration.

use std::time::Duration;

use acequia_core::{Backoff, CleanEnd, Limits};

use crate::config::{
    BigtableChangeStream, Config, RETENTION_MARGIN, Source, SpannerBatch, SpannerChangeStream,
};

/// Our clock may be behind the service's. What is in the margin counts as expired and is told; taken
/// for readable, an expired partition with a part of its children known would be finished, and the rest
/// of them lost in silence.
pub(super) const MARGIN: Duration = RETENTION_MARGIN;

/// How long a stream of Bigtable is tried again at the longest.
///
/// Source: java-bigtable, ClientOperationSettings.java: 10 ms, doubled, at most a minute.
const BIGTABLE_BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(10),
    factor_tenths: 20,
    max: Duration::from_secs(60),
};

/// Limits for what a configuration reads.
pub(super) fn limits(config: &Config, retention: Duration) -> Limits {
    let pipeline = &config.pipeline;
    let shared = Limits {
        bound: config.source.end(),
        retention: retention.saturating_sub(MARGIN),
        records_in_flight_max: as_u64(pipeline.records_in_flight_max.get()),
        bytes_in_flight_max: as_u64(pipeline.bytes_in_flight_max.get()),
        delivery_records_max: as_u64(pipeline.batch_records_max.get()),
        delivery_bytes_max: as_u64(pipeline.batch_bytes_max.get()),
        save_interval: config.checkpoint_interval,
        ..Limits::default()
    };
    match &config.source {
        Source::SpannerChangeStream(stream) => of_spanner(stream, shared),
        Source::BigtableChangeStream(stream) => of_bigtable(stream, shared),
        Source::SpannerBatch(batch) => of_batch(batch, shared),
    }
}

fn of_spanner(stream: &SpannerChangeStream, shared: Limits) -> Limits {
    Limits {
        max_open: stream.max_concurrent_queries,
        turn: stream.turn,
        clean_end: CleanEnd::NeedsSuccessor,
        heartbeat: stream.heartbeat_interval,
        stall: stream.heartbeat_interval * stream.stall_after_heartbeats,
        ..shared
    }
}

fn of_bigtable(stream: &BigtableChangeStream, shared: Limits) -> Limits {
    Limits {
        max_open: stream.max_concurrent_streams,
        turn: stream.turn,
        clean_end: CleanEnd::Reopens,
        heartbeat: stream.heartbeat_interval,
        stall: stream.heartbeat_interval * stream.stall_after_heartbeats,
        backoff: BIGTABLE_BACKOFF,
        ..shared
    }
}

fn of_batch(batch: &SpannerBatch, shared: Limits) -> Limits {
    Limits {
        max_open: batch.max_concurrent_partitions,
        clean_end: CleanEnd::Finishes,
        ..shared
    }
}

fn as_u64(value: usize) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}
