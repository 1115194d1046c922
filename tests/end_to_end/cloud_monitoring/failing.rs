//! What cannot be written does not hold up a run.

use tonic::Status;

use super::super::process;
use super::service::CloudMonitoring;
use super::{customers, watched};

#[tokio::test]
async fn a_run_that_may_not_write_says_what_to_grant_and_how_to_do_without_and_reads_on() {
    let (sandbox, start) = customers();
    let (address, service) = CloudMonitoring::serve().await;
    service.refuse(Some(Status::permission_denied("no")));
    let place = watched(&sandbox, start, address);
    let ended = process::run(&place.config()).await;

    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines().len(), 2);
    assert!(!service.requests().is_empty());
    let warnings = ended
        .stderr
        .lines()
        .filter(|line| line.contains("Cloud Monitoring"));
    let warnings: Vec<_> = warnings.collect();
    let [warning] = warnings.as_slice() else {
        panic!("{}", ended.stderr);
    };
    for part in [
        "WARN",
        "CreateServiceTimeSeries",
        "roles/monitoring.metricWriter",
        "project sandbox",
        "export-client-metrics-to-cloud-monitoring: false",
    ] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_is_a_warning() {
    let (sandbox, start) = customers();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nowhere = listener.local_addr().unwrap();
    drop(listener);
    let place = watched(&sandbox, start, nowhere);
    let ended = process::run(&place.config()).await;

    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(place.lines().len(), 2);
    let warning = "client metrics are not written to Cloud Monitoring";
    assert!(ended.stderr.contains(warning), "{}", ended.stderr);
}
