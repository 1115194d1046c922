//! `acequia check`: whether a run would work.

use std::io::{Write as _, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use acequia_host::check;
use tracing::error;

/// What is checked, and how it is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The connector's YAML file.
    #[arg(long, short)]
    config: PathBuf,
    /// Prints one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// How long a step takes before it is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// Prints the report. The exit code is 0 where a run would start, 1 where it would fail, 2 where its
/// configuration is wrong.
pub(crate) async fn check(arguments: Arguments) -> ExitCode {
    let (steps, begun) = channel();
    if !arguments.json {
        // Compiling blocks the thread that waits for the report. This one ends with the check.
        thread::spawn(|| tell_what_lasts(begun));
    }
    let report = Box::pin(check::check(&arguments.config, steps)).await;
    let text = if arguments.json {
        serde_json::to_string_pretty(&report)
    } else {
        Ok(report.to_string())
    };
    let printed = text
        .map_err(std::io::Error::from)
        .and_then(|text| writeln!(stdout(), "{text}"));
    match printed {
        Ok(()) => ExitCode::from(report.exit_code),
        Err(error) => {
            error!("the report cannot be printed: {error}");
            ExitCode::from(1)
        }
    }
}

/// Says what takes longer than [`PATIENCE`], so that a silent check is not taken for a dead one.
fn tell_what_lasts(begun: Receiver<String>) {
    let mut told = true;
    let mut doing = String::new();
    loop {
        match begun.recv_timeout(PATIENCE) {
            Ok(step) => (doing, told) = (step, false),
            Err(RecvTimeoutError::Timeout) if told => {}
            Err(RecvTimeoutError::Timeout) => {
                // Who does not listen misses nothing: the report says it all.
                let _closed = writeln!(stderr(), "{doing} ...");
                told = true;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
