//! `acequia record`: the batches of a run in a file.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use acequia_host::command;
use acequia_host::config::parse_duration;
use acequia_host::run::Record;

/// What is recorded, where, and how much.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The connector's YAML file. Its sink, checkpoint, record filter and deserializer are not
    /// touched.
    #[arg(long, short)]
    config: PathBuf,
    /// The file to write, which must not be there yet. It will hold row values.
    #[arg(long, short)]
    output: PathBuf,
    /// Records at the most.
    #[arg(long, value_name = "N", default_value = "1000")]
    records: NonZeroU64,
    /// How long to read at the most, such as 30s or 5m.
    #[arg(long = "for", value_name = "DURATION", default_value = "30s", value_parser = duration)]
    time: Duration,
}

/// Records until a bound is reached or the process is told to stop.
pub(crate) async fn record(arguments: Arguments) -> ExitCode {
    let record = Record {
        output: arguments.output,
        records_max: arguments.records,
        time_max: arguments.time,
    };
    command::record(&arguments.config, &record).await
}

fn duration(text: &str) -> Result<Duration, String> {
    let duration = parse_duration(text).filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "expected a duration longer than zero, such as 30s or 5m".to_owned())
}
