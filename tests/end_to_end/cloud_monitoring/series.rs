//! What is written: names, labels, resources, values and times.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use acequia_host::Outcome;
use acequia_host::config::{self, Source};
use acequia_host::google::monitoring::Exporter;
use acequia_host::spanner::Client;
use acequia_host::spanner::request::Statement;
use acequia_sandbox::bigtable;
use googleapis_tonic_google_monitoring_v3::google::api::metric_descriptor::{
    MetricKind, ValueType,
};
use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::TimeSeries;
use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::typed_value::Value;

use super::super::place::Place;
use super::super::shop::{after, an_hour_ago};
use super::service::CloudMonitoring;
use super::{customers, export, watched};

/// The labels of the metric, and those of the resource.
fn labels(series: &TimeSeries) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let metric = series.metric.clone().unwrap();
    let resource = series.resource.clone().unwrap();
    (
        metric.labels.into_iter().collect(),
        resource.labels.into_iter().collect(),
    )
}

/// The series of a metric and a method that ended well.
fn find<'a>(all: &'a [TimeSeries], metric: &str, method: &str) -> &'a TimeSeries {
    let mut found = all.iter().filter(|series| {
        let metric_of = series.metric.as_ref().unwrap();
        let is =
            |label: &str, value: &str| metric_of.labels.get(label).is_none_or(|is| is == value);
        metric_of.r#type == metric && is("method", method) && is("status", "OK")
    });
    let one = found
        .next()
        .unwrap_or_else(|| panic!("{metric} of {method}"));
    assert!(
        found.next().is_none(),
        "{metric} of {method} is there twice"
    );
    one
}

/// A count, or how many times were measured.
fn count(series: &TimeSeries) -> i64 {
    match series.points[0].value.clone().and_then(|value| value.value) {
        Some(Value::Int64Value(count)) => count,
        Some(Value::DistributionValue(times)) => {
            assert_eq!(times.bucket_counts.iter().sum::<i64>(), times.count);
            times.count
        }
        other => panic!("{other:?}"),
    }
}

