//! Spanner's change stream.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use acequia_sandbox::Until;
use acequia_sandbox::spanner::history::Live;
use acequia_sandbox::spanner::{Dialect, Serve};
use clap::ValueEnum;
use tracing::info;

/// What the sandbox serves.
#[derive(Debug, clap::Args)]
pub(crate) struct SpannerArguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:9010")]
    listen: SocketAddr,
    /// The database's SQL dialect.
    #[arg(long, value_enum, default_value_t = SqlDialect::Googlesql)]
    dialect: SqlDialect,
    /// Row changes a second.
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
    /// Seconds until nothing more is written; without it, writing never ends.
    #[arg(long)]
    seconds: Option<u64>,
    /// Key ranges move between partitions that live on.
    #[arg(long)]
    mutable_key_ranges: bool,
    /// What the history is drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SqlDialect {
    Googlesql,
    Postgresql,
}

/// Serves until the process is told to stop.
pub(super) async fn serve(arguments: SpannerArguments) -> ExitCode {
    let serve = Serve {
        listen: arguments.listen,
        dialect: match arguments.dialect {
            SqlDialect::Googlesql => Dialect::GoogleSql,
            SqlDialect::Postgresql => Dialect::Postgres,
        },
        live: Live {
            rate: arguments.rate,
            until: arguments.seconds.map_or(Until::Forever, |seconds| {
                Until::Elapsed(Duration::from_secs(seconds))
            }),
            mutable: arguments.mutable_key_ranges,
            ..Live::default()
        },
        seed: arguments.seed,
    };
    match serve.start() {
        Ok(served) => {
            let (address, database, stream) = (served.address, served.database, served.stream);
            super::announce(&format!("{address} {database} {stream}"));
            info!(
                emulator_endpoint = %address,
                database,
                change_stream_name = stream,
                "serving; stop with Ctrl-C"
            );
            super::until_stopped(served.sandbox).await
        }
        Err(reason) => super::refuse(&reason),
    }
}
