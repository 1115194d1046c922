//! The forms that a value may be written in.

use std::path::PathBuf;
use std::time::Duration;

use acequia_host::config::{
    CheckpointStore, Credentials, DirectedRead, Endpoint, ExistingState, Origin, ReplicaSelection,
    ReplicaType, RpcPriority, Secret, Sink, StartPosition,
};

use crate::support::{read, read_section, refused, source};

#[test]
fn a_database_is_a_resource_name_or_its_three_parts() {
    let written = read_section(
        "database: { project: example.com:p, instance: i, database: d }\nchange-stream-name: S",
    );
    let database = "projects/example.com:p/instances/i/databases/d".to_owned();
    let names = written.unwrap().source.names();
    assert!(names.contains(&("database", database)));
}

#[test]
fn a_start_is_latest_earliest_an_instant_or_ago() {
    for (text, start) in [
        ("latest", StartPosition::Latest),
        ("earliest", StartPosition::Earliest),
        (
            "{ at: 2026-01-01T01:00:00+01:00 }",
            StartPosition::At("2026-01-01T00:00:00Z".parse().unwrap()),
        ),
        (
            "{ ago: 1h30m }",
            StartPosition::Ago(Duration::from_secs(5400)),
        ),
    ] {
        assert_eq!(source(&format!("start-position: {text}")).start, start);
        assert_eq!(
            source(&format!("resume-fallback: {text}")).resume_fallback,
            Some(start)
        );
    }
}

#[test]
fn every_option_of_the_builder_answers_to_its_own_name() {
    let source = source(
        "startPosition: earliest\n\
         resumeFallback: latest\n\
         absentRetentionFallback: 1d\n\
         heartbeatInterval: 3s\n\
         rpcPriority: low\n\
         maxConcurrentQueriesPerSubtask: 3\n\
         skipMessagesWithoutChange: true\n\
         serviceAccountKeyFile: key.json",
    );
    assert_eq!(source.start, StartPosition::Earliest);
    assert_eq!(source.resume_fallback, Some(StartPosition::Latest));
    assert_eq!(
        source.absent_retention_fallback,
        Duration::from_secs(24 * 3600)
    );
    assert_eq!(source.heartbeat_interval, Duration::from_secs(3));
    assert_eq!(source.requests.rpc_priority, Some(RpcPriority::Low));
    assert_eq!(source.max_concurrent_queries.get(), 3);
    assert!(source.skip_messages_without_change);
    assert_eq!(
        source.connection.credentials,
        Credentials::KeyFile(PathBuf::from("/etc/acequia/key.json"))
    );
}

#[test]
fn the_lists_of_the_builder_answer_to_their_own_names() {
    let config = read("tableIncludeList: [A]\ncolumnIncludeList: [A.x]").unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"table-include-list": ["A"], "column-include-list": ["A.x"]})
    );
    let config = read("tableExcludeList: [A]\ncolumnExcludeList: [A.x]").unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"table-exclude-list": ["A"], "column-exclude-list": ["A.x"]})
    );
    let section = "database: projects/p/instances/i/databases/d\n\
                   changeStreamName: S\nemulatorEndpoint: localhost:9010\n\
                   max-concurrent-queries-per-subtask: 2";
    assert!(read_section(section).is_ok());
}

#[test]
fn an_option_under_two_names_is_refused_with_both() {
    refused(
        "heartbeat-interval: 2s\nheartbeatInterval: 3s",
        "heartbeatInterval: is another name of heartbeat-interval, which is given too; keep one",
    );
}

