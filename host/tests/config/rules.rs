//! The rules of the builder that the options come from, and of the options beside them.

use std::time::Duration;

use acequia_host::config::{Credentials, Endpoint, StartPosition};

use crate::support::{read, read_section, refusal, refused, source};

#[test]
fn database_and_change_stream_are_required() {
    assert_eq!(
        read_section("turn: 1s").unwrap_err(),
        "spanner-change-stream.database: is missing; projects/P/instances/I/databases/D is required\n\
         spanner-change-stream.change-stream-name: is missing; a name is required"
    );
}

#[test]
fn a_blank_change_stream_name_is_refused() {
    for name in ["''", "'  '"] {
        let lines =
            format!("database: projects/p/instances/i/databases/d\nchange-stream-name: {name}");
        assert_eq!(
            read_section(&lines).unwrap_err(),
            "spanner-change-stream.change-stream-name: must not be blank"
        );
    }
}

fn change_stream_refusal(name: &str) -> String {
    let lines = format!("database: projects/p/instances/i/databases/d\nchange-stream-name: {name}");
    read_section(&lines)
        .unwrap_err()
        .replace("spanner-change-stream.change-stream-name: ", "")
}

#[test]
fn a_change_stream_name_with_surrounding_white_space_is_refused() {
    for name in ["' Orders'", "'Orders '", r#""Orders\t""#] {
        assert_eq!(
            change_stream_refusal(name),
            "must not begin or end with white space"
        );
    }
}

#[test]
fn a_change_stream_name_that_would_need_quoting_is_refused() {
    for (name, character) in [
        ("a.b", "'.'"),
        ("a`b", "'`'"),
        (r#"'a"b'"#, "'\"'"),
        ("a-b", "'-'"),
        ("'a;b'", "';'"),
        ("'a b'", "' '"),
        ("Straße", "'ß'"),
    ] {
        let refusal = change_stream_refusal(name);
        assert!(
            refusal.starts_with(&format!("must not hold {character}: ")),
            "{name}: {refusal}"
        );
    }
    assert!(change_stream_refusal("a'b").starts_with("must not hold '\\'': "));
}

#[test]
fn a_change_stream_name_begins_with_a_letter_and_has_at_most_128_characters() {
    assert_eq!(
        change_stream_refusal("'1st'"),
        "must begin with a letter or an underscore, as an SQL identifier does"
    );
    assert_eq!(
        change_stream_refusal(&"a".repeat(129)),
        "must not be longer than 128 characters, and has 129"
    );
    let longest = format!(
        "database: projects/p/instances/i/databases/d\nchange-stream-name: {}",
        "a".repeat(128)
    );
    assert!(read_section(&longest).is_ok());
}

#[test]
fn a_heartbeat_is_one_second_to_five_minutes() {
    for (text, duration) in [
        ("1s", Duration::from_secs(1)),
        ("1500ms", Duration::from_millis(1500)),
        ("5m", Duration::from_secs(300)),
    ] {
        let source = source(&format!("heartbeat-interval: {text}"));
        assert_eq!(source.heartbeat_interval, duration);
    }
    for text in ["999ms", "0s", "5m1ms", "1d"] {
        refused(
            &format!("heartbeat-interval: {text}"),
            "heartbeat-interval: must be from 1s to 5m",
        );
    }
}

#[test]
fn a_heartbeat_is_a_whole_number_of_milliseconds() {
    refused(
        "heartbeat-interval: 1s500us",
        "heartbeat-interval: must be a whole number of milliseconds",
    );
    assert!(read("heartbeat-interval: 1s2000us").is_ok());
}

#[test]
fn the_assumed_retention_is_longer_than_the_margin() {
    for text in ["1m", "59s", "0s"] {
        refused(
            &format!("absent-retention-fallback: {text}"),
            "absent-retention-fallback: must be longer than 1m, \
             the margin that is kept above the oldest readable instant",
        );
    }
    let source = source("absent-retention-fallback: 1m1ms");
    assert_eq!(
        source.absent_retention_fallback,
        Duration::from_millis(60_001)
    );
}

#[test]
fn the_number_of_queries_is_positive() {
    for text in ["0", "-1", "1.5"] {
        refused(
            &format!("max-concurrent-queries: {text}"),
            &format!("max-concurrent-queries: must be a whole number of at least 1, and is {text}"),
        );
    }
    assert_eq!(
        source("max-concurrent-queries: 1")
            .max_concurrent_queries
            .get(),
        1
    );
}

#[test]
fn include_and_exclude_lists_exclude_each_other() {
    refused(
        "table-include-list: [A]\ntable-exclude-list: [B]\n\
         column-include-list: [A.x]\ncolumn-exclude-list: [A.y]",
        "table-exclude-list: cannot be combined with table-include-list: keep one of the two\n\
         column-exclude-list: cannot be combined with column-include-list: keep one of the two",
    );
}

#[test]
fn an_empty_list_is_no_filter_and_so_excludes_nothing() {
    let config = read("table-include-list: []\ntable-exclude-list: [B]").unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"table-exclude-list": ["B"]})
    );
    let config = read("table-include-list: []\ntable-exclude-list: []").unwrap();
    assert_eq!(config.names_filter.config, serde_json::json!({}));
}

