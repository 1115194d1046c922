//! Whether and where metrics of the client are written to Cloud Monitoring, of the change streams.

use acequia_host::config::CloudMonitoring;

use crate::support::{bigtable, bigtable_refused, refused, source};

const EXPORT: &str = "export-client-metrics-to-cloud-monitoring: true\n";
const LOCAL: &str = "cloud-monitoring-endpoint: http://127.0.0.1:8080\n";
const EMULATOR: &str = "emulator-endpoint: localhost:9010\n";

fn local() -> Option<CloudMonitoring> {
    Some(CloudMonitoring::Loopback(([127, 0, 0, 1], 8080).into()))
}

#[test]
fn bigtable_exports_unless_it_is_told_not_to_or_an_emulator_is_used() {
    // The builder's option is on by default.
    let of = |lines: &str| bigtable(lines).cloud_monitoring;
    assert_eq!(of(""), Some(CloudMonitoring::Google));
    assert_eq!(of(EXPORT), Some(CloudMonitoring::Google));
    assert_eq!(of("exportClientMetricsToCloudMonitoring: false"), None);
    assert_eq!(of(EMULATOR), None);
    assert_eq!(of(LOCAL), local());
}

#[test]
fn a_change_stream_of_spanner_exports_only_if_it_is_told_to() {
    let of = |lines: &str| source(lines).cloud_monitoring;
    assert_eq!(of(""), None);
    assert_eq!(of(EMULATOR), None);
    assert_eq!(of(EXPORT), Some(CloudMonitoring::Google));
    assert_eq!(of(&format!("{EXPORT}{LOCAL}")), local());
    refused(
        LOCAL,
        "cloud-monitoring-endpoint: has no use: nothing is exported unless \
         export-client-metrics-to-cloud-monitoring is true",
    );
}

#[test]
fn nothing_leaves_the_machine_with_an_emulator() {
    let local = format!("{EMULATOR}{EXPORT}{LOCAL}");
    assert!(bigtable(&local).cloud_monitoring.is_some());
    assert!(source(&local).cloud_monitoring.is_some());
    let google = format!("{EMULATOR}{EXPORT}");
    let elsewhere = format!("{google}cloud-monitoring-endpoint: https://a.example");
    for lines in [google, elsewhere] {
        let reason = "export-client-metrics-to-cloud-monitoring: cannot be true with \
                      emulator-endpoint, which has no credentials to write with, unless \
                      cloud-monitoring-endpoint is a server on this machine";
        bigtable_refused(&lines, reason);
        refused(&lines, reason);
    }
}

#[test]
fn another_name_of_the_service_has_tls_or_is_on_this_machine() {
    let custom = "cloud-monitoring-endpoint: https://a.example:8443";
    assert_eq!(
        bigtable(custom).cloud_monitoring,
        Some(CloudMonitoring::Custom("https://a.example:8443".to_owned()))
    );
    for endpoint in [
        "http://10.0.0.1:80",
        "http://127.0.0.1:0",
        "http://localhost:80",
    ] {
        bigtable_refused(
            &format!("cloud-monitoring-endpoint: {endpoint}"),
            &format!(
                "cloud-monitoring-endpoint: expected https://host[:port], or http:// with a loopback \
                 address and a port, such as http://127.0.0.1:8080, found {endpoint:?}"
            ),
        );
    }
}
