//! What the binaries share: arguments, logs, signals and exit codes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tracing::{error, info};

use crate::driver::Outcome;
use crate::run::{self, Failure, Record, Recorded, Report};
pub use crate::telemetry::logs::{LogFormat, start_logging};

/// The arguments that Fluvio's tools start a connector with.
#[derive(Debug, Parser)]
struct ConnectorArguments {
    /// The connector's YAML file.
    #[arg(long, short)]
    config: PathBuf,
    /// How log lines look.
    #[arg(long, value_enum, default_value_t)]
    log_format: LogFormat,
}

/// The whole of a connector's `main`: reads `--config FILE` and runs it if it is of type
/// `connector_type`.
pub fn connector(connector_type: &str) -> ExitCode {
    let arguments = ConnectorArguments::parse();
    start_logging(arguments.log_format);
    block_on(run(&arguments.config, Some(connector_type)))
}

/// Runs a future on a runtime of its own.
pub fn block_on(future: impl Future<Output = ExitCode>) -> ExitCode {
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let code = runtime.block_on(future);
            // Tasks that are still blocked in the kernel are not waited for.
            runtime.shutdown_background();
            code
        }
        Err(error) => {
            error!("no runtime can be started: {error}");
            ExitCode::from(1)
        }
    }
}

/// Runs the connector of a configuration file until it is done or told to stop.
///
/// The exit code is 0 for finished or drained, 1 for failed, 2 for a wrong configuration.
pub async fn run(path: &Path, connector_type: Option<&str>) -> ExitCode {
    match run_until_signalled(path, connector_type).await {
        Ok(report) => {
            info!("{}", summary(&report));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            for line in failure.text().lines() {
                error!("{line}");
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

async fn run_until_signalled(path: &Path, connector_type: Option<&str>) -> Result<Report, Failure> {
    until_signalled(|stopped| async { run::load(path, connector_type).await?.run(stopped).await })
        .await
}

/// Runs what takes wishes to stop, and sends it one for each SIGTERM and SIGINT.
async fn until_signalled<T, F: Future<Output = T>>(run: impl FnOnce(mpsc::Receiver<()>) -> F) -> T {
    // Two are enough: the first drains, the second leaves at once. Signals are caught while the
    // guests load, too; the run finds them waiting.
    let (stop, stopped) = mpsc::channel(2);
    tokio::select! {
        ended = run(stopped) => ended,
        never = forward_signals(stop) => match never {},
    }
}

/// Records the source of a configuration file, until a bound of `record` is reached or it is told
/// to stop.
///
/// The exit code is 0 for a recording that is done, 1 for failed, 2 for a wrong configuration.
pub async fn record(path: &Path, record: &Record) -> ExitCode {
    match until_signalled(|stopped| run::record(path, record, stopped)).await {
        Ok(recorded) => {
            info!("{}", recorded_summary(&recorded, &record.output));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            for line in failure.text().lines() {
                error!("{line}");
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Forwards SIGTERM and SIGINT for ever.
async fn forward_signals(stop: mpsc::Sender<()>) -> std::convert::Infallible {
    let (Ok(mut terminate), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        error!("signals cannot be caught: stopping the process loses what is not saved");
        return std::future::pending().await;
    };
    loop {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        // A third wish adds nothing to the second.
        let _full = stop.try_send(());
    }
}

/// One line on what a run did.
#[allow(
    clippy::cast_precision_loss,
    reason = "a rate for people needs no more than a float's precision"
)]
pub fn summary(report: &Report) -> String {
    let tally = &report.tally;
    let how = match report.outcome {
        Outcome::Finished => "finished",
        Outcome::Drained => "drained",
    };
    let seconds = report.elapsed.as_secs_f64();
    let rate = tally.outputs() as f64 / seconds.max(0.001);
    format!(
        "{how} after {seconds:.1} s: {} records read, {} outputs written ({rate:.0}/s), {} partitions found ({} splits, {} merges), \
         {} records and {} values dropped by filters, {} skipped, {} dead letters, {} repeats \
         dropped, {} checkpoints",
        tally.records,
        tally.outputs(),
        tally.scheduler.found,
        tally.scheduler.splits,
        tally.scheduler.merges,
        tally.dropped.by_table + tally.dropped.without_change + tally.filtered(),
        tally.dropped.cells,
        tally.skipped(),
        tally.dead_letters(),
        tally.dropped.covered,
        tally.saves,
    )
}

/// One line on what was recorded.
fn recorded_summary(recorded: &Recorded, output: &Path) -> String {
    let Recorded { recording, elapsed } = recorded;
    let bound = if recording.is_full {
        ", as many as asked for,"
    } else {
        ""
    };
    format!(
        "recorded {} records{bound} in {} batches and {} control records, {} bytes, in {:.1} s: {}",
        recording.records,
        recording.batches,
        recording.controls,
        recording.bytes,
        elapsed.as_secs_f64(),
        output.display(),
    )
}