#[test]
fn a_guest_is_a_name_or_a_place_with_a_configuration() {
    let config = read(
        "deserializer:\n\
         \x20 path: ./shape.wasm\n\
         \x20 sha256: 000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F\n\
         \x20 config: { depth: 2, tags: [a, null], on: true }\n\
         names-filter: { builtin: names, config: { table-include-list: [A] } }\n\
         record-filter: { path: /opt/keep.wasm }",
    )
    .unwrap();
    assert_eq!(
        config.deserializer.origin,
        Origin::Path(PathBuf::from("/etc/acequia/./shape.wasm"))
    );
    let digest: Vec<u8> = (0..32).collect();
    assert_eq!(config.deserializer.sha256.unwrap().as_slice(), digest);
    assert_eq!(
        config.deserializer.config,
        serde_json::json!({"depth": 2, "tags": ["a", null], "on": true})
    );
    assert_eq!(
        config.names_filter.config_path,
        "spanner-change-stream.names-filter.config"
    );
    let filter = config.record_filter.unwrap();
    assert_eq!(filter.origin, Origin::Path(PathBuf::from("/opt/keep.wasm")));
}

#[test]
fn errors_of_a_guest_stand_at_the_place_of_its_configuration() {
    let config = read("table-include-list: ['(']").unwrap();
    let problem = config
        .names_filter
        .problem("table-include-list[0]", "is no pattern");
    assert_eq!(
        problem.to_string(),
        "spanner-change-stream.table-include-list[0]: is no pattern"
    );
}

#[test]
fn a_file_sink_has_its_dead_letters_beside_it() {
    let sink = read("sink: { file: { path: out/orders.ndjson } }")
        .unwrap()
        .sink;
    assert_eq!(
        sink,
        Sink::File {
            path: PathBuf::from("/etc/acequia/out/orders.ndjson"),
            dead_letter_path: PathBuf::from("/etc/acequia/out/orders.dead-letter.ndjson"),
        }
    );
}

#[test]
fn a_checkpoint_is_a_directory_or_none() {
    let config =
        read("checkpoint: { directory: state, interval: 250ms }\nexisting-state: resume-or-fail")
            .unwrap();
    assert_eq!(
        config.checkpoint,
        CheckpointStore::File {
            directory: PathBuf::from("/etc/acequia/state")
        }
    );
    assert_eq!(config.checkpoint_interval, Duration::from_millis(250));
    assert_eq!(config.existing_state, ExistingState::ResumeOrFail);
    assert!(config.existing_state_written_out);
    assert_eq!(
        read("checkpoint: none").unwrap().checkpoint,
        CheckpointStore::None
    );
}

#[test]
fn replicas_are_included_or_excluded() {
    let requests = source(
        "directed-read:\n\
         \x20 include:\n\
         \x20   replicas: [{ location: us-east1, type: read-only }, { type: read-write }]\n\
         \x20   auto-failover-disabled: true",
    )
    .requests;
    assert_eq!(
        requests.directed_read,
        Some(DirectedRead::Include {
            replicas: vec![
                ReplicaSelection {
                    location: Some("us-east1".to_owned()),
                    replica_type: Some(ReplicaType::ReadOnly),
                },
                ReplicaSelection {
                    location: None,
                    replica_type: Some(ReplicaType::ReadWrite),
                },
            ],
            auto_failover_disabled: true,
        })
    );
}

#[test]
fn an_endpoint_of_the_service_has_tls() {
    let connection = source("endpoint: https://spanner.us-east1.rep.googleapis.com:443").connection;
    assert_eq!(
        connection.endpoint,
        Endpoint::Custom("https://spanner.us-east1.rep.googleapis.com:443".to_owned())
    );
    refused(
        "endpoint: http://example.com",
        "endpoint: must be https: without TLS there is only emulator-endpoint",
    );
}

#[test]
fn a_key_is_a_json_text_quoted_or_not() {
    for text in [
        r#"'{"type":"service_account"}'"#,
        r#"{"type": "service_account"}"#,
    ] {
        let connection = source(&format!("credentials-json: {text}")).connection;
        assert_eq!(
            connection.credentials,
            Credentials::Json(Secret::new(r#"{"type":"service_account"}"#.to_owned()))
        );
    }
}
