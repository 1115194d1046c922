//! `acequia record` on the sandbox, and `acequia replay` of what it kept.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use acequia_sandbox::spanner::{History, Sandbox};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::guests::guest;
use super::place::{Place, values};
use super::process::{self, Ended, acequia};
use super::shop::{after, an_hour_ago, customer, serve};
use super::truth;

const ROWS: usize = 300;

/// Customers over three partitions, one after the other.
fn history() -> (jiff::Timestamp, History) {
    let start = an_hour_ago();
    let mut history = History::starting_at(start).partition("a");
    for number in 0..ROWS {
        let at = after(start, i64::try_from(number).unwrap() + 1);
        history = history.commit(at, "a", [customer(number as u64)]);
    }
    (start, history.build().unwrap())
}

fn place() -> (Sandbox, Place) {
    let (start, history) = history();
    let sandbox = serve(history);
    let place = Place::new(&sandbox, start, after(start, 60_000));
    (sandbox, place)
}

/// Runs `acequia record` with the place's configuration into `recording.ndjson` beside it.
async fn record(place: &Place, more: &[&str]) -> Ended {
    let config = place.config();
    let folder = config.parent().unwrap();
    let fixed = [
        "record",
        "-c",
        "config.yaml",
        "--output",
        "recording.ndjson",
    ];
    acequia(folder, &[&fixed, more].concat()).await
}

async fn replay(place: &Place, arguments: &[&str]) -> Ended {
    let config = place.config();
    let fixed = ["replay", "recording.ndjson"];
    acequia(config.parent().unwrap(), &[&fixed, arguments].concat()).await
}

fn lines(ended: &Ended) -> Vec<String> {
    ended.stdout.lines().map(str::to_owned).collect()
}

/// The values of a replay's outputs.
fn outputs(ended: &Ended) -> Vec<Value> {
    let outputs = values(&lines(ended));
    outputs.iter().map(|line| line["value"].clone()).collect()
}

#[tokio::test]
async fn what_was_recorded_is_replayed_as_a_run_would_have_written_it() {
    let (sandbox, place) = place();
    let ended = record(&place, &[]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("recorded 300 records in "),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("holds row values"),
        "{}",
        ended.stderr
    );

    let replayed = replay(&place, &["--component", "builtin:json"]).await;
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    truth::compare(&outputs(&replayed), &sandbox.committed());
    place.run().await.unwrap();
    assert_eq!(outputs(&replayed), place.values());
    for said in [
        "300 came out, 0 did not",
        "records a second",
        "(p99)",
        "0 traps",
    ] {
        assert!(
            replayed.stderr.contains(said),
            "{said}: {}",
            replayed.stderr
        );
    }
}

