//! `acequia sandbox`: a change stream to work against without a network.

mod bigtable;
mod spanner;

use std::error::Error;
use std::process::ExitCode;

use tracing::error;

/// Whose change stream is served; Spanner's where nothing is said.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    service: Option<Service>,
    #[command(flatten)]
    spanner: spanner::SpannerArguments,
}

#[derive(Debug, clap::Subcommand)]
enum Service {
    /// Spanner's: a database with a change stream.
    Spanner(spanner::SpannerArguments),
    /// Bigtable's: a table with a change stream.
    Bigtable(bigtable::BigtableArguments),
}

/// Serves until the process is told to stop.
pub(crate) async fn serve(arguments: Arguments) -> ExitCode {
    match arguments.service {
        None => spanner::serve(arguments.spanner).await,
        Some(Service::Spanner(arguments)) => spanner::serve(arguments).await,
        Some(Service::Bigtable(arguments)) => bigtable::serve(arguments).await,
    }
}

/// The first line of standard output is for whoever started us: the address, and what a
/// configuration needs beside it.
#[allow(clippy::print_stdout, reason = "this is the command's output")]
fn announce(line: &str) {
    println!("{line}");
}

async fn until_stopped<S>(sandbox: S) -> ExitCode {
    let stopped = tokio::signal::ctrl_c().await;
    drop(sandbox);
    drop(stopped);
    ExitCode::SUCCESS
}

fn refuse(reason: &dyn Error) -> ExitCode {
    error!("the sandbox cannot start: {reason}");
    ExitCode::from(1)
}
