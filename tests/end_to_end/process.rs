//! The `acequia` binary as its users start it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};

use super::place::{PATIENCE, Place};

/// A run of the binary that is over.
#[derive(Debug)]
pub(crate) struct Ended {
    /// None after a signal that it did not catch.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A run of the binary. It is killed when it is dropped.
pub(crate) struct Running(Child);

/// The binary.
pub(crate) const ACEQUIA: &str = env!("CARGO_BIN_EXE_acequia");

/// Starts `acequia run -c config`.
pub(crate) fn start(config: &Path) -> Running {
    command(&["run"], config)
}

/// Runs the connector until its sink holds so many lines, and lets it drain. Once it is over, its
/// state is free.
pub(crate) async fn drain_after(place: &Place, lines: usize) {
    let running = start(&place.config());
    let written = tokio::time::timeout(PATIENCE, place.written(lines));
    assert!(written.await.is_ok(), "{} lines", place.lines().len());
    running.signal(Signal::TERM);
    let ended = running.ended().await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

/// Runs `acequia state … -c config` to its end, with nobody at a terminal.
pub(crate) async fn state(action: &[&str], config: &Path) -> Ended {
    command(&[&["state"], action].concat(), config)
        .ended()
        .await
}

fn command(arguments: &[&str], config: &Path) -> Running {
    let mut command = acequia_in(Path::new("."));
    command.args(arguments).arg("-c").arg(config);
    spawn(command)
}

fn acequia_in(folder: &Path) -> Command {
    let mut command = Command::new(ACEQUIA);
    command.current_dir(folder);
    command
}

/// Starts a command that is the binary, or ends in it.
pub(crate) fn spawn(mut command: Command) -> Running {
    command
        .env("NO_COLOR", "1")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    Running(command.spawn().unwrap())
}

/// Runs `acequia run -c config` to its end.
pub(crate) async fn run(config: &Path) -> Ended {
    start(config).ended().await
}

/// Runs `acequia` with these arguments to its end.
pub(crate) async fn acequia<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Ended {
    let mut command = acequia_in(folder);
    command.args(arguments);
    spawn(command).ended().await
}

impl Running {
    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = self.0.id().unwrap();
        let pid = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end.
    pub(crate) async fn ended(self) -> Ended {
        self.ended_within(PATIENCE).await
    }

    /// Waits for the end of a run that may take longer than others.
    pub(crate) async fn ended_within(self, patience: Duration) -> Ended {
        let output = tokio::time::timeout(patience, self.0.wait_with_output())
            .await
            .unwrap_or_else(|_elapsed| panic!("the process did not end"))
            .unwrap();
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
