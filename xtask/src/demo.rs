//! `cargo xtask demo`: row changes of a shop flow through a WASM filter and a WASM deserializer and
//! come out as JSON lines, from the in-memory sandbox or from the real emulator.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::steps::{Done, cargo, run, target};
use crate::toolchain;

/// How long the shop sells, and how much longer the connector reads, seconds.
const SELLS_SECONDS: u64 = 12;
const READS_SECONDS: u64 = 15;

/// Whose change stream is shown.
#[derive(Clone, Copy)]
pub(crate) enum Service {
    Sandbox,
    Emulator,
}

/// Builds, starts the service, runs the connector until the end position, and stops.
pub(crate) fn show(service: Service) -> Done {
    toolchain::ensure()?;
    run(cargo().args(["build", "--locked"]))?;
    let mut service = match service {
        Service::Sandbox => sandbox(),
        Service::Emulator => emulator()?,
    };
    let shop = Shop::open(&mut service)?;
    let end = seconds_from_now(READS_SECONDS)?;
    let config = write_config(&shop, &end)?;
    crate::print(&format!(
        "\nreading {} up to {end}, {READS_SECONDS} s from now; what the start takes is part of that, \
         and sales end after {SELLS_SECONDS} s; the configuration is {}\n\n",
        shop.stream,
        config.display()
    ));
    run(Command::new(binary("acequia"))
        .arg("run")
        .arg("-c")
        .arg(config))
}

fn sandbox() -> Command {
    let mut sandbox = Command::new(binary("acequia"));
    sandbox
        .env("RUST_LOG", "warn")
        .args(["sandbox", "--listen", "127.0.0.1:0", "--rate", "100"])
        .arg(format!("--seconds={SELLS_SECONDS}"));
    sandbox
}

fn emulator() -> Result<Command, String> {
    run(cargo().args([
        "build",
        "--locked",
        "--package",
        "acequia",
        "--example",
        "emulator_shop",
    ]))?;
    let mut emulator = Command::new(binary("examples/emulator_shop"));
    emulator.arg(SELLS_SECONDS.to_string());
    Ok(emulator)
}

/// A service that runs until this is dropped.
struct Shop {
    service: Child,
    address: String,
    database: String,
    stream: String,
}

impl Shop {
    /// Starts the service and reads the line in which it says where it is.
    fn open(command: &mut Command) -> Result<Self, String> {
        let mut service = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the service cannot be started: {error}"))?;
        let mut line = String::new();
        if let Some(output) = service.stdout.take() {
            BufReader::new(output)
                .read_line(&mut line)
                .map_err(|error| format!("the service says nothing: {error}"))?;
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        match (words.next(), words.next(), words.next()) {
            (Some(address), Some(database), Some(stream)) => Ok(Self {
                service,
                address,
                database,
                stream,
            }),
            _ => {
                stop(&mut service);
                Err("the service did not start".to_owned())
            }
        }
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        stop(&mut self.service);
    }
}

/// Closing its input is the polite way, and the only one that lets a service stop its own children.
fn stop(service: &mut Child) {
    drop(service.stdin.take());
    std::thread::sleep(std::time::Duration::from_millis(300));
    let _gone_already = service.kill();
    let _reaped = service.wait();
}

fn write_config(shop: &Shop, end: &str) -> Result<PathBuf, String> {
    let folder = target().join("demo");
    // What an earlier demo left is not resumed: the shop is another one.
    let _none = std::fs::remove_dir_all(&folder);
    let path = folder.join("demo.yaml");
    let text = format!(
        "\
apiVersion: 0.1.0
meta:
  name: demo
  type: spanner-change-stream-source
  version: 0.1.0
spanner-change-stream:
  emulator-endpoint: {address}
  database: {database}
  change-stream-name: {stream}
  start-position: latest
  end-position: {end}
  heartbeat-interval: 1s
  table-include-list: ['Orders|Customers']
  column-exclude-list: ['Orders\\.(Secret|Photo)']
  deserializer: json
  sink: stdout
  checkpoint: {{ directory: checkpoint }}
",
        address = shop.address,
        database = shop.database,
        stream = shop.stream,
    );
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// RFC 3339, by the system's `date`: this crate has no dependencies.
fn seconds_from_now(seconds: u64) -> Result<String, String> {
    let output = Command::new("date")
        .args([
            "-u",
            "-d",
            &format!("{seconds} seconds"),
            "+%Y-%m-%dT%H:%M:%SZ",
        ])
        .output()
        .map_err(|error| format!("`date` cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() {
        Ok(text)
    } else {
        Err("`date` does not know -d; GNU coreutils are needed".to_owned())
    }
}

fn binary(name: &str) -> PathBuf {
    target().join("debug").join(Path::new(name))
}