#[test]
fn tables_and_columns_may_be_filtered_from_different_sides() {
    let config = read("table-include-list: [A, B]\ncolumn-exclude-list: [A\\.x]").unwrap();
    assert_eq!(
        config.names_filter.config,
        serde_json::json!({"table-include-list": ["A", "B"], "column-exclude-list": ["A\\.x"]})
    );
}

#[test]
fn a_key_file_does_not_go_with_an_emulator() {
    refused(
        "service-account-key-file: key.json\nemulator-endpoint: localhost:9010",
        "service-account-key-file: cannot be combined with emulator-endpoint: \
         the channel to an emulator has no TLS and carries no credentials",
    );
}

#[test]
fn a_blank_key_file_is_refused() {
    refused(
        "service-account-key-file: ' '",
        "service-account-key-file: must not be blank",
    );
}

#[test]
fn an_emulator_endpoint_is_a_host_and_a_port() {
    for (text, host, port) in [
        ("localhost:9010", "localhost", 9010),
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("'[::1]:65535'", "::1", 65535),
    ] {
        let connection = source(&format!("emulator-endpoint: {text}")).connection;
        assert_eq!(connection.credentials, Credentials::None);
        assert_eq!(
            connection.endpoint,
            Endpoint::Emulator {
                host: host.to_owned(),
                port
            }
        );
    }
}

#[test]
fn anything_else_is_no_emulator_endpoint() {
    for text in [
        "localhost",
        "'localhost:'",
        "localhost:0",
        "localhost:65536",
        "localhost:-1",
        "localhost:+1",
        "localhost:9010/v1",
        "':9010'",
        "'::1:9010'",
        "'[::1]'",
        "'[::1:9010'",
        "'[localhost]:9010'",
        "'local host:9010'",
        "' localhost:9010'",
    ] {
        let refusal = refusal(&format!("emulator-endpoint: {text}"));
        assert!(
            refusal.starts_with(
                "emulator-endpoint: expected host:port with a port from 1 to 65535, \
                 such as localhost:9010, found "
            ),
            "{text}: {refusal}"
        );
    }
}

#[test]
fn an_emulator_endpoint_has_no_scheme() {
    let refusal = refusal("emulator-endpoint: http://localhost:9010");
    assert!(refusal.ends_with("; leave the scheme out"), "{refusal}");
}

#[test]
fn a_start_in_the_future_is_left_to_the_run() {
    let source = source("start-position: { at: 9999-01-01T00:00:00Z }");
    assert_eq!(
        source.start,
        StartPosition::At("9999-01-01T00:00:00Z".parse().unwrap())
    );
}

#[test]
fn an_end_before_the_start_is_refused_and_one_at_the_start_is_not() {
    let start = "start-position: { at: 2026-01-02T00:00:00Z }\n";
    refused(
        &format!("{start}end-position: 2026-01-01T23:59:59.999999999Z"),
        "end-position: 2026-01-01T23:59:59.999999999Z lies before start-position, \
         2026-01-02T00:00:00Z",
    );
    assert!(read(&format!("{start}end-position: 2026-01-02T01:00:00+01:00")).is_ok());
}

#[test]
fn dead_letters_need_a_place() {
    refused(
        "pipeline: { on-failure: dead-letter }",
        "sink: has no place for dead letters, which pipeline.on-failure asks for; \
         write { stdout: { dead-letter-path: FILE } }",
    );
    assert!(
        read(
            "pipeline: { on-failure: dead-letter }\n\
             sink: { stdout: { dead-letter-path: failed.ndjson } }"
        )
        .is_ok()
    );
}

#[test]
fn a_debug_of_the_configuration_shows_no_key() {
    let config = read(r#"credentials-json: '{"private_key": "hunter2"}'"#).unwrap();
    let shown = format!("{config:?}");
    assert!(
        shown.contains("Secret(…)") && !shown.contains("hunter2"),
        "{shown}"
    );
}

#[test]
fn a_refusal_shows_no_key() {
    for lines in [
        "credentials-json: hunter2",
        r#"credentials-json: '{"private_key": "hunter2"'"#,
        "credentials-json: [hunter2]",
        "credentials-json: '\"hunter2\"'",
    ] {
        let refusal = refusal(lines);
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
}

#[test]
fn a_syntax_error_shows_nothing_of_the_text() {
    for broken in [
        r#"credentials-json: {"private_key": "hunter2" "x": 1}"#,
        r#"credentials-json: "{\hunter2}""#,
        "credentials-json: *hunter2",
        "credentials-json: 'hunter2",
        "credentials-json: |\nhunter2\n\thunter2: [",
        "credentials-json: @hunter2",
        "credentials-json: !hunter2 hunter2: hunter2",
        "credentials-json: hunter2: hunter2",
        "credentials-json: %hunter2",
    ] {
        let refusal = refusal(broken);
        assert!(!refusal.contains("hunter2"), "{broken}: {refusal}");
    }
}
