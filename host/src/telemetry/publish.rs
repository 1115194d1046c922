//! From a status to metrics.

use metrics::{counter, gauge};

use crate::status::{Guest, Status, Totals, short};

/// Partitions that have series of their own: those with the least headroom. All of them would be
/// too many for a monitoring system; `/status` has more.
pub(super) const PARTITION_SERIES_MAX: usize = 100;

/// Sets every counter and gauge that a status has.
pub(super) fn publish(status: &Status) {
    gauge!("acequia_info", "version" => status.acequia, "connector" => status.connector.clone(), "name" => status.name.clone())
        .set(1.0);
    gauge!("acequia_uptime_seconds").set(status.uptime_seconds);
    gauge!("acequia_ready").set(if status.ready { 1.0 } else { 0.0 });
    gauge!("acequia_degraded").set(as_f64(count(status.degraded.len())));
    set(
        "acequia_watermark_lag_seconds",
        status.watermark_lag_seconds,
    );
    set(
        "acequia_last_record_age_seconds",
        status.last_record_age_seconds,
    );
    set(
        "acequia_retention_headroom_seconds",
        status.headroom_seconds,
    );
    totals(&status.totals);
    in_flight(status);
    partitions(status);
    checkpoint(status);
    sink(status);
    status.guests.iter().for_each(guest);
}

fn totals(totals: &Totals) {
    counter!("acequia_records_total").absolute(totals.records);
    counter!("acequia_record_bytes_total").absolute(totals.bytes);
    counter!("acequia_outputs_total").absolute(totals.outputs);
    for (reason, records) in [
        ("table", totals.dropped_by_table),
        ("without-change", totals.dropped_without_change),
        ("origin", totals.dropped_by_origin),
        ("record-filter", totals.filtered),
    ] {
        counter!("acequia_records_dropped_total", "reason" => reason).absolute(records);
    }
    counter!("acequia_values_dropped_total").absolute(totals.dropped_values);
    counter!("acequia_records_skipped_total").absolute(totals.skipped);
    counter!("acequia_dead_letters_total").absolute(totals.dead_letters);
    counter!("acequia_records_repeated_total").absolute(totals.repeats);
    counter!("acequia_partitions_found_total").absolute(totals.found);
    counter!("acequia_partitions_finished_total").absolute(totals.finished);
    counter!("acequia_partition_splits_total").absolute(totals.splits);
    counter!("acequia_partition_merges_total").absolute(totals.merges);
    counter!("acequia_partition_moves_total").absolute(totals.moves);
    counter!("acequia_streams_opened_total").absolute(totals.openings);
    counter!("acequia_streams_reopened_total").absolute(totals.reopenings);
    counter!("acequia_streams_ended_early_total").absolute(totals.early_ends);
    counter!("acequia_streams_retried_total").absolute(totals.retries);
    counter!("acequia_streams_stalled_total").absolute(totals.stalls);
    counter!("acequia_turns_total").absolute(totals.turns);
    counter!("acequia_tokens_reconciled_total").absolute(totals.reconciled);
    counter!("acequia_tokenless_restarts_total").absolute(totals.tokenless_restarts);
    counter!("acequia_restarts_total").absolute(totals.restarts);
    counter!("acequia_checkpoints_total").absolute(totals.saves);
}

fn in_flight(status: &Status) {
    let in_flight = &status.in_flight;
    gauge!("acequia_in_flight_records").set(as_f64(in_flight.records));
    gauge!("acequia_in_flight_bytes").set(as_f64(in_flight.bytes));
    gauge!("acequia_held").set(if in_flight.held { 1.0 } else { 0.0 });
}

fn partitions(status: &Status) {
    let partitions = &status.partitions;
    for (state, number) in [
        ("open", partitions.open),
        ("queued", partitions.queued),
        ("waiting", partitions.waiting),
    ] {
        gauge!("acequia_partitions", "state" => state).set(as_f64(number));
    }
    gauge!("acequia_partitions_unfinished").set(as_f64(partitions.unfinished));
    if let Some(backlog) = partitions.backlog_bytes {
        gauge!("acequia_backlog_bytes").set(as_f64(backlog));
    }
    for partition in partitions.list.iter().take(PARTITION_SERIES_MAX) {
        let token = short(&partition.token);
        gauge!("acequia_partition_headroom_seconds", "partition" => token.clone())
            .set(partition.headroom_seconds);
        if let Some(backlog) = partition.backlog_bytes {
            gauge!("acequia_partition_backlog_bytes", "partition" => token.clone())
                .set(as_f64(backlog));
        }
        gauge!("acequia_partition_lag_seconds", "partition" => token).set(partition.lag_seconds);
    }
}

fn checkpoint(status: &Status) {
    if let Some(checkpoint) = &status.checkpoint {
        gauge!("acequia_checkpoint_age_seconds").set(checkpoint.age_seconds);
        gauge!("acequia_checkpoint_bytes").set(as_f64(checkpoint.bytes));
        gauge!("acequia_checkpoint_generation").set(as_f64(checkpoint.generation));
    }
}

fn sink(status: &Status) {
    let busy = status.sink.busy_seconds.unwrap_or_default();
    gauge!("acequia_sink_busy_seconds").set(busy);
}

fn guest(guest: &Guest) {
    let labels = [
        ("role", guest.role.to_owned()),
        ("component", guest.name.clone()),
    ];
    counter!("acequia_guest_calls_total", &labels).absolute(guest.calls);
    counter!("acequia_guest_records_total", &labels).absolute(guest.records);
    counter!("acequia_guest_failures_total", &labels).absolute(guest.failures);
    counter!("acequia_guest_traps_total", &labels).absolute(guest.traps);
    counter!("acequia_guest_call_microseconds_total", &labels).absolute(micros(guest.seconds));
    gauge!("acequia_guest_memory_bytes", &labels).set(as_f64(guest.memory_bytes));
}

fn set(name: &'static str, value: Option<f64>) {
    if let Some(value) = value {
        gauge!(name).set(value);
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a metric has a float's precision"
)]
fn as_f64(value: u64) -> f64 {
    value as f64
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are positive, and a million years fit"
)]
fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}
