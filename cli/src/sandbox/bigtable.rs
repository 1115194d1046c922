//! Bigtable's change stream.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use acequia_sandbox::Until;
use acequia_sandbox::bigtable::Serve;
use acequia_sandbox::bigtable::history::Live;
use tracing::info;

/// What the sandbox serves.
#[derive(Debug, clap::Args)]
pub(crate) struct BigtableArguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8086")]
    listen: SocketAddr,
    /// Mutations a second.
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
    /// Seconds until nothing more is written; without it, writing never ends.
    #[arg(long)]
    seconds: Option<u64>,
    /// Mutations until nothing more is written.
    #[arg(long, conflicts_with = "seconds")]
    mutations: Option<u64>,
    /// Different rows.
    #[arg(long, default_value_t = 200)]
    rows: u64,
    /// Clusters at which users write.
    #[arg(long, default_value_t = 1)]
    clusters: u32,
    /// Milliseconds that a mutation may be under way from another cluster, and by which low
    /// watermarks lag behind.
    #[arg(long, default_value_t = 0)]
    replication_delay_ms: u64,
    /// What the history is drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Serves until the process is told to stop.
pub(super) async fn serve(arguments: BigtableArguments) -> ExitCode {
    let until = match (arguments.seconds, arguments.mutations) {
        (Some(seconds), _) => Until::Elapsed(Duration::from_secs(seconds)),
        (None, Some(mutations)) => Until::Changes(mutations),
        (None, None) => Until::Forever,
    };
    let serve = Serve {
        listen: arguments.listen,
        live: Live {
            rate: arguments.rate,
            until,
            rows: arguments.rows,
            clusters: arguments.clusters,
            replication_delay: Duration::from_millis(arguments.replication_delay_ms),
            ..Live::default()
        },
        seed: arguments.seed,
    };
    match serve.start() {
        Ok(served) => {
            let (address, table, profile) = (served.address, served.table, served.app_profile_id);
            super::announce(&format!("{address} {table} {profile}"));
            info!(
                emulator_endpoint = %address,
                table,
                app_profile_id = profile,
                "serving; stop with Ctrl-C"
            );
            super::until_stopped(served.sandbox).await
        }
        Err(reason) => super::refuse(&reason),
    }
}
