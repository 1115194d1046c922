//! The emulator as a process.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tonic::transport::{Channel, Endpoint};

const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// A running emulator. It dies with this value.
pub(crate) struct Emulator {
    process: Child,
    address: String,
}

impl Emulator {
    /// Starts an emulator whose partitions split, merge and move all the time: a token lives for two
    /// to four seconds. `None`, and a line that says so, where the emulator is not installed.
    pub(crate) async fn start(asked_by: &str) -> Option<Self> {
        let Some(program) = installed() else {
            println!("skipped: {asked_by}: the Cloud Spanner emulator is not installed");
            return None;
        };
        let address = format!("127.0.0.1:{}", free_port());
        let process = Command::new(program)
            .arg(format!("--host_port={address}"))
            .args([
                "--enable_change_stream_churning=true",
                "--override_change_stream_partition_token_alive_seconds=2",
                "--change_stream_churning_interval=2s",
                "--change_stream_churn_thread_sleep_interval=500ms",
                // Each look of an open query at its partition reads all that was ever committed, so
                // ten looks a second, the default, would leave no time for commits.
                "--change_streams_partition_query_chop_interval=5s",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the emulator starts");
        let emulator = Self { process, address };
        emulator.connect().await;
        Some(emulator)
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// A channel, as soon as the emulator answers.
    pub(crate) async fn connect(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).expect("a URI");
        let started = Instant::now();
        loop {
            match endpoint.connect().await {
                Ok(channel) => return channel,
                Err(error) if started.elapsed() > STARTS_WITHIN => {
                    panic!("the emulator does not answer: {error}")
                }
                Err(_not_yet) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Both fail only for a process that is gone.
        let _gone = self.process.kill();
        let _gone = self.process.wait();
    }
}

/// The emulator of the Google Cloud SDK that `gcloud` on the path belongs to.
fn installed() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths)
        .filter_map(|folder| folder.join("gcloud").canonicalize().ok())
        .filter_map(|gcloud| {
            Some(
                gcloud
                    .parent()?
                    .join("cloud_spanner_emulator/emulator_main"),
            )
        })
        .find(|program| program.is_file())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port()
}
