//! `acequia new`, followed word by word: the crate builds, passes its own tests and its own replay,
//! and takes a recording of the sandbox.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use acequia_sandbox::spanner::Serve;
use acequia_sandbox::spanner::history::Live;
use tempfile::TempDir;

use super::process::{Ended, acequia};

#[path = "../../host/builtins/build/guest_cargo.rs"]
#[allow(dead_code, reason = "this test builds one guest, of another workspace")]
mod guest_cargo;

use guest_cargo::{GuestCargo, PROFILE, TARGET};

/// One crate per test: all are built in one folder.
const ROWS: &str = "flat-rows";
const CELLS: &str = "flat-cells";
const TABS: &str = "tab-rows";

/// The profile that the other guests are built with, so that what they stand on is compiled once. It
/// has the settings of the template's release profile.
const RELEASE: [&str; 4] = [
    "--profile",
    PROFILE,
    "--config",
    "profile.guest.inherits='release'",
];

async fn new(folder: &Path, arguments: &[&str]) -> Ended {
    acequia(folder, &[&["new", "deserializer"], arguments].concat()).await
}

/// Where the guests of the tests are built.
fn guests() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .join("guests")
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
}

/// Builds the crate, and puts the module where `cargo build --release` puts it.
fn build(crate_folder: &Path) {
    let mut build = GuestCargo::find().unwrap().command("build");
    build.args(RELEASE).arg("--target-dir").arg(guests());
    succeeds(build.current_dir(crate_folder));
    let release = crate_folder.join("target").join(TARGET).join("release");
    std::fs::create_dir_all(&release).unwrap();
    let name = crate_folder.file_name().unwrap().to_string_lossy();
    let module = name.replace('-', "_") + ".wasm";
    let built = guests().join(TARGET).join(PROFILE).join(&module);
    std::fs::copy(built, release.join(module)).unwrap();
}

/// The command of the crate's README that begins so, without the name of the binary.
fn command(crate_folder: &Path, begin: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(crate_folder.join("README.md")).unwrap();
    let lines = readme
        .lines()
        .filter_map(|line| line.strip_prefix("$ acequia "));
    let mut lines = lines.filter(|line| line.starts_with(begin));
    let line = lines
        .next()
        .unwrap_or_else(|| panic!("no `acequia {begin}`"));
    line.split(' ').map(str::to_owned).collect()
}

#[tokio::test]
async fn a_new_deserializer_builds_and_passes_its_own_tests_and_replay() {
    let folder = TempDir::new().unwrap();
    let ended = new(folder.path(), &[ROWS, "--source", "spanner"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let flat_rows = folder.path().join(ROWS);
    builds_and_passes_its_tests(&flat_rows);
    let said = replayed(&flat_rows).await;
    assert!(
        said.contains("flat-rows 0.1.0 (spanner-deserializer, pure)"),
        "{said}"
    );
    assert!(
        said.contains("4 records in 2 batches and a control record: 3 came out, 1 did not"),
        "{said}"
    );

    record_and_replay(&flat_rows).await;
}

/// What the README says of the sandbox, which listens elsewhere here.
async fn record_and_replay(flat_rows: &Path) {
    let served = Serve {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        live: Live {
            rate: 200.0,
            ..Live::default()
        },
        ..Serve::default()
    };
    let served = served.start().unwrap();
    let config = flat_rows.join("sandbox.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("127.0.0.1:9010") && text.contains(&served.database));
    let text = text.replace("127.0.0.1:9010", &served.address.to_string());
    std::fs::write(&config, text).unwrap();

    let ended = acequia(flat_rows, &command(flat_rows, "record")).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("recorded 200 records"),
        "{}",
        ended.stderr
    );
    let mut replay = command(flat_rows, "replay replay/shop.ndjson");
    let ended = acequia(flat_rows, &replay).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("200 came out, 0 did not"),
        "{}",
        ended.stderr
    );
    replay.extend(["--expect", "replay/shop", "--bless"].map(str::to_owned));
    assert_eq!(acequia(flat_rows, &replay).await.code, Some(0));
    replay.pop();
    let ended = acequia(flat_rows, &replay).await;
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (Some(0), "as expected\n"),
        "{}",
        ended.stderr
    );
}

#[tokio::test]
async fn a_new_deserializer_of_bigtable_builds_and_passes_its_own_tests_and_replay() {
    let folder = TempDir::new().unwrap();
    let ended = new(folder.path(), &[CELLS, "--source", "bigtable"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let cells = folder.path().join(CELLS);
    builds_and_passes_its_tests(&cells);
    let said = replayed(&cells).await;
    assert!(
        said.contains("flat-cells 0.1.0 (bigtable-deserializer, pure)"),
        "{said}"
    );
    assert!(
        said.contains("4 records in 2 batches and a control record: 2 came out, 1 did not"),
        "{said}"
    );
}

#[tokio::test]
async fn a_new_deserializer_of_rows_builds_and_passes_its_own_tests_and_replay() {
    let folder = TempDir::new().unwrap();
    let ended = new(folder.path(), &[TABS, "--source", "rows"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let tabs = folder.path().join(TABS);
    builds_and_passes_its_tests(&tabs);
    let said = replayed(&tabs).await;
    assert!(
        said.contains("tab-rows 0.1.0 (rows-deserializer, pure)"),
        "{said}"
    );
    assert!(
        said.contains("4 records in 3 batches and a control record: 3 came out, 1 did not"),
        "{said}"
    );
}

fn builds_and_passes_its_tests(crate_folder: &Path) {
    build(crate_folder);
    let mut test = Command::new(env!("CARGO"));
    test.args(["test", "--locked"]).args(RELEASE);
    test.arg("--target-dir").arg(guests());
    succeeds(test.current_dir(crate_folder));
}

/// Replays what the crate brings along as its README says, and gives what is told of it.
async fn replayed(crate_folder: &Path) -> String {
    let replay = command(crate_folder, "replay replay/recording.ndjson");
    let ended = acequia(crate_folder, &replay).await;
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(ended.stdout, "as expected\n");
    ended.stderr
}

#[tokio::test]
async fn a_name_or_a_place_that_cannot_be_used_is_refused_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    for (arguments, said) in [
        (["Rows", "--source", "spanner"], "small letters"),
        (["match", "--source", "spanner"], "means something to Rust"),
        (["wit-bindgen", "--source", "spanner"], "depends on"),
        (["there", "--source", "spanner"], "there is there already"),
        (["rows", "--source", "delta"], "spanner, bigtable, rows"),
    ] {
        let ended = new(folder.path(), &arguments).await;
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!((names, std::fs::read_dir(there).unwrap().count()), (1, 0));
}
