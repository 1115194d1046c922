//! The metrics endpoint.

use std::collections::BTreeMap;

use acequia_sandbox::spanner::History;
use serde_json::{Value, json};

use super::run::{self, Asked};
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::{after, an_hour_ago, customer, serve};

fn history(start: jiff::Timestamp) -> History {
    History::starting_at(start)
        .partition("a")
        .commit(after(start, 10), "a", [customer(1), customer(2)])
        .split(after(start, 100), "a", &["b", "c"])
        .commit(after(start, 150), "b", [customer(3)])
        .build()
        .unwrap()
}

/// The samples of Prometheus' text format: name with labels, and value.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
pub(crate) fn samples(text: &str) -> BTreeMap<String, f64> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let value = value
                .parse()
                .unwrap_or_else(|error| panic!("{line}: {error}"));
            (series.to_owned(), value)
        })
        .collect()
}

async fn scrape(asked: &Asked) -> BTreeMap<String, f64> {
    let read =
        |status: &Value| status["totals"]["outputs"] == 3 && status["checkpoint"].is_object();
    asked.status_when("read", read).await;
    let answer = asked.get("/metrics").await;
    assert!(
        answer
            .head
            .contains("content-type: text/plain; version=0.0.4")
    );
    samples(&answer.body)
}

#[tokio::test]
async fn counts_and_states_are_those_of_the_status() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    let asked = run::start(&mut place).await;
    let samples = scrape(&asked).await;
    for (series, value) in [
        ("acequia_records_total", 2.0),
        ("acequia_outputs_total", 3.0),
        ("acequia_partition_splits_total", 1.0),
        ("acequia_partition_merges_total", 0.0),
        ("acequia_partitions_found_total", 3.0),
        ("acequia_partitions{state=\"open\"}", 2.0),
        ("acequia_dead_letters_total", 0.0),
        ("acequia_ready", 1.0),
        (
            "acequia_guest_records_total{role=\"deserializer\",component=\"json\"}",
            2.0,
        ),
    ] {
        assert_eq!(samples.get(series), Some(&value), "{series}: {samples:#?}");
    }
    for series in [
        "acequia_watermark_lag_seconds",
        "acequia_last_record_age_seconds",
        "acequia_checkpoint_age_seconds",
        "acequia_checkpoint_bytes",
        "acequia_retention_headroom_seconds",
        "acequia_partition_headroom_seconds{partition=\"b\"}",
        "acequia_sink_sync_seconds_count",
        "acequia_guest_memory_bytes{role=\"deserializer\",component=\"json\"}",
    ] {
        assert!(samples.get(series) > Some(&0.0), "{series}: {samples:#?}");
    }
    // The root query and its child are finished.
    assert!(
        !samples
            .keys()
            .any(|series| series.contains("{partition=\"a\"}"))
    );
    let of_client = samples
        .keys()
        .filter(|series| series.starts_with("acequia_client"));
    assert_eq!(of_client.count(), 0);
}

#[tokio::test]
async fn every_series_has_a_help_text_and_a_type() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    place.set("export-client-metrics", json!(true));
    let asked = run::start(&mut place).await;
    scrape(&asked).await;
    let text = asked.get("/metrics").await.body;
    for series in samples(&text).keys() {
        let name = series.split('{').next().unwrap();
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(name);
        for line in [format!("# HELP {family} "), format!("# TYPE {family} ")] {
            assert!(text.contains(&line), "no {line}");
        }
    }
}

#[tokio::test]
async fn the_clients_calls_are_counted_by_method_where_it_is_asked_for() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::endless(&sandbox, start);
    place.set("export-client-metrics", json!(true));
    let asked = run::start(&mut place).await;
    let samples = scrape(&asked).await;
    let opened = sandbox.stats().opened.values().sum::<u64>();
    let streams = "method=\"ExecuteStreamingSql\"";
    for series in [
        format!("acequia_client_operations_total{{{streams},code=\"OK\"}}"),
        format!("acequia_client_attempts_total{{{streams},code=\"OK\"}}"),
    ] {
        let value = samples.get(&series).copied().unwrap_or_default();
        #[allow(clippy::cast_precision_loss, reason = "a handful of streams")]
        let opened = opened as f64;
        assert!(value >= opened, "{series}: {value} of {opened}");
    }
    let sessions = "acequia_client_attempts_total{method=\"CreateSession\",code=\"OK\"}";
    assert_eq!(samples.get(sessions), Some(&1.0));
    // The sandbox, like the emulator, has no front end that tells its time.
    let without = format!("acequia_client_attempts_without_server_time_total{{{streams}}}");
    assert!(samples.get(without.as_str()) > Some(&0.0));
    let errors = samples
        .keys()
        .filter(|series| series.contains("connectivity_errors"));
    assert_eq!(errors.count(), 0);
}
