//! The options of a snapshot: their defaults, and the rules of the builder that they come from.

use std::path::PathBuf;
use std::time::Duration;

use acequia_host::config::{
    CloudMonitoring, Credentials, Endpoint, Environment, ExistingState, OnExpiry, Origin,
    RequestOptions, RpcPriority, TimestampBound,
};

use crate::support::{batch, batch_refused, of_batch, read_batch, read_batch_in};

#[test]
fn the_source_has_the_defaults_of_the_builder() {
    let source = batch("");
    assert_eq!(source.timestamp_bound, TimestampBound::Strong);
    assert_eq!(source.max_partitions, None);
    assert_eq!(source.partition_size_bytes, None);
    assert!(!source.data_boost_enabled);
    assert_eq!(source.requests, RequestOptions::default());
    assert_eq!(source.max_rows_per_fetch.get(), 1000);
    assert_eq!(source.max_bytes_per_fetch.get(), 12_582_912);
    assert_eq!(source.connection.endpoint, Endpoint::Google);
    assert_eq!(
        source.connection.credentials,
        Credentials::ApplicationDefault
    );
    assert_eq!(source.cloud_monitoring, Some(CloudMonitoring::Google));
    assert!(!read_batch("").unwrap().telemetry.client_metrics);
}

#[test]
fn beyond_the_builder_eight_partitions_are_read_and_an_expired_one_fails() {
    let source = batch("");
    assert_eq!(source.max_concurrent_partitions.get(), 8);
    assert_eq!(source.on_expiry, OnExpiry::Fail);
    let config = read_batch("").unwrap();
    assert_eq!(
        config.deserializer.origin,
        Origin::Builtin("json".to_owned())
    );
    assert!(config.names_filter.lets_all_pass());
    assert_eq!(config.record_id_field.pointer, "/_id");
    assert_eq!(config.existing_state, ExistingState::ResumeOrNew);
    assert_eq!(config.source.end(), None);
}

#[test]
fn every_option_of_the_builder_answers_to_its_own_name() {
    let lines = "database: projects/p/instances/i/databases/d\n\
                 readOperation: { query: SELECT 1 }\n\
                 timestampBound: { ofExactStaleness: 15s }\n\
                 maxPartitions: 3\n\
                 partitionSizeBytes: 1048576\n\
                 dataBoostEnabled: true\n\
                 rpcPriority: low\n\
                 serviceAccountKeyFile: key.json\n\
                 maxRowsPerFetch: 10\n\
                 maxBytesPerFetch: 1024\n\
                 admin-address: 0\n\
                 exportClientMetricsToFlink: true\n\
                 exportClientMetricsToCloudMonitoring: false";
    let config = read_batch_in(Environment::default(), lines).unwrap();
    assert!(config.telemetry.client_metrics);
    let source = of_batch(Ok(config));
    assert_eq!(
        source.timestamp_bound,
        TimestampBound::ExactStaleness(Duration::from_secs(15))
    );
    assert_eq!(source.max_partitions.unwrap().get(), 3);
    assert_eq!(source.partition_size_bytes.unwrap().get(), 1_048_576);
    assert!(source.data_boost_enabled);
    assert_eq!(source.requests.rpc_priority, Some(RpcPriority::Low));
    assert_eq!(
        source.connection.credentials,
        Credentials::KeyFile(PathBuf::from("/etc/acequia/key.json"))
    );
    assert_eq!(source.max_rows_per_fetch.get(), 10);
    assert_eq!(source.max_bytes_per_fetch.get(), 1024);
    assert_eq!(source.cloud_monitoring, None);
}

#[test]
fn database_and_read_operation_are_required() {
    assert_eq!(
        read_batch_in(Environment::default(), "rpc-priority: low").unwrap_err(),
        "database: is missing; projects/P/instances/I/databases/D is required\n\
         read-operation: is missing; { query: … } or { table: … } is required"
    );
}

#[test]
fn a_bound_is_strong_an_instant_or_a_staleness() {
    let bound = |text: &str| batch(&format!("timestamp-bound: {text}")).timestamp_bound;
    assert_eq!(bound("strong"), TimestampBound::Strong);
    assert_eq!(
        bound("{ read-timestamp: 2026-01-31T13:00:00+01:00 }"),
        TimestampBound::ReadTimestamp("2026-01-31T12:00:00Z".parse().unwrap())
    );
    assert_eq!(
        bound("{ exact-staleness: 1h30m }"),
        TimestampBound::ExactStaleness(Duration::from_secs(5400))
    );
    assert_eq!(
        bound("{ exact-staleness: 0s }"),
        TimestampBound::ExactStaleness(Duration::ZERO)
    );
}

