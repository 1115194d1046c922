//! `acequia run` as a process that can be killed, and what it leaves behind.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;
use tempfile::TempDir;

use super::service::Emulator;

const OUTPUT: &str = "shop.ndjson";
const LOG: &str = "connector.log";
const CHECKPOINTS: &str = "shop.checkpoint";

/// A folder with a connector's configuration, output, checkpoints and log. It is kept for whoever
/// looks into a test that failed.
pub(crate) struct Place {
    folder: TempDir,
    emulator: String,
    database: String,
    /// The name of the connector's section, and what it reads as lines of it.
    section: &'static str,
    reads: String,
}

impl Place {
    pub(crate) fn new(emulator: &Emulator, database: &str, stream: &str) -> Self {
        let reads = format!("  change-stream-name: {stream}\n  start-position: earliest");
        Self::of("spanner-change-stream", emulator, database, reads)
    }

    /// Reads a snapshot; `reads` says of what, as lines of the section.
    pub(crate) fn of_rows(emulator: &Emulator, database: &str, reads: String) -> Self {
        Self::of("spanner-batch", emulator, database, reads)
    }

    fn of(section: &'static str, emulator: &Emulator, database: &str, reads: String) -> Self {
        Self {
            folder: TempDir::new().expect("a temporary folder"),
            emulator: emulator.address().to_owned(),
            database: database.to_owned(),
            section,
            reads,
        }
    }

    /// Starts the connector from its checkpoint, or from the beginning of the stream; `options` are
    /// further lines of its section.
    pub(crate) fn start(&self, options: &str) -> Running {
        let config = self.path("shop.yaml");
        fs::write(&config, self.config(options)).expect("the configuration is written");
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path(LOG));
        let process = Command::new(env!("CARGO_BIN_EXE_acequia"))
            .args(["run", "-c"])
            .arg(config)
            .env("RUST_LOG", "info,acequia_host=debug")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.expect("the log is opened"))
            .spawn();
        Running(process.expect("the connector starts"))
    }

    /// Runs `acequia check --json` to its end: its exit code and its report.
    pub(crate) fn check(&self, options: &str) -> (Option<i32>, Json) {
        let config = self.path("shop.yaml");
        fs::write(&config, self.config(options)).expect("the configuration is written");
        let output = Command::new(env!("CARGO_BIN_EXE_acequia"))
            .args(["check", "--json", "-c"])
            .arg(config)
            .output()
            .expect("the check runs");
        let report = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        (output.status.code(), report)
    }

    fn config(&self, options: &str) -> String {
        format!(
            "\
apiVersion: 0.1.0
meta: {{ name: shop, type: {section}-source, version: 0.1.0 }}
{section}:
  emulator-endpoint: {emulator}
  database: {database}
{reads}
  sink: {{ file: {{ path: {OUTPUT} }} }}
  checkpoint: {{ directory: {CHECKPOINTS}, interval: 10s }}
{options}
",
            emulator = self.emulator,
            database = self.database,
            section = self.section,
            reads = self.reads,
        )
    }

    /// What the sink's file holds; nothing before it is there.
    pub(crate) fn output(&self) -> String {
        fs::read_to_string(self.path(OUTPUT)).unwrap_or_default()
    }

    /// The length of the sink's file.
    pub(crate) fn output_bytes(&self) -> usize {
        let file = fs::metadata(self.path(OUTPUT));
        file.map_or(0, |file| {
            usize::try_from(file.len()).expect("the file fits memory")
        })
    }

    /// All logs so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path(LOG)).unwrap_or_default()
    }

    /// How much of the output the saved checkpoint stands for, in bytes. The checkpoint is the last
    /// line of its file, as JSON; the state of a file sink is the length of each file.
    pub(crate) fn saved_bytes(&self) -> usize {
        let path = self.path(CHECKPOINTS).join("checkpoint");
        let Ok(file) = fs::read_to_string(path) else {
            return 0;
        };
        let line = file.lines().last().expect("a checkpoint has lines");
        let checkpoint: Json = serde_json::from_str(line).expect("a checkpoint is JSON");
        let state = checkpoint["sink-state"]
            .as_str()
            .expect("it has the sink's state");
        let state: Json = serde_json::from_str(state).expect("the sink's state is JSON");
        let length = state["files"][OUTPUT]
            .as_u64()
            .expect("it has the file's length");
        usize::try_from(length).expect("the file fits memory")
    }

    /// How many runs went on from a checkpoint. Before that, a process does not catch signals.
    pub(crate) fn runs(&self) -> usize {
        self.log()
            .matches("resuming from the saved checkpoint")
            .count()
    }

    /// The tokens of all partitions that were opened.
    pub(crate) fn opened(&self) -> BTreeSet<String> {
        let log = self.log();
        let readers = log
            .lines()
            .filter_map(|line| line.split_once("open reader="));
        readers
            .filter_map(|(_, reader)| Some(reader.split_once('@')?.0.to_owned()))
            .collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.folder.disable_cleanup(true);
            println!("kept: {}", self.folder.path().display());
        }
    }
}

/// A running connector. It dies with this value.
pub(crate) struct Running(Child);

impl Running {
    /// Ends the process without a chance to do anything about it.
    pub(crate) fn kill(mut self) {
        assert!(self.is_running(), "the connector ended by itself");
        self.0.kill().expect("a running process can be killed");
        self.0.wait().expect("a killed process ends");
    }

    /// Asks the process to stop, and waits until it does.
    pub(crate) async fn stop(self, within: Duration) -> ExitStatus {
        let id = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        kill_process(id.expect("a process id"), Signal::TERM).expect("the process is there");
        self.ended(within).await
    }

    /// Waits until the process ends by itself.
    pub(crate) async fn ended(mut self, within: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("our own child") {
                return status;
            }
            assert!(started.elapsed() < within, "the connector does not end");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("our own child").is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only for a process that is gone.
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}
