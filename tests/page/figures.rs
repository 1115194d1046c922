//! Health, rates, waits, costs: what the page says in figures.

use std::time::Duration;

use serde_json::{Value, json};

use super::answers;
use super::site::Answer;
use super::visit::Visit;

#[test]
fn a_degraded_connector_is_ready_and_says_why_it_is_degraded() {
    let Some(visit) = Visit::at_desk("a_degraded_connector_says_why") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(seen.text("name"), "orders");
    assert_eq!(
        seen.text("source"),
        "spanner-change-stream · change-stream ShopStream · database projects/p/instances/i/databases/shop"
    );
    assert_eq!(seen.text("phase"), "reading");
    assert_eq!(seen.text("health"), "degraded");
    assert_eq!(seen.texts("degraded"), ["the watermark is 90 s behind"]);
    assert_eq!(seen.text("lag"), "1 min 30 s");
    assert_eq!(seen.text("watermark"), "watermark 02:28:30 UTC");
    assert_eq!(seen.text("last-record"), "last record 400 ms ago");
}

#[test]
fn a_connector_that_is_not_ready_is_not_called_degraded() {
    let Some(visit) = Visit::at_desk("a_connector_that_is_not_ready") else {
        return;
    };
    let mut status = answers::busy();
    status["ready"] = json!(false);
    status["degraded"] = json!([]);
    let seen = visit.see(status);
    assert_eq!(seen.text("health"), "not ready");
    assert!(seen.texts("degraded").is_empty());
}

#[test]
fn rates_are_differences_of_totals_over_the_connectors_own_time() {
    let Some(visit) = Visit::at_desk("rates_are_differences_of_totals") else {
        return;
    };
    let answer = |number| Answer::Status(answers::later(answers::busy(), number));
    let (seen, asked) = visit.lasts(Duration::from_secs(21)).go(answer);
    assert_eq!(seen.text("rate-records"), "1,000/s");
    assert_eq!(seen.text("rate-bytes"), "1.5 MiB/s");
    assert_eq!(seen.text("rate-outputs"), "500/s");
    assert_eq!(seen.rows("guests")[0][7], "25 %");
    assert!((10..=12).contains(&asked), "asked {asked} times in 21 s");
}

#[test]
fn rates_begin_anew_with_a_new_run() {
    let Some(visit) = Visit::at_desk("rates_begin_anew_with_a_new_run") else {
        return;
    };
    let (seen, _) = visit.go(|number| {
        let mut status = answers::later(answers::busy(), number);
        if number >= 2 {
            status["started_at"] = json!("2026-12-01T02:31:00Z");
            status["uptime_seconds"] = json!(number * 2);
            status["totals"]["records"] = json!(number * 20);
        }
        Answer::Status(status)
    });
    assert_eq!(seen.text("rate-records"), "10/s");
}

#[test]
fn what_is_in_flight_stands_against_its_limit_with_what_it_waits_for() {
    let Some(visit) = Visit::at_desk("what_is_in_flight_stands_against_its_limit") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(seen.text("flight-records"), "8,000 of 8,192 records");
    assert_eq!(seen.text("flight-bytes"), "4.0 MiB of 16 MiB");
    assert_eq!(
        seen.text("flight-waits"),
        "Reading is held: it waits for the sink."
    );
}

#[test]
fn each_partition_says_why_it_waits_and_for_how_long() {
    let Some(visit) = Visit::at_desk("each_partition_says_why_it_waits") else {
        return;
    };
    let seen = visit.see(answers::busy());
    let waits: Vec<(&str, &str)> = seen
        .rows("table")
        .iter()
        .map(|row| (row[0], row[6]))
        .collect();
    // The furthest behind comes first.
    assert_eq!(
        waits,
        [
            (
                "queued",
                "for a place to be read, 1 min 28 s2 of 2 places are taken"
            ),
            ("backing", "for its next try, 500 msUNAVAILABLE, try 3"),
            ("held", "for the sink, 3.3 sthe sink is writing"),
            ("last", "for another partition, 5 swaits for north-c to end"),
            (
                "draining",
                "for the checkpoint to be saved, 250 ms2 records are not saved"
            ),
            ("north-c", ""),
            ("open", "for the server, 2.4 sno frame since 02:29:57"),
        ]
    );
    assert_eq!(
        seen.text("wait-counts"),
        "Waiting: 1 for the server, 1 for the sink, 1 for a place to be read, 1 for its next try, \
         1 for the checkpoint to be saved, 1 for another partition."
    );
    assert_eq!(
        seen.text("partition-counts"),
        "2 open, 1 queued, 1 waiting, 7 unfinished"
    );
}

#[test]
fn the_table_is_sorted_by_the_column_that_is_chosen_and_unknown_goes_last() {
    let Some(visit) = Visit::at_desk("the_table_is_sorted_by_the_column_that_is_chosen") else {
        return;
    };
    let mut status = answers::busy();
    status["partitions"]["list"][3]["headroom_seconds"] = json!(1200.0);
    status["partitions"]["list"][0]["headroom_seconds"] = Value::Null;
    let seen = visit
        .act(
            r##"
            const head = all("#heads button").find(button => button.textContent === "Headroom");
            head.click();
            head.click();
            "##,
        )
        .see(status);
    let rows = seen.rows("table");
    assert_eq!(rows[0][0], "queued");
    assert_eq!(rows[0][3], "⚠ 20 min");
    assert_eq!(rows[6][0], "north-c");
    assert_eq!(rows[6][3], "–");
}

#[test]
fn guests_show_what_they_cost() {
    let Some(visit) = Visit::at_desk("guests_show_what_they_cost") else {
        return;
    };
    let seen = visit.see(answers::busy());
    assert_eq!(
        seen.rows("guests"),
        [
            [
                "json 0.1.0deserializer · pure · sha256 0f0f0f0f0f0f",
                "9,000",
                "900,000",
                "2",
                "1",
                "100 ms",
                "1.0 ms",
                "50 %",
                "2.0 MiB",
            ],
            [
                "names 0.1.0names filter · pure · sha256 0f0f0f0f0f0f",
                "40",
                "4,000",
                "2",
                "1",
                "100 µs",
                "1.0 µs",
                "0.0 %",
                "2.0 MiB",
            ],
        ]
    );
}

#[test]
fn sink_checkpoint_and_totals_are_shown() {
    let Some(visit) = Visit::at_desk("sink_checkpoint_and_totals_are_shown") else {
        return;
    };
    let seen = visit.see(answers::busy());
    for (list, term, value) in [
        ("sink", "Kind", "file"),
        ("sink", "Batches", "2,000"),
        ("sink", "Busy with this batch for", "3.3 s"),
        ("sink", "Writing a batch", "2.0 ms"),
        ("sink", "Syncing a batch", "30 ms"),
        ("checkpoint", "Age", "800 ms"),
        ("checkpoint", "Size", "4.0 KiB"),
        ("checkpoint", "Generation", "7"),
        ("totals", "Records", "1,234,567"),
        ("totals", "Bytes", "1.2 GiB"),
        ("totals", "Dead letters", "16"),
        ("totals", "Reopenings", "8"),
        ("totals", "Saves", "99"),
    ] {
        assert_eq!(seen.fact(list, term), value, "{list}: {term}");
    }
}
