//! What is written: one point of each series.

use std::time::SystemTime;

use googleapis_tonic_google_monitoring_v3::google::api::distribution::BucketOptions;
use googleapis_tonic_google_monitoring_v3::google::api::distribution::bucket_options::{
    Explicit, Options,
};
use googleapis_tonic_google_monitoring_v3::google::api::metric_descriptor::{
    MetricKind, ValueType,
};
use googleapis_tonic_google_monitoring_v3::google::api::{self};
use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::typed_value::Value;
use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::{
    CreateTimeSeriesRequest, Point, TimeInterval, TimeSeries, TypedValue,
};

use super::distribution::Distribution;
use super::ledger::{Reading, Series};
use super::subject::Subject;

/// The most series of one request.
///
/// Source: google/monitoring/v3/metric_service.proto, CreateTimeSeriesRequest.time_series
const SERIES_MAX: usize = 200;

/// The requests that write a reading; none where nothing was measured.
pub(super) fn requests(subject: &Subject, reading: &Reading) -> Vec<CreateTimeSeriesRequest> {
    let counts = reading.counts.iter();
    let counts = counts.map(|(series, count)| (series, ValueType::Int64, counted(*count)));
    let times = reading.times.iter();
    let times = times.map(|(series, times)| (series, ValueType::Distribution, distributed(times)));
    let series: Vec<_> = counts
        .chain(times)
        .map(|(series, kind, value)| time_series(subject, reading, series, kind, value))
        .collect();
    let chunks = series.chunks(SERIES_MAX);
    chunks
        .map(|chunk| CreateTimeSeriesRequest {
            name: format!("projects/{}", subject.project),
            time_series: chunk.to_vec(),
        })
        .collect()
}

/// A point of a cumulative series counts from its start to its end.
///
/// Source: google/monitoring/v3/common.proto, TimeInterval
fn time_series(
    subject: &Subject,
    reading: &Reading,
    series: &Series,
    value_type: ValueType,
    value: Value,
) -> TimeSeries {
    let interval = TimeInterval {
        start_time: Some(timestamp(reading.start)),
        end_time: Some(timestamp(reading.end)),
    };
    TimeSeries {
        metric: Some(subject.metric(series)),
        resource: Some(subject.resource(series)),
        metric_kind: MetricKind::Cumulative.into(),
        value_type: value_type.into(),
        points: vec![Point {
            interval: Some(interval),
            value: Some(TypedValue { value: Some(value) }),
        }],
        ..TimeSeries::default()
    }
}

fn counted(count: u64) -> Value {
    Value::Int64Value(signed(count))
}

fn distributed(times: &Distribution) -> Value {
    let explicit = Explicit {
        bounds: times.bounds.to_vec(),
    };
    Value::DistributionValue(api::Distribution {
        count: signed(times.count()),
        mean: times.mean_ms(),
        bucket_options: Some(BucketOptions {
            options: Some(Options::ExplicitBuckets(explicit)),
        }),
        bucket_counts: times.counts.iter().copied().map(signed).collect(),
        ..api::Distribution::default()
    })
}

/// The service's numbers have a sign.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn timestamp(at: SystemTime) -> prost_types::Timestamp {
    prost_types::Timestamp::from(at)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::time::Duration;

    use tonic::Code;

    use super::super::super::measure::{Call, Measure};
    use super::super::client_id::ClientId;
    use super::super::ledger::Ledger;
    use super::super::place::Place;
    use super::*;
    use crate::config;

    const METHODS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

    fn subject() -> Subject {
        let text = "
            apiVersion: 0.1.0
            meta: { name: a, type: spanner-change-stream-source, version: 0.1.0, topic: a }
            spanner-change-stream:
              database: projects/p1/instances/i1/databases/d1
              change-stream-name: s1
        ";
        let config = config::parse(text, Path::new("/")).unwrap();
        Subject::of(&config.source, &ClientId::new())
    }

    fn attempted(ledger: &Ledger, method: &'static str, code: Code) {
        let call = Call {
            method,
            code,
            place: Place::default(),
        };
        let measure = Measure::Attempt {
            time: Duration::from_millis(7),
            reached: true,
            timed: false,
        };
        ledger.enter(call, measure);
    }

    #[test]
    fn no_request_has_more_series_than_the_service_takes_and_none_is_lost() {
        let subject = subject();
        let ledger = Ledger::new(subject.family);
        for method in METHODS {
            // gRPC has 17 codes, and an attempt is counted and timed: 8 * 17 * 2 = 272 series.
            (0..17).for_each(|code| attempted(&ledger, method, Code::from(code)));
        }
        let requests = requests(&subject, &ledger.reading());
        let sizes: Vec<_> = requests.iter().map(|it| it.time_series.len()).collect();
        assert_eq!(sizes, [200, 72]);
        let all = requests.iter().flat_map(|request| &request.time_series);
        let metrics = all.map(|series| format!("{:?}", labels(series)));
        assert_eq!(metrics.collect::<BTreeSet<_>>().len(), 272);
        assert!(requests.iter().all(|it| it.name == "projects/p1"));
    }

    fn labels(series: &TimeSeries) -> BTreeSet<(String, String)> {
        let metric = series.metric.clone().unwrap_or_default();
        let name = ("type".to_owned(), metric.r#type);
        metric.labels.into_iter().chain([name]).collect()
    }

    #[test]
    fn points_start_where_the_run_did_end_later_and_later_and_count_on() {
        let subject = subject();
        let ledger = Ledger::new(subject.family);
        let mut ends = Vec::new();
        for expected in 1..=3 {
            attempted(&ledger, "A", Code::Ok);
            std::thread::sleep(Duration::from_millis(1));
            let reading = ledger.reading();
            let requests = requests(&subject, &reading);
            let [count, times] = requests[0].time_series.as_slice() else {
                panic!("a count and its times: {requests:#?}");
            };
            assert_eq!(value(count), Value::Int64Value(expected));
            let Value::DistributionValue(times) = value(times) else {
                panic!("{times:?}");
            };
            assert_eq!((times.count, times.mean), (expected, 7.0));
            assert_eq!(times.bucket_counts.iter().sum::<i64>(), expected);
            // The bounds are 0, 0.5, 1, 2, ..., 7, 8: the ninth of them is 7.
            assert_eq!(times.bucket_counts[9], expected);
            let interval = count.points[0].interval.unwrap();
            assert_eq!(interval.start_time, Some(timestamp(reading.start)));
            ends.push(interval.end_time.map(|end| (end.seconds, end.nanos)));
            assert!(reading.start < reading.end);
        }
        assert!(ends.is_sorted_by(|one, next| one < next), "{ends:?}");
    }

    fn value(series: &TimeSeries) -> Value {
        let value = series.points[0].value.clone();
        value.and_then(|value| value.value).unwrap()
    }

    #[test]
    fn nothing_is_written_where_nothing_was_measured() {
        let subject = subject();
        let reading = Ledger::new(subject.family).reading();
        assert!(requests(&subject, &reading).is_empty());
    }
}