#[tokio::test]
async fn recording_touches_neither_sink_nor_checkpoint_and_needs_no_deserializer() {
    let (_sandbox, mut place) = place();
    place.set("deserializer", json!({ "path": "not-built-yet.wasm" }));
    place.set("record-filter", guest("keep-even", &json!({})));
    let ended = record(&place, &[]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // What the record filter would get, not what it would let through.
    assert!(
        ended.stderr.contains("recorded 300 records"),
        "{}",
        ended.stderr
    );
    assert!(!place.path("out.ndjson").exists() && !place.path("state").exists());
    let mode = std::fs::metadata(place.path("recording.ndjson"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn names_that_do_not_pass_are_not_recorded() {
    let (_sandbox, mut place) = place();
    place.set("column-exclude-list", json!(["Customers\\.City"]));
    record(&place, &[]).await;
    let text = std::fs::read_to_string(place.path("recording.ndjson")).unwrap();
    assert!(text.contains("Ada") && !text.contains("Lyon"));
}

#[tokio::test]
async fn recording_stops_at_its_bounds() {
    let (start, history) = history();
    let sandbox = serve(history);
    let place = Place::endless(&sandbox, start);
    let ended = record(&place, &["--records", "130", "--for", "1m"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("recorded 130 records, as many as asked for, in "),
        "{}",
        ended.stderr
    );

    std::fs::remove_file(place.path("recording.ndjson")).unwrap();
    let begun = std::time::Instant::now();
    let ended = record(&place, &["--for", "1500ms"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(begun.elapsed() >= Duration::from_millis(1500));
    assert!(
        ended.stderr.contains("recorded 300 records"),
        "{}",
        ended.stderr
    );
}

#[tokio::test]
async fn a_connector_that_is_running_goes_on_while_its_source_is_recorded() {
    let (start, history) = history();
    let sandbox = serve(history);
    let place = Place::endless(&sandbox, start);
    let running = process::start(&place.config());
    place.written(ROWS).await;
    let ended = record(&place, &["--records", "10"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    running.signal(Signal::TERM);
    let run = running.ended().await;
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(place.lines().len(), ROWS);
}

#[tokio::test]
async fn a_file_that_is_there_is_never_overwritten() {
    let (_sandbox, place) = place();
    std::fs::write(place.path("recording.ndjson"), "edited by hand").unwrap();
    let ended = record(&place, &[]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("recording.ndjson is there already"),
        "{}",
        ended.stderr
    );
    assert_eq!(place.lines_of("recording.ndjson"), ["edited by hand"]);
}

#[tokio::test]
async fn a_changed_output_is_caught_with_its_line() {
    let (_sandbox, place) = place();
    record(&place, &["--records", "5"]).await;
    let expect = ["--component", "builtin:json", "--expect", "golden"];
    let missing = replay(&place, &expect).await;
    assert_eq!(missing.code, Some(1));
    assert!(
        missing.stderr.contains("--bless writes it"),
        "{}",
        missing.stderr
    );

    let blessed = replay(&place, &[&expect[..], &["--bless"]].concat()).await;
    assert_eq!(blessed.code, Some(0), "{}", blessed.stderr);
    let again = replay(&place, &[&expect[..], &["--batch-records", "2"]].concat()).await;
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert_eq!(again.stdout, "as expected\n");

    let golden = place.path("golden/outputs.ndjson");
    let text = std::fs::read_to_string(&golden).unwrap();
    std::fs::write(&golden, text.replacen("Ada", "Eve", 1)).unwrap();
    let differs = replay(&place, &expect).await;
    assert_eq!(differs.code, Some(1), "{}", differs.stderr);
    assert!(
        differs.stdout.contains("golden/outputs.ndjson differs"),
        "{}",
        differs.stdout
    );
    let told: Vec<&str> = differs.stdout.lines().skip(1).take(2).collect();
    assert!(
        told[0].starts_with("      1 - ") && told[0].contains("Eve"),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("      1 + ") && told[1].contains("Ada"),
        "{told:?}"
    );
}

#[tokio::test]
async fn wrong_arguments_and_recordings_are_refused_with_the_reason() {
    let (_sandbox, place) = place();
    record(&place, &["--records", "5"]).await;
    for (arguments, code, said) in [
        (
            &["--component", "builtin:yaml"][..],
            2,
            "there is no built-in yaml",
        ),
        (
            &["--component", "builtin:json", "--parameters", "[]"],
            2,
            "must be a JSON object",
        ),
        (
            &[
                "--component",
                "builtin:json",
                "--parameters",
                r#"{"granularity":1}"#,
            ],
            2,
            "--parameters.granularity: must be",
        ),
        (&["--component", "builtin:json", "--bless"], 2, "--expect"),
    ] {
        let ended = replay(&place, arguments).await;
        assert_eq!(ended.code, Some(code), "{}", ended.stderr);
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    let text = std::fs::read_to_string(place.path("recording.ndjson")).unwrap();
    std::fs::write(place.path("recording.ndjson"), &text[..text.len() - 100]).unwrap();
    let ended = replay(&place, &["--component", "builtin:json"]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    for said in ["recording.ndjson, line ", ": EOF while parsing"] {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}