fn keys(labels: &BTreeMap<String, String>) -> BTreeSet<&str> {
    labels.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn calls_to_spanner_are_written_as_googles_client_writes_them_when_a_run_ends() {
    let (sandbox, start) = customers();
    let (address, service) = CloudMonitoring::serve().await;
    let place = watched(&sandbox, start, address);
    assert_eq!(place.run().await.unwrap().outcome, Outcome::Finished);

    let all = service.last();
    assert_eq!(service.requests()[0].name, "projects/sandbox");
    assert_eq!(service.params()[0], "name=projects%2Fsandbox");
    // Names, labels and kinds are those of java-spanner, BuiltInMetricsConstant.java.
    const METHOD: &str = "Spanner.ExecuteStreamingSql";
    let opened = i64::try_from(sandbox.stats().opened.values().sum::<u64>()).unwrap();
    for (name, kind) in [
        ("operation_count", ValueType::Int64),
        ("operation_latencies", ValueType::Distribution),
        ("attempt_count", ValueType::Int64),
        ("attempt_latencies", ValueType::Distribution),
    ] {
        let metric = format!("spanner.googleapis.com/internal/client/{name}");
        let series = find(&all, &metric, METHOD);
        assert!(count(series) >= opened && opened > 0, "{name}: {series:?}");
        assert_eq!(series.metric_kind, i32::from(MetricKind::Cumulative));
        assert_eq!(series.value_type, i32::from(kind));
        let (metric, resource) = labels(series);
        assert_eq!(
            keys(&metric),
            BTreeSet::from([
                "method",
                "status",
                "database",
                "client_name",
                "client_uid",
                "directpath_enabled",
                "directpath_used",
            ])
        );
        assert_eq!(metric["database"], "shop");
        assert!(metric["client_name"].starts_with("acequia/"));
        let of_resource = series.resource.as_ref().unwrap();
        assert_eq!(of_resource.r#type, "spanner_instance_client");
        assert_eq!(
            keys(&resource),
            BTreeSet::from([
                "project_id",
                "instance_id",
                "location",
                "instance_config",
                "client_hash",
            ])
        );
        assert_eq!(resource["project_id"], "sandbox");
        assert_eq!(resource["instance_id"], "sandbox");
    }
    assert!(all.iter().all(|series| series.points.len() == 1));
}

#[tokio::test]
async fn calls_to_bigtable_are_written_and_those_to_its_admin_service_are_not() {
    let start = an_hour_ago();
    let history = bigtable::History::starting_at(start).build().unwrap();
    let sandbox = bigtable::Sandbox::start(bigtable::Script::new(history)).unwrap();
    let (address, service) = CloudMonitoring::serve().await;
    let mut place = Place::of_table(&sandbox, start);
    place.set(
        "end-position",
        serde_json::json!(after(start, 2_000).to_string()),
    );
    export(&mut place, address);
    assert_eq!(place.run().await.unwrap().outcome, Outcome::Finished);

    let all = service.last();
    let methods: BTreeSet<_> = all
        .iter()
        .map(|series| labels(series).0["method"].clone())
        .collect();
    assert_eq!(
        methods,
        BTreeSet::from([
            "Bigtable.GenerateInitialChangeStreamPartitions".to_owned(),
            "Bigtable.ReadChangeStream".to_owned(),
        ])
    );
    // Names and labels are those of java-bigtable, internal/csm/metrics and TableSchema.java.
    let common = ["method", "app_profile", "client_name", "client_uid"];
    let of_calls = ["status", "streaming"];
    for (name, more) in [
        ("operation_latencies", &of_calls[..]),
        ("attempt_latencies", &of_calls),
        ("connectivity_error_count", &["status"]),
        ("first_response_latencies", &["status"]),
        ("application_latencies", &[]),
    ] {
        let metric = format!("bigtable.googleapis.com/internal/client/{name}");
        let series = find(&all, &metric, "Bigtable.ReadChangeStream");
        let (metric, resource) = labels(series);
        let expected = common.iter().chain(more).copied().collect();
        assert_eq!(keys(&metric), expected, "{name}");
        let of_resource = series.resource.as_ref().unwrap();
        assert_eq!(of_resource.r#type, "bigtable_client_raw");
        assert_eq!(
            keys(&resource),
            BTreeSet::from(["project_id", "instance", "table", "cluster", "zone"])
        );
        // The sandbox does not say where it serves a call.
        assert_eq!(resource["cluster"], "<unspecified>");
        assert_eq!(resource["zone"], "global");
        match name {
            "connectivity_error_count" => assert_eq!(count(series), 0),
            _ => assert!(count(series) >= 1, "{name}"),
        }
    }
}

#[tokio::test]
async fn every_write_has_the_same_start_a_later_end_and_all_that_was_counted_before() {
    let (sandbox, start) = customers();
    let (address, service) = CloudMonitoring::serve().await;
    let place = watched(&sandbox, start, address);
    let source = config::load(&place.config()).unwrap().source;
    let exporter = Exporter::of(&source).unwrap().unwrap();
    let Source::SpannerChangeStream(stream) = source else {
        panic!("{source:?}");
    };
    let meter = exporter.meter(false);
    let client = Client::new(
        &stream.database,
        &stream.connection,
        &stream.requests,
        meter,
    )
    .unwrap();
    let mut exporter = exporter.every(Duration::from_millis(20));
    let calling = async {
        for written in 1..=4 {
            // Whatever the answer, it is one attempt.
            let _answered = client.query(Statement::new("SELECT 1")).await;
            service.got(2 * written).await;
        }
    };
    tokio::select! {
        () = calling => {}
        never = exporter.run() => match never {},
    }

    const METRIC: &str = "spanner.googleapis.com/internal/client/attempt_count";
    let points: Vec<_> = service
        .requests()
        .iter()
        .map(|request| {
            let is = |series: &&TimeSeries| {
                let metric = series.metric.as_ref().unwrap();
                metric.r#type == METRIC && metric.labels["method"] == "Spanner.ExecuteSql"
            };
            let series = request.time_series.iter().find(is).unwrap();
            let interval = series.points[0].interval.unwrap();
            let instant = |at: prost_types::Timestamp| (at.seconds, at.nanos);
            let start = interval.start_time.map(instant).unwrap();
            let end = interval.end_time.map(instant).unwrap();
            (count(series), start, end)
        })
        .collect();
    let first = points[0];
    assert!(
        points
            .iter()
            .all(|(_, start, end)| *start == first.1 && start < end)
    );
    assert!(points.is_sorted_by(|one, next| one.0 <= next.0 && one.2 < next.2));
    assert_eq!((first.0, points.last().unwrap().0), (1, 4));
}