#[test]
fn a_bound_of_single_use_transactions_is_refused_with_the_reason() {
    const REASON: &str = "cannot bound this read: Spanner takes it in single-use transactions only, \
                          and every partition joins the one transaction of the plan; write strong, \
                          { read-timestamp: INSTANT } or { exact-staleness: DURATION }";
    for (name, value) in [
        ("min-read-timestamp", "2026-01-31T12:00:00Z"),
        ("minReadTimestamp", "2026-01-31T12:00:00Z"),
        ("max-staleness", "15s"),
        ("ofMaxStaleness", "15s"),
    ] {
        batch_refused(
            &format!("timestamp-bound: {{ {name}: {value} }}"),
            &format!("timestamp-bound.{name}: {REASON}"),
        );
    }
    batch_refused(
        "timestamp-bound: max-staleness",
        &format!("timestamp-bound: {REASON}"),
    );
}

#[test]
fn hints_about_partitions_are_positive() {
    for text in ["0", "-1", "1.5"] {
        batch_refused(
            &format!("max-partitions: {text}"),
            &format!("max-partitions: must be a whole number of at least 1, and is {text}"),
        );
        batch_refused(
            &format!("partition-size-bytes: {text}"),
            &format!(
                "partition-size-bytes: expected a size of at least one byte, such as 256KiB, \
                 12MiB, 1MB or a number of bytes, found {text}"
            ),
        );
    }
    assert_eq!(batch("max-partitions: 1").max_partitions.unwrap().get(), 1);
    let most = "max-partitions: 9223372036854775807\npartition-size-bytes: 9223372036854775807";
    assert!(read_batch(most).is_ok());
    batch_refused(
        "max-partitions: 9223372036854775808\npartition-size-bytes: 9223372036854775808",
        "max-partitions: must be below 2^63\npartition-size-bytes: must be below 2^63",
    );
}

#[test]
fn the_limits_of_a_fetch_are_positive() {
    batch_refused(
        "max-rows-per-fetch: 0\nmax-concurrent-partitions: 0",
        "max-rows-per-fetch: must be a whole number of at least 1, and is 0\n\
         max-concurrent-partitions: must be a whole number of at least 1, and is 0",
    );
    batch_refused(
        "max-bytes-per-fetch: 0",
        "max-bytes-per-fetch: expected a size of at least one byte, such as 256KiB, 12MiB, 1MB or a \
         number of bytes, found 0",
    );
    assert_eq!(batch("max-rows-per-fetch: 1").max_rows_per_fetch.get(), 1);
    assert_eq!(batch("max-bytes-per-fetch: 1").max_bytes_per_fetch.get(), 1);
}

#[test]
fn a_priority_is_low_medium_or_high() {
    let priority = |word: &str| {
        batch(&format!("rpc-priority: {word}"))
            .requests
            .rpc_priority
    };
    assert_eq!(priority("medium"), Some(RpcPriority::Medium));
    assert_eq!(priority("high"), Some(RpcPriority::High));
    let refusal = read_batch("rpc-priority: urgent").unwrap_err();
    assert!(
        refusal.ends_with("known are low, medium, high"),
        "{refusal}"
    );
}

#[test]
fn a_key_file_does_not_go_with_an_emulator() {
    batch_refused(
        "service-account-key-file: key.json\nemulator-endpoint: localhost:9010",
        "service-account-key-file: cannot be combined with emulator-endpoint: the channel to an \
         emulator has no TLS and carries no credentials",
    );
}

#[test]
fn an_emulator_endpoint_is_a_host_and_a_port_from_1_to_65535() {
    let source = batch("emulator-endpoint: localhost:65535");
    assert_eq!(source.connection.credentials, Credentials::None);
    for text in ["localhost", "localhost:0", "localhost:65536"] {
        let refusal = read_batch(&format!("emulator-endpoint: {text}")).unwrap_err();
        let expected = "emulator-endpoint: expected host:port with a port from 1 to 65535";
        assert!(refusal.starts_with(expected), "{refusal}");
    }
}

#[test]
fn metrics_go_to_cloud_monitoring_unless_there_is_an_emulator() {
    let target = |lines: &str| batch(lines).cloud_monitoring;
    assert_eq!(target("emulator-endpoint: localhost:9010"), None);
    assert_eq!(
        target("export-client-metrics-to-cloud-monitoring: false"),
        None
    );
    assert_eq!(
        target("export-client-metrics-to-cloud-monitoring: true"),
        Some(CloudMonitoring::Google)
    );
    assert_eq!(
        target("cloud-monitoring-endpoint: https://monitoring.example.com"),
        Some(CloudMonitoring::Custom(
            "https://monitoring.example.com".to_owned()
        ))
    );
}

