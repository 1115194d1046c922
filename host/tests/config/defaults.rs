//! What a file means that says only what is required.

use std::path::{Path, PathBuf};
use std::time::Duration;

use acequia_host::config::{
    CheckpointStore, Credentials, Endpoint, ExistingState, OnFailure, Origin, RequestOptions, Sink,
    StartPosition,
};

use crate::support::{read, source};

#[test]
fn the_source_has_the_defaults_of_the_builder() {
    let source = source("");
    assert_eq!(
        source.database.to_string(),
        "projects/p/instances/i/databases/d"
    );
    assert_eq!(source.change_stream.as_str(), "Orders");
    assert_eq!(source.start, StartPosition::Latest);
    assert_eq!(source.end, None);
    assert_eq!(source.resume_fallback, None);
    assert_eq!(
        source.absent_retention_fallback,
        Duration::from_secs(7 * 24 * 3600)
    );
    assert_eq!(source.heartbeat_interval, Duration::from_secs(2));
    assert_eq!(source.requests, RequestOptions::default());
    assert_eq!(source.max_concurrent_queries.get(), 8);
    assert!(!source.skip_messages_without_change);
}

#[test]
fn the_source_is_the_service_with_the_credentials_of_the_machine() {
    let connection = source("").connection;
    assert_eq!(connection.endpoint, Endpoint::Google);
    assert_eq!(connection.credentials, Credentials::ApplicationDefault);
    assert_eq!(connection.message_bytes_max.get(), 256 * 1024 * 1024);
}

#[test]
fn a_partition_has_turns_of_thirty_seconds_and_stalls_after_ten_heartbeats() {
    let source = source("");
    assert_eq!(source.turn, Duration::from_secs(30));
    assert_eq!(source.stall_after_heartbeats, 10);
}

#[test]
fn the_built_in_guests_shape_and_choose() {
    let config = read("").unwrap();
    assert_eq!(
        config.deserializer.origin,
        Origin::Builtin("json".to_owned())
    );
    assert_eq!(config.deserializer.config, serde_json::json!({}));
    assert_eq!(
        config.deserializer.config_path,
        "spanner-change-stream.deserializer.config"
    );
    assert_eq!(
        config.names_filter.origin,
        Origin::Builtin("names".to_owned())
    );
    assert_eq!(config.names_filter.config_path, "spanner-change-stream");
    assert_eq!(config.record_filter, None);
}

#[test]
fn the_pipeline_has_the_measured_sizes() {
    let pipeline = read("").unwrap().pipeline;
    assert_eq!(pipeline.batch_records_max.get(), 128);
    assert_eq!(pipeline.batch_bytes_max.get(), 256 * 1024);
    assert_eq!(pipeline.linger, Duration::from_millis(5));
    assert_eq!(pipeline.on_failure, OnFailure::Fail);
    assert_eq!(pipeline.guest_timeout, Duration::from_secs(5));
    assert_eq!(pipeline.guest_memory_bytes_max.get(), 256 * 1024 * 1024);
    assert_eq!(pipeline.records_in_flight_max.get(), 8192);
    assert_eq!(pipeline.bytes_in_flight_max.get(), 16 * 1024 * 1024);
}

#[test]
fn progress_is_kept_beside_the_file_every_second() {
    let config = read("").unwrap();
    assert_eq!(config.base_dir, Path::new("/etc/acequia"));
    assert_eq!(
        config.checkpoint,
        CheckpointStore::File {
            directory: PathBuf::from("/etc/acequia/orders.checkpoint")
        }
    );
    assert_eq!(config.checkpoint_interval, Duration::from_secs(1));
    assert_eq!(config.existing_state, ExistingState::ResumeOrNew);
    assert!(!config.existing_state_written_out);
}

#[test]
fn outputs_go_to_standard_output_with_their_id_at_id() {
    let config = read("").unwrap();
    assert_eq!(
        config.sink,
        Sink::Stdout {
            dead_letter_path: None
        }
    );
    assert_eq!(config.record_id_field.pointer, "/id");
    assert!(!config.record_id_field.written_out);
    assert_eq!(config.drain_timeout, Duration::from_secs(20));
    assert_eq!(config.warnings, Vec::<String>::new());
}
