//! `acequia state show` and `export`, of what runs have left.

use acequia_sandbox::{
    Clock, ManualClock,
    spanner::{History, Sandbox, Script},
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::place::Place;
use super::process::{self, Ended};
use super::shop::{after, an_hour_ago, customer, serve_script};

/// `a` is divided into `b` and `c`, and `b` goes on. The clock stands still a minute after the start,
/// so no heartbeat moves a position past the last change.
fn divided(start: Timestamp) -> Sandbox {
    let at = |millis| after(start, millis);
    let history = History::starting_at(start)
        .partition("a")
        .commit(at(1), "a", [customer(1)])
        .commit(at(2), "a", [customer(2)])
        .split(at(10), "a", &["b", "c"])
        .commit(at(11), "b", [customer(1)])
        .commit(at(12), "c", [customer(2)])
        .build()
        .unwrap();
    serve_script(Script {
        clock: Clock::Manual(ManualClock::at(at(60_000))),
        ..Script::new(history)
    })
}

/// What a run leaves that has read all four changes and was told to stop.
async fn left_behind(start: Timestamp) -> (Sandbox, Place) {
    let sandbox = divided(start);
    let place = Place::endless(&sandbox, start);
    process::drain_after(&place, 4).await;
    (sandbox, place)
}

fn succeeded(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.stderr, "");
}

fn failed(ended: &Ended, code: i32, said: &[&str]) {
    assert_eq!(ended.code, Some(code), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
    for said in said {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

/// The lines of a table that begin with this word, cut into words.
fn rows<'a>(text: &'a str, first: &str) -> Vec<Vec<&'a str>> {
    text.lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first() == Some(&first))
        .collect()
}

#[tokio::test]
async fn show_names_what_the_state_belongs_to_and_where_each_partition_is() {
    let start = an_hour_ago();
    let (sandbox, place) = left_behind(start).await;
    let ended = process::state(&["show"], &place.config()).await;
    succeeded(&ended);
    let text = &ended.stdout;
    let database = sandbox.database();
    for said in [
        place.path("state").to_str().unwrap(),
        &format!("database       {database}"),
        "change-stream  ShopStream",
        "2 unfinished: 2 begun, 0 unopened, 0 waiting",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let length = std::fs::metadata(place.path("out.ndjson")).unwrap().len();
    let sink_state = format!("\"out.ndjson\":{length}}}}}");
    assert!(text.contains(&sink_state), "{sink_state}: {text}");
    for (token, millis) in [("b", 11), ("c", 12)] {
        let rows = rows(text, token);
        let [row] = rows.as_slice() else {
            panic!("{token}: {text}");
        };
        let position = after(start, millis).to_string();
        let lag = row.get(4).unwrap();
        assert_eq!(row[1..3], ["begun", &position], "{text}");
        assert!(["59m", "1h"].contains(lag), "{lag}: {text}");
        assert_eq!(row.last(), Some(&"a"), "{text}");
    }
}

#[tokio::test]
async fn of_thousands_of_partitions_fifty_are_shown_and_all_on_request() {
    let start = an_hour_ago();
    let mut history = History::starting_at(start);
    for number in 0..1200 {
        history = history.partition(&format!("partition-{number}"));
    }
    let first = customer(1);
    let history = history
        .commit(after(start, 1), "partition-7", [first])
        .build()
        .unwrap();
    let sandbox = serve_script(Script::new(history));
    let mut place = Place::endless(&sandbox, start);
    place.set("max-concurrent-queries", json!(4));
    place.set("sink", json!("stdout"));
    let running = process::start(&place.config());
    sandbox.wait_for(|stats| stats.opened.len() > 2).await;
    running.signal(rustix::process::Signal::TERM);
    assert_eq!(running.ended().await.code, Some(0));

    let few = process::state(&["show"], &place.config()).await;
    succeeded(&few);
    assert_eq!(rows(&few.stdout, "and").len(), 1, "{}", few.stdout);
    assert!(
        few.stdout.contains("and 1150 more that lag less"),
        "{}",
        few.stdout
    );
    let all = process::state(&["show", "--all"], &place.config()).await;
    succeeded(&all);
    assert!(all.stdout.lines().count() > 1200);
    assert!(!all.stdout.contains("more that lag less"));
}

#[tokio::test]
async fn export_gives_the_whole_state_as_one_object() {
    let start = an_hour_ago();
    let (sandbox, place) = left_behind(start).await;
    let ended = process::state(&["export"], &place.config()).await;
    succeeded(&ended);
    let state: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (&state["format"], &state["version"]),
        (&json!("acequia-state"), &json!(1))
    );
    assert_eq!(state["connector"], "orders");
    assert_eq!(state["identity"]["database"], json!(sandbox.database()));
    let partitions = state["partitions"].as_array().unwrap();
    let committed = sandbox.committed();
    assert_eq!(partitions.len(), 2);
    for (partition, last) in partitions.iter().zip(committed.iter().skip(2)) {
        assert_eq!(partition["state"], "begun");
        assert_eq!(partition["start"], json!(after(start, 10)));
        assert_eq!(partition["position"], json!(last.commit_timestamp));
        assert_eq!(partition["parents"], json!(["a"]));
        let covered = partition["covered"]["some"].as_object().unwrap();
        assert_eq!(covered.len(), 1, "one transaction at the position");
    }
    let watermark: Timestamp = serde_json::from_value(state["watermark"].clone()).unwrap();
    assert!(watermark < after(start, 11) && watermark >= after(start, 10));

    let file = place.path("state.json");
    let action = ["export", "-o", file.to_str().unwrap()];
    let ended = process::state(&action, &place.config()).await;
    succeeded(&ended);
    assert_eq!(ended.stdout, "");
    let mut written: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    written["exported-at"] = state["exported-at"].clone();
    assert_eq!(written, state);
}

