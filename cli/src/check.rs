//! `acequia check`: whether a run would work.

use std::io::{Write as _, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

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

/// Prints the report. The exit code is 0 where a run would start, 1 where it would fail, 2 where its
/// configuration is wrong.
pub(crate) async fn check(arguments: Arguments) -> ExitCode {
    let report = Box::pin(check::check(&arguments.config)).await;
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
