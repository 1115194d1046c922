//! Directories that cannot be written in.

use std::path::Path;
use std::process::Stdio;

use acequia_sandbox::spanner::Sandbox;
use serde_json::json;
use tokio::process::Command;

use super::super::place::Place;
use super::super::process::ACEQUIA;
use super::{Told, check, check_with, two_changes};

/// Runs what follows where `folder` is mounted read-only for itself alone: permissions do not hold
/// a superuser back.
const READ_ONLY: &str =
    r#"mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@""#;

fn where_read_only(folder: &Path, of_user: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command
        .arg("--mount")
        .args(of_user)
        .args(["sh", "-c", READ_ONLY, "sh"])
        .arg(folder);
    command
}

/// Checks a place in whose folder nothing can be written; none where this machine lets nobody mount
/// anything.
async fn check_read_only(place: &Place, sandbox: &Sandbox) -> Option<Told> {
    let config = place.config();
    for of_user in [&[][..], &["--user", "--map-root-user"]] {
        let mut probe = where_read_only(&place.path(""), of_user);
        let probe = probe.arg("true").stderr(Stdio::null()).status().await;
        if !probe.is_ok_and(|status| status.success()) {
            continue;
        }
        let mut command = where_read_only(&place.path(""), of_user);
        command
            .arg(ACEQUIA)
            .args(["check", "--json", "-c"])
            .arg(&config);
        let told = check_with(place, command).await;
        assert_eq!(sandbox.stats().sessions_left, 0);
        return Some(told);
    }
    println!("skipped: a read-only directory: this machine lets nobody mount one");
    None
}

#[tokio::test]
async fn a_read_only_directory_is_told_for_the_checkpoint_and_for_the_sink() {
    let (sandbox, place) = two_changes(|_| {});
    let Some(told) = check_read_only(&place, &sandbox).await else {
        return;
    };
    let folder = place.path("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let said = [
        "cannot write in this directory",
        "Read-only file system",
        folder,
    ];
    told.fails(
        "checkpoint",
        &said,
        "name a directory in checkpoint.directory",
    );
    let said = [
        "out.ndjson: cannot create the file",
        "Read-only file system",
    ];
    told.fails("sink", &said, "not on a read-only file system");
    // The service is asked all the same.
    told.says("source", "ok", &["can be read at"], "");
}

#[tokio::test]
async fn a_read_only_output_that_is_there_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.run().await.unwrap();
    // The sessions of the run are those of another sandbox.
    let (again, _) = two_changes(|_| {});
    drop(sandbox);
    place.set("emulator-endpoint", json!(again.address().to_string()));
    let Some(told) = check_read_only(&place, &again).await else {
        return;
    };
    let said = ["out.ndjson: cannot open the file", "Read-only file system"];
    told.fails("sink", &said, "not on a read-only file system");
    assert!(told.report["would_read"]["checkpoint"]["saved"]["generation"].is_u64());
}

#[tokio::test]
async fn a_place_below_a_file_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("checkpoint", json!({ "directory": "config.yaml/state" }));
    place.set(
        "sink",
        json!({ "file": { "path": "config.yaml/out.ndjson" } }),
    );
    let told = check(&place, &sandbox).await;
    let said = ["config.yaml", "not a directory"];
    told.fails("checkpoint", &["config.yaml"], "checkpoint.directory");
    told.fails("sink", &["config.yaml"], "option sink");
    let of_both = told.seen("checkpoint", "failure") + &told.seen("sink", "failure");
    assert!(
        said.iter()
            .all(|said| of_both.to_lowercase().contains(said)),
        "{of_both}"
    );
}

#[tokio::test]
async fn a_directory_of_the_sink_that_is_missing_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("sink", json!({ "file": { "path": "missing/out.ndjson" } }));
    let told = check(&place, &sandbox).await;
    told.fails(
        "sink",
        &["missing/out.ndjson", "No such file"],
        "make the directory",
    );
}

#[tokio::test]
async fn a_checkpoint_directory_that_would_be_made_is_right() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("checkpoint", json!({ "directory": "made/on/the/way" }));
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says(
        "checkpoint",
        "ok",
        &["made/on/the/way", "nothing is saved yet"],
        "",
    );
}
