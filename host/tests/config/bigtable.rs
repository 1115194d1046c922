//! The options of a Bigtable change stream: their defaults, and the rules of the two builders that they
//! come from.

use std::path::PathBuf;
use std::time::Duration;

use acequia_host::config::{
    CheckpointStore, Config, Credentials, Endpoint, ExistingState, Origin, StartPosition,
};

use crate::support::{bigtable, bigtable_refused, read_bigtable, read_bigtable_section};

#[test]
fn the_source_has_the_defaults_of_the_builders() {
    let source = bigtable("");
    assert_eq!(source.table.to_string(), "projects/p/instances/i/tables/t");
    assert_eq!(source.app_profile.as_str(), "single");
    assert_eq!(source.change_stream_name, None);
    assert_eq!(source.start, StartPosition::Latest);
    assert_eq!(source.resume_fallback, None);
    assert_eq!(source.bounded_timestamp, None);
    assert_eq!(source.max_concurrent_streams.get(), 2);
    assert_eq!(source.heartbeat_interval, Duration::from_secs(5));
    assert_eq!(source.read_change_stream_timeout, None);
    assert_eq!(
        source.backlog_replication_adjustment,
        Duration::from_secs(30)
    );
    assert!(!source.skip_messages_without_change && !source.without_validation);
}

#[test]
fn every_mutation_passes_and_turns_are_those_of_the_other_source() {
    let source = bigtable("");
    assert!(source.include_garbage_collection);
    assert!(source.source_clusters.is_empty());
    assert_eq!(source.turn, Duration::from_secs(30));
    assert_eq!(source.stall_after_heartbeats, 10);
    let config = read_bigtable("").unwrap();
    assert_eq!(
        config.deserializer.origin,
        Origin::Builtin("json".to_owned())
    );
    assert_eq!(
        config.names_filter.origin,
        Origin::Builtin("names".to_owned())
    );
    assert_eq!(config.names_filter.config, serde_json::json!({}));
    assert_eq!(config.existing_state, ExistingState::ResumeOrNew);
}

#[test]
fn both_services_are_googles_with_the_credentials_of_the_machine() {
    let source = bigtable("");
    assert_eq!(source.connection.endpoint, Endpoint::Google);
    assert_eq!(source.admin_endpoint, Endpoint::Google);
    assert_eq!(
        source.connection.credentials,
        Credentials::ApplicationDefault
    );
    assert_eq!(source.connection.message_bytes_max.get(), 256 << 20);
}

#[test]
fn an_emulator_is_asked_for_data_and_for_tables() {
    let source = bigtable("emulator-endpoint: localhost:8086");
    assert!(matches!(
        source.connection.endpoint,
        Endpoint::Emulator { port: 8086, .. }
    ));
    assert_eq!(source.admin_endpoint, source.connection.endpoint);
    assert_eq!(source.connection.credentials, Credentials::None);
}

#[test]
fn a_table_is_one_name_its_parts_or_three_ids() {
    for lines in [
        "table: projects/example.com:p/instances/i/tables/t",
        "table: { project: example.com:p, instance: i, table: t }",
        "project-id: example.com:p\ninstance-id: i\ntable-id: t",
        "withProjectId: example.com:p\nwithInstanceId: i\nwithTableId: t",
    ] {
        let config = read_bigtable_section(&format!("{lines}\nappProfileId: single")).unwrap();
        assert_eq!(
            config.source.names(),
            [(
                "table",
                "projects/example.com:p/instances/i/tables/t".to_owned()
            )]
        );
    }
}

#[test]
fn a_table_is_named_once_and_wholly() {
    bigtable_refused(
        "table-id: t",
        "table-id: cannot be combined with table, which says it too",
    );
    assert_eq!(
        read_bigtable_section("app-profile-id: single\nproject-id: p\ntable-id: t").unwrap_err(),
        "instance-id: is missing; project-id, instance-id and table-id name a table together"
    );
    assert_eq!(
        read_bigtable_section("turn: 1s").unwrap_err(),
        "table: is missing; write projects/P/instances/I/tables/T, or project-id, instance-id and \
         table-id\n\
         app-profile-id: is missing; a name is required"
    );
}

#[test]
fn a_blank_application_profile_is_refused() {
    for blank in ["''", "' '", "\"\\u2028\""] {
        let lines = format!("table: projects/p/instances/i/tables/t\napp-profile-id: {blank}");
        let refusal = read_bigtable_section(&lines).unwrap_err();
        assert!(
            refusal.ends_with(
                "cannot be a name: it must not be blank, nor hold slashes or white space"
            ),
            "{refusal}"
        );
    }
}