#[tokio::test]
async fn looking_changes_nothing_for_the_next_run() {
    let start = an_hour_ago();
    let (sandbox, mut place) = left_behind(start).await;
    let saved = std::fs::read(place.path("state/checkpoint")).unwrap();
    for action in ["show", "export"] {
        succeeded(&process::state(&[action], &place.config()).await);
        assert_eq!(
            std::fs::read(place.path("state/checkpoint")).unwrap(),
            saved
        );
    }
    let lines = place.lines();
    place.set("end-position", json!(after(start, 50_000).to_string()));
    assert_eq!(process::run(&place.config()).await.code, Some(0));
    assert_eq!(place.lines(), lines);
    super::truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn where_no_state_is_kept_or_none_is_saved_nothing_is_made() {
    let start = an_hour_ago();
    let sandbox = divided(start);
    let mut place = Place::endless(&sandbox, start);
    let folder = place.path("state");
    let folder = folder.to_str().unwrap();
    for action in ["show", "export"] {
        let ended = process::state(&[action], &place.config()).await;
        failed(&ended, 1, &[folder, "there is no saved state", "orders"]);
        assert!(!place.path("state").exists());
    }
    place.set("checkpoint", json!("none"));
    let ended = process::state(&["show"], &place.config()).await;
    failed(&ended, 1, &["checkpoint: none", "no state is kept"]);
}

#[tokio::test]
async fn a_wrong_configuration_ends_with_2_and_its_problems() {
    let start = an_hour_ago();
    let sandbox = divided(start);
    let mut place = Place::endless(&sandbox, start);
    place.set("sinc", json!("stdout"));
    place.set("heartbeat-interval", json!("soon"));
    let ended = process::state(&["show"], &place.config()).await;
    failed(
        &ended,
        2,
        &["spanner-change-stream.sinc", "heartbeat-interval"],
    );
}

#[tokio::test]
async fn damaged_state_is_named() {
    let start = an_hour_ago();
    let (_sandbox, place) = left_behind(start).await;
    let path = place.path("state/checkpoint");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    for action in [
        &["show"][..],
        &["export"],
        &["rewind", "--yes", "--to", "2026-01-01T00:00:00Z"],
    ] {
        let ended = process::state(action, &place.config()).await;
        failed(&ended, 1, &[path.to_str().unwrap(), "damaged", "checksum"]);
    }
}

#[tokio::test]
async fn a_running_connector_is_refused_by_name() {
    let start = an_hour_ago();
    let sandbox = divided(start);
    let place = Place::endless(&sandbox, start);
    let running = process::start(&place.config());
    place.written(4).await;
    let to = after(start, 1).to_string();
    for action in [
        &["show"][..],
        &["export"],
        &["rewind", "--yes", "--to", &to],
    ] {
        let ended = process::state(action, &place.config()).await;
        failed(&ended, 1, &["in use by orders (process", "stop it"]);
    }
    running.signal(rustix::process::Signal::TERM);
    assert_eq!(running.ended().await.code, Some(0));
}
