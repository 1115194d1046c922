//! Options that exclude each other: neither the reader nor the schema takes both.

use acequia_host::config::{CONNECTORS, Connector};
use serde_json::{Value, json};

use crate::schema::{read, validator, with};

type Pair<'a> = [(&'a str, &'a Value); 2];

/// Either option is right alone, and both are wrong together.
fn exclude_each_other(connector: &Connector, [first, second]: Pair<'_>) {
    let validator = validator(connector);
    let section = connector.section.name;
    let mut file = with(connector, &[section, first.0], first.1.clone());
    assert!(
        read(&file).is_ok() && validator.is_valid(&file),
        "{first:?}"
    );
    file[section][second.0] = second.1.clone();
    assert!(read(&file).is_err(), "{first:?} {second:?}");
    assert!(!validator.is_valid(&file), "{first:?} {second:?}");
}

#[test]
fn options_that_exclude_each_other_are_refused_by_both() {
    let (key, server) = (json!("key.json"), json!("localhost:9010"));
    let json_key = json!("{\"type\": \"service_account\"}");
    let https = json!("https://a");
    for connector in &CONNECTORS {
        for [first, second] in [
            [
                ("service-account-key-file", &key),
                ("emulator-endpoint", &server),
            ],
            [
                ("serviceAccountKeyFile", &key),
                ("emulatorEndpoint", &server),
            ],
            [
                ("credentials-json", &json_key),
                ("emulator-endpoint", &server),
            ],
            [
                ("credentials-json", &json_key),
                ("service-account-key-file", &key),
            ],
            [("endpoint", &https), ("emulator-endpoint", &server)],
        ] {
            exclude_each_other(connector, [first, second]);
        }
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table of pairs")]
fn options_of_one_connector_that_exclude_each_other_are_refused_by_both() {
    let (list, guest) = (json!(["A"]), json!({ "path": "a.wasm" }));
    let (server, https) = (json!("localhost:9010"), json!("https://a"));
    let time = json!("2026-01-31T12:00:00Z");
    let (second, number) = (json!("1s"), json!(2));
    let [spanner, bigtable, batch] = &CONNECTORS;
    for (connector, pair) in [
        (
            spanner,
            [
                ("heartbeat-interval", &second),
                ("heartbeatInterval", &second),
            ],
        ),
        (
            bigtable,
            [
                ("heartbeat-interval", &second),
                ("heartbeatInterval", &second),
            ],
        ),
        (
            batch,
            [("max-partitions", &number), ("maxPartitions", &number)],
        ),
        (
            spanner,
            [("table-include-list", &list), ("table-exclude-list", &list)],
        ),
        (
            spanner,
            [("column-include-list", &list), ("columnExcludeList", &list)],
        ),
        (
            spanner,
            [("names-filter", &guest), ("column-exclude-list", &list)],
        ),
        (
            bigtable,
            [
                ("family-include-list", &list),
                ("family-exclude-list", &list),
            ],
        ),
        (
            bigtable,
            [
                ("qualifierIncludeList", &list),
                ("qualifier-exclude-list", &list),
            ],
        ),
        (
            bigtable,
            [("names-filter", &guest), ("family-include-list", &list)],
        ),
        (
            bigtable,
            [("admin-endpoint", &https), ("emulator-endpoint", &server)],
        ),
        (
            bigtable,
            [("start-time", &time), ("start-position", &json!("latest"))],
        ),
    ] {
        exclude_each_other(connector, pair);
    }
    for (connector, include, exclude) in [
        (spanner, "table-include-list", "table-exclude-list"),
        (bigtable, "qualifier-include-list", "qualifier-exclude-list"),
    ] {
        let section = connector.section.name;
        let mut file = with(connector, &[section, include], list.clone());
        file[section][exclude] = json!([]);
        assert!(read(&file).is_ok() && validator(connector).is_valid(&file));
    }
}
