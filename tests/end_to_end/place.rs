//! A folder of its own for each test: a configuration, and what a run leaves beside it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use acequia_host::run::{self, Failure, Report};
use acequia_sandbox::{bigtable, spanner::Sandbox};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// No test takes longer; one that would has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A folder, and the options of the connector that runs in it.
pub(crate) struct Place {
    folder: TempDir,
    /// The section that its options stand in.
    section: &'static str,
    options: Map<String, Value>,
}

impl Place {
    /// Reads the whole of `sandbox`'s stream from `start` to `end` into `out.ndjson`.
    pub(crate) fn new(sandbox: &Sandbox, start: Timestamp, end: Timestamp) -> Self {
        let mut place = Self::endless(sandbox, start);
        place.set("end-position", json!(end.to_string()));
        place
    }

    /// The same without an end.
    pub(crate) fn endless(sandbox: &Sandbox, start: Timestamp) -> Self {
        let mut place = Self::of("spanner-change-stream", sandbox.address(), start);
        place.set("database", json!(sandbox.database()));
        place.set("change-stream-name", json!("ShopStream"));
        place
    }

    /// Reads the change stream of a Bigtable table from `start` on, without an end.
    pub(crate) fn of_table(sandbox: &bigtable::Sandbox, start: Timestamp) -> Self {
        let mut place = Self::of("bigtable-change-stream", sandbox.address(), start);
        place.set("table", json!(sandbox.table()));
        place.set("app-profile-id", json!(bigtable::READER));
        place
    }

    /// Reads rows of a database, as soon as it is told which.
    pub(crate) fn of_rows(sandbox: &Sandbox) -> Self {
        let mut place = Self::at("spanner-batch", sandbox.address());
        place.set("database", json!(sandbox.database()));
        place
    }

    fn of(section: &'static str, address: SocketAddr, start: Timestamp) -> Self {
        let mut place = Self::at(section, address);
        place.set("start-position", json!({ "at": start.to_string() }));
        place.set("heartbeat-interval", json!("1s"));
        place
    }

    fn at(section: &'static str, address: SocketAddr) -> Self {
        let options = json!({
            "emulator-endpoint": address.to_string(),
            "sink": { "file": { "path": "out.ndjson" } },
            "checkpoint": { "directory": "state", "interval": "20ms" },
        });
        let Value::Object(options) = options else {
            panic!("an object was written");
        };
        Self {
            folder: tempfile::tempdir().unwrap(),
            section,
            options,
        }
    }

    /// Gives an option another value.
    pub(crate) fn set(&mut self, option: &str, value: Value) {
        self.options.insert(option.to_owned(), value);
    }

    /// Takes an option out.
    pub(crate) fn unset(&mut self, option: &str) {
        self.options.remove(option);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the configuration file. JSON is YAML.
    pub(crate) fn config(&self) -> PathBuf {
        let file = json!({
            "apiVersion": "0.1.0",
            "meta": {
                "name": "orders",
                "type": format!("{}-source", self.section),
                "version": "0.1.0",
                "topic": "orders",
            },
            (self.section): self.options,
        });
        let path = self.path("config.yaml");
        std::fs::write(&path, format!("{file:#}")).unwrap();
        path
    }

    /// Runs the connector in this process until it ends by itself.
    pub(crate) async fn run(&self) -> Result<Report, Failure> {
        let (_stop, stopped) = mpsc::channel(1);
        self.run_until(stopped).await
    }

    /// Runs the connector in this process; a message of `stop` drains it.
    pub(crate) async fn run_until(&self, stop: mpsc::Receiver<()>) -> Result<Report, Failure> {
        let path = self.config();
        let running = async { run::load(&path, None).await?.run(stop).await };
        tokio::time::timeout(PATIENCE, running)
            .await
            .unwrap_or_else(|_elapsed| panic!("the run did not end"))
    }

    /// Waits until the sink holds so many lines.
    pub(crate) async fn written(&self, lines: usize) {
        while self.lines().len() < lines {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The lines of the sink; none when there is no file.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_of("out.ndjson")
    }

    pub(crate) fn lines_of(&self, name: &str) -> Vec<String> {
        lines_of(&self.path(name))
    }

    /// The values in the sink.
    pub(crate) fn values(&self) -> Vec<Value> {
        values(&self.lines())
    }
}

fn lines_of(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

pub(crate) fn values(lines: &[String]) -> Vec<Value> {
    lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Runs the connector in this process until its sink holds `lines` lines, then drains it. A run
/// that fails before is an error.
pub(crate) async fn drain_after(place: &Place, lines: usize) -> Result<Report, Failure> {
    let (stop, stopped) = mpsc::channel(1);
    let watch = async {
        place.written(lines).await;
        stop.send(()).await.unwrap();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        result = place.run_until(stopped) => result,
        () = watch => panic!("watching does not end"),
    }
}