#[test]
fn every_option_of_the_first_builder_answers_to_its_own_name() {
    let lines = "startPosition: earliest\n\
                 resumeFallback: latest\n\
                 boundedTimestamp: 2027-01-01T00:00:00Z\n\
                 maxConcurrentStreamsPerSubtask: 3\n\
                 familyIncludeList: [cf]\n\
                 qualifierExcludeList: ['cf:Zm9v']\n\
                 skipMessagesWithoutChange: true\n\
                 serviceAccountKeyFile: key.json\n\
                 admin-address: 0\n\
                 exportClientMetricsToFlink: true";
    let source = bigtable(lines);
    assert_eq!(source.start, StartPosition::Earliest);
    assert_eq!(source.resume_fallback, Some(StartPosition::Latest));
    assert_eq!(
        source.bounded_timestamp,
        Some("2027-01-01T00:00:00Z".parse().unwrap())
    );
    assert_eq!(source.max_concurrent_streams.get(), 3);
    assert!(source.skip_messages_without_change);
    let config = read_bigtable(lines).unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"family-include-list": ["cf"], "qualifier-exclude-list": ["cf:Zm9v"]})
    );
    assert!(config.telemetry.client_metrics);
}

#[test]
fn every_option_of_the_second_builder_answers_to_its_own_name() {
    let lines = "withStartTime: 2026-01-01T00:00:00Z\n\
                 withChangeStreamName: orders-1\n\
                 withExistingPipelineOptions: RESUME_OR_FAIL\n\
                 withReadChangeStreamTimeout: 15s\n\
                 withBacklogReplicationAdjustment: 0s\n\
                 withoutValidation: true";
    let source = bigtable(lines);
    assert_eq!(
        source.start,
        StartPosition::At("2026-01-01T00:00:00Z".parse().unwrap())
    );
    assert_eq!(source.change_stream_name.unwrap().as_str(), "orders-1");
    assert_eq!(
        source.read_change_stream_timeout,
        Some(Duration::from_secs(15))
    );
    assert_eq!(source.backlog_replication_adjustment, Duration::ZERO);
    assert!(source.without_validation);
    let config = read_bigtable(lines).unwrap();
    assert_eq!(config.existing_state, ExistingState::ResumeOrFail);
}

#[test]
fn existing_state_has_the_words_of_the_builder_too() {
    let state = |word: &str| {
        let read = read_bigtable(&format!("existing-pipeline-options: {word}"));
        read.map(|config| config.existing_state)
    };
    assert_eq!(state("RESUME_OR_NEW"), Ok(ExistingState::ResumeOrNew));
    assert_eq!(state("FAIL_IF_EXISTS"), Ok(ExistingState::FailIfExists));
    assert_eq!(state("new"), Ok(ExistingState::New));
    assert_eq!(
        state("SKIP_CLEANUP").unwrap_err(),
        "existing-pipeline-options: SKIP_CLEANUP is meant for tests only; to begin anew whatever is \
         there, write new"
    );
    assert!(state("resume_or_new").is_err());
}

#[test]
fn options_of_the_builders_that_are_not_there_say_why() {
    for name in [
        "metadata-table-project-id",
        "withMetadataTableInstanceId",
        "metadata-table-id",
        "metadataTableAppProfileId",
        "withCreateOrUpdateMetadataTable",
    ] {
        let refusal = read_bigtable(&format!("{name}: a")).unwrap_err();
        assert_eq!(
            refusal,
            format!(
                "{name}: belongs to a later version, which can keep its state in a table of \
                 Bigtable; here it is kept in files: see checkpoint"
            )
        );
    }
}

#[test]
fn a_named_state_lies_in_a_folder_of_the_directory_and_in_the_identity() {
    let directory = |config: Config| match config.checkpoint {
        CheckpointStore::File { directory } => Some(directory),
        CheckpointStore::None => None,
    };
    for (lines, expected) in [
        ("", "/etc/acequia/orders.checkpoint"),
        (
            "change-stream-name: a.1",
            "/etc/acequia/orders.checkpoint/a.1",
        ),
        (
            "checkpoint: { directory: /var/state }\nchange-stream-name: a",
            "/var/state/a",
        ),
    ] {
        let config = read_bigtable(lines).unwrap();
        let is_named = lines.contains("change-stream-name");
        assert_eq!(config.source.names().len(), 1 + usize::from(is_named));
        assert_eq!(directory(config), Some(PathBuf::from(expected)));
    }
    for name in ["..", ".a", "a/b", "a b", "ü"] {
        let refusal = read_bigtable(&format!("change-stream-name: {name}")).unwrap_err();
        assert!(
            refusal.starts_with("change-stream-name: must be at most 100 letters"),
            "{refusal}"
        );
    }
}

