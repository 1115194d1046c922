//! The server process: a flood of one record, served by the sandbox.

mod bigtable;
mod process;
mod spanner;

use std::io::Read;
use std::net::SocketAddr;

use acequia_sandbox::spanner::history::Pace;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Failed;
use crate::error::Of as _;
use crate::service::Service;

pub(crate) use process::Server;

const WHAT: &str = "the server";

/// How far in the past a flood begins: all of it must be committed when it is read.
const SINCE: SignedDuration = SignedDuration::from_mins(10);

/// How long after its beginning a flood is read to.
const UNTIL: SignedDuration = SignedDuration::from_mins(5);

/// What is served.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Whose stream it is.
    pub service: Service,
    /// Partitions that are read side by side.
    pub partitions: u32,
    /// Records in one message: at least 1, and of Bigtable no more.
    pub rows_per_frame: u32,
    /// When the records are sent.
    pub pace: Pace,
}

/// What a client must know of the server.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Target {
    /// Where it listens, in plaintext.
    pub address: SocketAddr,
    /// The stream that it serves.
    pub stream: Stream,
    /// The first commit timestamp.
    pub since: Timestamp,
    /// An instant after the last one, in the past.
    pub until: Timestamp,
    /// How many partitions there are.
    pub partitions: u32,
    /// Records of all partitions; 0 for a flood without an end.
    pub records: u64,
    /// Messages that hold them.
    pub frames: u64,
}

/// The names that a stream is read by.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Stream {
    /// One of a Spanner database.
    Spanner {
        /// The database's full name.
        database: String,
        /// The change stream's name.
        name: String,
    },
    /// That of a Bigtable table.
    Bigtable {
        /// The table's full name.
        table: String,
        /// An app profile that routes to one cluster.
        app_profile: String,
    },
}

impl Stream {
    /// Whose stream it is.
    #[must_use]
    pub fn service(&self) -> Service {
        match self {
            Self::Spanner { .. } => Service::Spanner,
            Self::Bigtable { .. } => Service::Bigtable,
        }
    }
}

/// A service that stops when this is dropped.
pub type Sandbox = Box<dyn Send>;

/// A sandbox that has started, where it listens and what it serves.
type Started = (Sandbox, SocketAddr, Stream);

/// Starts a sandbox in this process.
///
/// # Errors
/// The sandbox does not start, or the service has no message of so many records.
pub fn start(load: &Load) -> Result<(Sandbox, Target), Failed> {
    let since = Timestamp::now() - SINCE;
    let since = Timestamp::from_second(since.as_second()).of(WHAT)?;
    let (sandbox, address, stream) = match load.service {
        Service::Spanner => spanner::start(load, since)?,
        Service::Bigtable => bigtable::start(load, since)?,
    };
    let of_one = match load.pace {
        Pace::AtOnce { records } => records,
        Pace::Steady { .. } => 0,
    };
    let rows_per_frame = load.rows_per_frame.max(1);
    let frames = of_one.div_ceil(rows_per_frame);
    let target = Target {
        address,
        stream,
        since,
        until: since + UNTIL,
        partitions: load.partitions,
        records: u64::from(load.partitions) * u64::from(frames * rows_per_frame),
        frames: u64::from(load.partitions) * u64::from(frames),
    };
    Ok((sandbox, target))
}

/// The whole of the server process: says where it is, and serves until its input is closed.
///
/// # Errors
/// The sandbox does not start.
pub fn serve(load: &Load) -> Result<(), Failed> {
    let runtime = tokio::runtime::Runtime::new().of(WHAT)?;
    let entered = runtime.enter();
    let (sandbox, target) = start(load)?;
    say(&serde_json::to_string(&target).of(WHAT)?);
    let closed = std::io::stdin().read_to_end(&mut Vec::new());
    drop((sandbox, entered));
    runtime.shutdown_background();
    closed.map(drop).of(WHAT)
}

#[allow(
    clippy::print_stdout,
    reason = "the line is for the process that started us"
)]
fn say(line: &str) {
    println!("{line}");
}
