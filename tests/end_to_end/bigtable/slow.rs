//! A reader that is told that it is too slow.

use std::process::Stdio;
use std::time::Duration;

use acequia_sandbox::bigtable::history::Entry;
use acequia_sandbox::bigtable::{History, Sandbox, Script};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use super::super::place::{PATIENCE, Place, values};
use super::super::process::ACEQUIA;
use super::super::shop::{after, an_hour_ago};
use super::truth;

/// More than a stream's window and everything between it and a full pipe hold.
const MUTATIONS: i64 = 3_000;
const VALUE_BYTES: usize = 4_000;

#[tokio::test]
async fn a_slow_sink_slows_the_service_down_and_what_it_breaks_off_goes_on() {
    let start = an_hour_ago();
    let mut history = History::starting_at(start);
    for millis in 1..=MUTATIONS {
        let value = vec![b'v'; VALUE_BYTES];
        let entry = Entry::set("state", "note", 1_000, value);
        history = history.write(after(start, millis), format!("row{}", millis % 7), [entry]);
    }
    let sandbox = Sandbox::start(Script {
        slow_reader_after: Some(Duration::from_millis(300)),
        ..Script::new(history.build().unwrap())
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("sink", json!("stdout"));
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    place.set("pipeline", json!({ "bytes-in-flight-max": "512KiB" }));
    let mut child = Command::new(ACEQUIA)
        .args(["run", "-c"])
        .arg(place.config())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    // Nobody takes what is written.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut text = String::new();
    let read = tokio::time::timeout(PATIENCE, stdout.read_to_string(&mut text));
    read.await.unwrap().unwrap();
    assert!(child.wait().await.unwrap().success());

    let lines: Vec<_> = text.lines().map(str::to_owned).collect();
    truth::compare(values(&lines), &sandbox.committed());
    let opened: u64 = sandbox.stats().opened.values().sum();
    assert!(opened >= 2, "the service never lost its patience");
}