#[test]
fn a_start_is_a_position_or_a_time() {
    bigtable_refused(
        "start-position: latest\nstart-time: 2026-01-01T00:00:00Z",
        "start-time: cannot be combined with start-position: both say where reading begins",
    );
    bigtable_refused(
        "start-time: 2026-01-02T00:00:00Z\nbounded-timestamp: 2026-01-01T00:00:00Z",
        "bounded-timestamp: 2026-01-01T00:00:00Z lies before start-time, 2026-01-02T00:00:00Z",
    );
}

#[test]
fn a_stream_outlasts_a_heartbeat() {
    let message = "read-change-stream-timeout: must be longer than heartbeat-interval, 5s: a quiet \
                   stream would be ended before it reports";
    bigtable_refused("read-change-stream-timeout: 5s", message);
    let lines = "read-change-stream-timeout: 5s\nheartbeat-interval: 1s";
    assert!(read_bigtable(lines).is_ok());
    bigtable_refused(
        "read-change-stream-timeout: 0s",
        "read-change-stream-timeout: must be longer than zero",
    );
}

#[test]
fn heartbeats_need_no_whole_milliseconds_and_have_the_bounds_of_the_other_source() {
    let source = bigtable("heartbeat-interval: 1s500us");
    assert_eq!(source.heartbeat_interval, Duration::from_micros(1_000_500));
    for text in ["999ms", "5m1us"] {
        bigtable_refused(
            &format!("heartbeat-interval: {text}"),
            "heartbeat-interval: must be from 1s to 5m",
        );
    }
}

#[test]
fn the_number_of_streams_is_positive() {
    bigtable_refused(
        "max-concurrent-streams: 0",
        "max-concurrent-streams: must be a whole number of at least 1, and is 0",
    );
}

#[test]
fn families_and_qualifiers_are_filtered_from_one_side_each() {
    bigtable_refused(
        "family-include-list: [a]\nfamily-exclude-list: [b]\n\
         qualifier-include-list: ['a:']\nqualifier-exclude-list: ['b:']",
        "family-exclude-list: cannot be combined with family-include-list: keep one of the two\n\
         qualifier-exclude-list: cannot be combined with qualifier-include-list: keep one of the two",
    );
    let config = read_bigtable("family-exclude-list: []\nfamily-include-list: [a]").unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"family-include-list": ["a"]})
    );
    assert_eq!(config.names_filter.config_path, "bigtable-change-stream");
}

#[test]
fn clusters_are_ids_each_of_which_counts_once() {
    let source = bigtable("source-cluster-include-list: [b, a, b]");
    let ids: Vec<_> = source
        .source_clusters
        .iter()
        .map(|id| id.as_str())
        .collect();
    assert_eq!(ids, ["a", "b"]);
    bigtable_refused(
        "source-cluster-include-list: [a, '']",
        "source-cluster-include-list[1]: \"\" cannot be a name: it must not be blank, nor hold \
         slashes or white space",
    );
}

#[test]
fn without_validation_nothing_is_asked_that_only_the_admin_service_knows() {
    for option in ["start-position", "resume-fallback"] {
        bigtable_refused(
            &format!("without-validation: true\n{option}: earliest"),
            &format!(
                "{option}: earliest needs the retention of the table, which is not asked for with \
                 without-validation; write {{ at: INSTANT }} or {{ ago: DURATION }}"
            ),
        );
        let ago = format!("without-validation: true\n{option}: {{ ago: 1h }}");
        assert!(read_bigtable(&ago).is_ok());
    }
    bigtable_refused(
        "without-validation: true\nadmin-endpoint: https://a",
        "admin-endpoint: has no use with without-validation: the admin service is not asked",
    );
    let source = bigtable("admin-endpoint: https://a");
    assert_eq!(
        source.admin_endpoint,
        Endpoint::Custom("https://a".to_owned())
    );
}

#[test]
fn a_section_of_another_connector_is_refused_by_its_type() {
    let refusal = read_bigtable("").map(|config| config.meta.connector_type);
    assert_eq!(refusal, Ok("bigtable-change-stream-source".to_owned()));
    let file = "meta: { name: a, type: bigtable-change-stream-source, version: 0.1.0 }\n\
                spanner-change-stream: {}";
    let refusal = acequia_host::config::parse(file, std::path::Path::new(".")).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "bigtable-change-stream: is missing; a mapping is required\n\
         spanner-change-stream: is the section of another connector: meta.type would be \
         spanner-change-stream-source"
    );
}
