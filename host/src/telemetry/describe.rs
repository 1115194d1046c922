//! What each metric is: the help text that monitoring systems show.

use metrics::{describe_counter, describe_gauge, describe_histogram};

use super::publish::PARTITION_SERIES_MAX;

/// Describes all metrics to the recorder.
pub(super) fn describe() {
    COUNTERS
        .iter()
        .for_each(|(name, help)| describe_counter!(*name, *help));
    GAUGES
        .iter()
        .for_each(|(name, help)| describe_gauge!(*name, *help));
    HISTOGRAMS
        .iter()
        .for_each(|(name, help)| describe_histogram!(*name, *help));
    for (name, what) in OF_PARTITIONS {
        let help = format!("{what}, for the {PARTITION_SERIES_MAX} partitions furthest behind");
        describe_gauge!(*name, help);
    }
}

const COUNTERS: &[(&str, &str)] = &[
    (
        "acequia_records_total",
        "records read; repeats at a boundary are not counted",
    ),
    (
        "acequia_record_bytes_total",
        "bytes of the records read, as they wait for the sink",
    ),
    (
        "acequia_outputs_total",
        "outputs that are durable in the sink",
    ),
    (
        "acequia_records_dropped_total",
        "records that a filter removed, by reason",
    ),
    (
        "acequia_values_dropped_total",
        "values of columns that do not pass the names filter",
    ),
    (
        "acequia_records_skipped_total",
        "records that a component failed on and policy left out",
    ),
    ("acequia_dead_letters_total", "records kept as dead letters"),
    (
        "acequia_records_repeated_total",
        "records that came again at a boundary and were dropped",
    ),
    ("acequia_partitions_found_total", "partitions found"),
    (
        "acequia_partitions_finished_total",
        "partitions read to their end",
    ),
    (
        "acequia_partition_splits_total",
        "partitions that ended in several",
    ),
    (
        "acequia_partition_merges_total",
        "partitions that follow several",
    ),
    (
        "acequia_partition_moves_total",
        "partitions that ended in one of their own",
    ),
    ("acequia_streams_opened_total", "streams opened"),
    (
        "acequia_streams_reopened_total",
        "streams opened for a partition that had one before",
    ),
    (
        "acequia_streams_ended_early_total",
        "clean ends of streams that were not the end of the partition",
    ),
    (
        "acequia_streams_retried_total",
        "failures after which a stream is opened again",
    ),
    (
        "acequia_streams_stalled_total",
        "streams closed because the server said nothing",
    ),
    (
        "acequia_stream_failures_total",
        "failures of streams, by the gRPC code of the answer",
    ),
    (
        "acequia_turns_total",
        "turns of partitions that ended because others waited",
    ),
    (
        "acequia_tokens_reconciled_total",
        "tokens of merges that did not come about, each read for itself",
    ),
    (
        "acequia_tokenless_restarts_total",
        "row ranges that a closed one left to nobody, read again without a token",
    ),
    (
        "acequia_restarts_total",
        "expired positions after which reading began again",
    ),
    ("acequia_checkpoints_total", "checkpoints saved"),
    ("acequia_guest_calls_total", "calls into a component"),
    (
        "acequia_guest_records_total",
        "records given to a component",
    ),
    (
        "acequia_guest_failures_total",
        "records that a component failed on",
    ),
    (
        "acequia_guest_traps_total",
        "calls that were stopped: traps, time limits, memory limits",
    ),
    (
        "acequia_guest_call_microseconds_total",
        "time in calls into a component, in microseconds",
    ),
    (
        "acequia_client_operations_total",
        "calls to the service with all their attempts, by method and gRPC code",
    ),
    (
        "acequia_client_attempts_total",
        "attempts of calls to the service, by method and gRPC code",
    ),
    (
        "acequia_client_retries_total",
        "streams that were opened because the last one of their partition failed",
    ),
    (
        "acequia_client_connectivity_errors_total",
        "attempts that failed before the service answered, by method",
    ),
    (
        "acequia_client_attempts_without_server_time_total",
        "attempts whose answer does not say the server's own time, by method",
    ),
];

const GAUGES: &[(&str, &str)] = &[
    (
        "acequia_backlog_bytes",
        "bytes of all partitions that are probably left to be read",
    ),
    ("acequia_info", "1; its labels say what runs"),
    ("acequia_uptime_seconds", "time since the process began"),
    ("acequia_ready", "1 while it reads"),
    (
        "acequia_degraded",
        "how many things are not as they should be; /readyz says which",
    ),
    (
        "acequia_watermark_lag_seconds",
        "how far the instant up to which everything is durable is behind now",
    ),
    (
        "acequia_last_record_age_seconds",
        "time since a record was read",
    ),
    (
        "acequia_retention_headroom_seconds",
        "how long until the oldest position is older than the retention, if it stays",
    ),
    (
        "acequia_in_flight_records",
        "records read and not yet durable",
    ),
    ("acequia_in_flight_bytes", "their bytes"),
    (
        "acequia_held",
        "1 while readers are held because too much is in flight",
    ),
    ("acequia_partitions", "partitions by what they do"),
    (
        "acequia_partitions_unfinished",
        "partitions that are not finished",
    ),
    (
        "acequia_checkpoint_age_seconds",
        "time since a checkpoint was saved",
    ),
    ("acequia_checkpoint_bytes", "size of the last checkpoint"),
    (
        "acequia_checkpoint_generation",
        "number of the last checkpoint",
    ),
    (
        "acequia_sink_busy_seconds",
        "how long the sink has been at what it does now; 0 while idle",
    ),
    (
        "acequia_guest_memory_bytes",
        "the largest memory of one instance of a component",
    ),
];

const HISTOGRAMS: &[(&str, &str)] = &[
    (
        "acequia_sink_write_seconds",
        "time to write one group of batches",
    ),
    (
        "acequia_sink_sync_seconds",
        "time to make one group of batches durable",
    ),
    (
        "acequia_client_operation_seconds",
        "time of a call to the service with all its attempts; of a stream, until the service answers",
    ),
    (
        "acequia_client_attempt_seconds",
        "time of one attempt; of a stream, until the service answers",
    ),
    (
        "acequia_client_first_response_seconds",
        "from the opening of a stream to its first message",
    ),
    (
        "acequia_client_application_seconds",
        "time of a stream during which its last message was worked on here",
    ),
    (
        "acequia_client_server_seconds",
        "the server's own time as its answer says it, by method and front end",
    ),
];

const OF_PARTITIONS: &[(&str, &str)] = &[
    (
        "acequia_partition_headroom_seconds",
        "how long until the position is older than the retention",
    ),
    (
        "acequia_partition_backlog_bytes",
        "bytes of a partition that are probably left to be read",
    ),
    (
        "acequia_partition_lag_seconds",
        "how far the watermark is behind now",
    ),
];
