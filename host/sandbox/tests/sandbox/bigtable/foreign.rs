//! Google's client of another language reads the stream.
//!
//! `ACEQUIA_PYTHON` names a Python (else `python3`) that has `google-cloud-bigtable` 2.50; where there
//! is none, the test says that it is skipped, and passes.

use std::{
    collections::BTreeMap,
    env,
    path::Path,
    process::{Command, Output},
    time::Duration,
};

use acequia_sandbox::{
    Clock,
    bigtable::{
        History, READER, Sandbox, Script, Wire,
        history::{Mutation, Size},
    },
};
use serde_json::Value;

use super::client::at;

fn python() -> Result<String, String> {
    let python = env::var("ACEQUIA_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_module = Command::new(&python)
        .args(["-c", "import google.cloud.bigtable_v2, grpc"])
        .output();
    match has_module {
        Ok(output) if output.status.success() => Ok(python),
        Ok(_) => Err(format!("{python} has no google-cloud-bigtable")),
        Err(error) => Err(format!("{python}: {error}")),
    }
}

fn rows(mutations: impl IntoIterator<Item = Value>) -> BTreeMap<String, Vec<Value>> {
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for mutation in mutations {
        let row = mutation["row_key"].as_str().unwrap().to_owned();
        rows.entry(row).or_default().push(mutation);
    }
    rows
}

async fn read(python: String, sandbox: &Sandbox) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/bigtable.py");
    let mut command = tokio::process::Command::new(python);
    command
        .arg(script)
        .args([&sandbox.address().to_string(), sandbox.table(), READER])
        .args([at(0.0).to_string(), at(6.0).to_string()])
        .kill_on_drop(true);
    command.output().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn googles_python_client_reads_the_same_mutations() {
    let python = match python() {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: Google's Python client: {reason}; ACEQUIA_PYTHON can name another");
            return;
        }
    };
    let size = Size {
        step: Duration::from_millis(20),
        splits: 12,
        merges: 8,
        moves: 6,
        large_value_bytes: Some(3_000),
        ..Size::small(at(0.0))
    };
    let history = History::random(11, &size);
    let truth: Vec<Value> = history.committed().iter().map(Mutation::to_json).collect();
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(at(0.0)),
        wire: Wire {
            drawn_from: Some(1),
            ..Wire::default()
        },
        ..Script::new(history)
    })
    .unwrap();
    let output = read(python, &sandbox).await;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let read = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    assert_eq!(rows(read), rows(truth));
    let streams: u64 = sandbox.stats().opened.values().sum();
    println!("Google's Python client read the mutations of {streams} streams");
    assert!(streams > 10, "its partitions moved: {streams}");
}