#[test]
fn the_environment_turns_the_export_off_and_the_file_turns_it_on_again() {
    let environment = Environment {
        disable_builtin_metrics: true,
    };
    let target = |lines: &str| {
        let required = "database: projects/p/instances/i/databases/d\n\
                        read-operation: { query: SELECT 1 }\n";
        let read = read_batch_in(environment, &format!("{required}{lines}"));
        of_batch(read).cloud_monitoring
    };
    assert_eq!(target(""), None);
    assert_eq!(target("cloud-monitoring-endpoint: https://a"), None);
    assert_eq!(
        target("export-client-metrics-to-cloud-monitoring: true"),
        Some(CloudMonitoring::Google)
    );
}

#[test]
fn with_an_emulator_metrics_go_to_this_machine_alone() {
    let emulator = "emulator-endpoint: localhost:9010\n\
                    export-client-metrics-to-cloud-monitoring: true\n";
    for address in ["http://127.0.0.1:8080", "'http://[::1]:1'"] {
        let source = batch(&format!("{emulator}cloud-monitoring-endpoint: {address}"));
        let address = address.trim_matches('\'').trim_start_matches("http://");
        assert_eq!(
            source.cloud_monitoring,
            Some(CloudMonitoring::Loopback(address.parse().unwrap()))
        );
    }
    for endpoint in ["", "cloud-monitoring-endpoint: https://a"] {
        batch_refused(
            &format!("{emulator}{endpoint}"),
            "export-client-metrics-to-cloud-monitoring: cannot be true with emulator-endpoint, which \
             has no credentials to write with, unless cloud-monitoring-endpoint is a server on this \
             machine",
        );
    }
}

#[test]
fn without_tls_there_is_no_other_machine() {
    for address in [
        "http://localhost:8080",
        "http://10.0.0.1:8080",
        "http://127.0.0.1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:8080/v3",
    ] {
        let refusal = read_batch(&format!("cloud-monitoring-endpoint: {address}")).unwrap_err();
        assert!(
            refusal
                .starts_with("cloud-monitoring-endpoint: expected https://host[:port], or http://"),
            "{refusal}"
        );
    }
}

#[test]
fn a_place_for_metrics_that_are_not_exported_is_refused() {
    let endpoint = "cloud-monitoring-endpoint: https://a\n";
    batch_refused(
        &format!("{endpoint}export-client-metrics-to-cloud-monitoring: false"),
        "cloud-monitoring-endpoint: has no use: export-client-metrics-to-cloud-monitoring is false",
    );
    batch_refused(
        &format!("{endpoint}emulator-endpoint: localhost:9010"),
        "cloud-monitoring-endpoint: has no use: with emulator-endpoint nothing is exported unless \
         export-client-metrics-to-cloud-monitoring is true",
    );
}

#[test]
fn a_given_timestamp_does_not_begin_anew_at_another() {
    let source = batch("on-expiry: begin-anew\ntimestamp-bound: { exact-staleness: 1m }");
    assert_eq!(source.on_expiry, OnExpiry::BeginAnew);
    batch_refused(
        "on-expiry: begin-anew\ntimestamp-bound: { read-timestamp: 2026-01-31T12:00:00Z }",
        "on-expiry: begin-anew has no use with timestamp-bound: { read-timestamp: … }, which means \
         the same timestamp ever after; write fail",
    );
}

#[test]
fn options_of_change_streams_are_refused_with_what_is_there_instead() {
    for (line, instead) in [
        ("changeStreamName: Orders", "spanner-change-stream-source"),
        ("start-position: latest", "timestamp-bound"),
        ("end-position: 2026-01-31T12:00:00Z", "timestamp-bound"),
        ("resumeFallback: latest", "on-expiry"),
        (
            "absent-retention-fallback: 7d",
            "how long it keeps versions",
        ),
        ("heartbeatInterval: 2s", "no heartbeats"),
        ("stall-after-heartbeats: 10", "no heartbeats"),
        (
            "maxConcurrentQueriesPerSubtask: 8",
            "max-concurrent-partitions",
        ),
        ("turn: 30s", "comes to its end"),
        ("tableIncludeList: [A]", "read-operation"),
        ("table-exclude-list: [A]", "read-operation"),
        ("column-include-list: [A]", "read-operation"),
        ("columnExcludeList: [A]", "read-operation"),
        ("names-filter: names", "read-operation"),
        ("skip-messages-without-change: true", "read-operation"),
    ] {
        let refusal = read_batch(line).unwrap_err();
        let name = line.split(':').next().unwrap();
        assert!(
            refusal.starts_with(&format!("{name}: belongs to change streams: ")),
            "{refusal}"
        );
        assert!(refusal.contains(instead), "{refusal}");
    }
}
