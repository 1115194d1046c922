//! Saved state that a run cannot go on from, or that another run holds.

use acequia_sandbox::spanner::{Sandbox, Script};
use rustix::process::Signal;
use serde_json::json;

use super::super::place::{Place, drain_after};
use super::super::process;
use super::{check, history, serve_script, two_changes};

/// A place whose connector has read both changes and was stopped.
async fn stopped() -> (Sandbox, Place) {
    let (sandbox, mut place) = two_changes(|_| {});
    place.unset("end-position");
    drain_after(&place, 2).await.unwrap();
    (sandbox, place)
}

#[tokio::test]
async fn state_of_another_stream_is_named_with_both() {
    let (sandbox, mut place) = stopped().await;
    let other = serve_script(Script {
        stream: "OtherStream".to_owned(),
        ..Script::new(history(sandbox.committed()[0].commit_timestamp))
    });
    place.set("emulator-endpoint", json!(other.address().to_string()));
    place.set("change-stream-name", json!("OtherStream"));
    let told = check(&place, &other).await;
    let said = ["belongs to change-stream ShopStream", "OtherStream"];
    told.fails("checkpoint", &said, "existing-state: new");
    // The stream itself is there, which is told as well.
    told.says("source", "ok", &["OtherStream can be read"], "");
    assert_eq!(told.report["would_read"]["begin"], json!(null));
}

#[tokio::test]
async fn state_of_another_sink_is_named_with_both() {
    let (sandbox, mut place) = stopped().await;
    place.set("sink", json!({ "file": { "path": "other.ndjson" } }));
    let told = check(&place, &sandbox).await;
    told.fails(
        "checkpoint",
        &["out.ndjson", "other.ndjson"],
        "checkpoint.directory",
    );
}

#[tokio::test]
async fn a_run_that_is_going_on_is_noticed_and_not_disturbed() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.unset("end-position");
    let running = process::start(&place.config());
    place.written(2).await;
    // A save may come between the two pictures that this test takes of the folder.
    place.set(
        "checkpoint",
        json!({ "directory": "state", "interval": "1h" }),
    );
    let mut told = None;
    for _ in 0..3 {
        let command = super::command(&place.config());
        let ended = process::spawn(command).ended().await;
        told = Some(super::Told {
            code: ended.code.unwrap(),
            report: serde_json::from_str(&ended.stdout).unwrap(),
            stderr: ended.stderr,
        });
    }
    let told = told.unwrap();
    told.fails(
        "checkpoint",
        &["in use by orders (process"],
        "stop that process",
    );
    told.fails(
        "sink",
        &["another process is writing this file"],
        "stop the process",
    );
    let holder = &told.report["would_read"]["checkpoint"]["holder"];
    assert!(holder.as_str().unwrap().starts_with("orders"), "{holder}");
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(
        sandbox.stats().sessions_left,
        1,
        "the session of the run alone"
    );
}

#[tokio::test]
async fn a_damaged_checkpoint_is_told_and_the_sink_is_looked_at_all_the_same() {
    let (sandbox, place) = stopped().await;
    let path = place.path("state/checkpoint");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let told = check(&place, &sandbox).await;
    told.fails("checkpoint", &["damaged", "checksum"], "restore the file");
    told.says("sink", "ok", &["out.ndjson can be written"], "");
}

#[tokio::test]
async fn state_that_would_be_thrown_away_is_warned_about() {
    let (sandbox, mut place) = stopped().await;
    place.set("existing-state", json!("new"));
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says(
        "checkpoint",
        "warning",
        &["would be thrown away", "generation"],
        "resume-or-new",
    );
    told.says("sink", "ok", &["that no checkpoint describes"], "");
}

#[tokio::test]
async fn output_that_is_shorter_than_the_state_says_is_told() {
    let (sandbox, place) = stopped().await;
    std::fs::write(place.path("out.ndjson"), "").unwrap();
    let told = check(&place, &sandbox).await;
    told.fails(
        "sink",
        &["holds 0 bytes", "the checkpoint says"],
        "restore the file",
    );
}
