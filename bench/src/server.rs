//! The server process: a flood of one change record, served by the sandbox.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use acequia_sandbox::spanner::history::{Flood, Pace};
use acequia_sandbox::spanner::{FinalHeartbeat, History, Sandbox, Script, Wire};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::Of as _;
use crate::{Failed, record};

const WHAT: &str = "the server";

/// How far in the past a flood begins: all of it must be committed when it is read.
const SINCE: SignedDuration = SignedDuration::from_mins(10);

/// How long after its beginning a flood is read to.
const UNTIL: SignedDuration = SignedDuration::from_mins(5);

/// What a client must know of the server.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Target {
    /// Where it listens, in plaintext.
    pub address: SocketAddr,
    /// The database's full name.
    pub database: String,
    /// The change stream's name.
    pub stream: String,
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

/// Starts a sandbox in this process.
///
/// # Errors
/// The sandbox does not start.
pub fn start(
    partitions: u32,
    rows_per_frame: u32,
    pace: Pace,
) -> Result<(Sandbox, Target), Failed> {
    let since = Timestamp::now() - SINCE;
    let since = Timestamp::from_second(since.as_second()).of(WHAT)?;
    let history = History::flood(Flood {
        since,
        partitions,
        change: record::change(),
        pace,
    })
    .of(WHAT)?;
    let script = Script {
        // A query that reached its bound says so, and is not asked again.
        final_heartbeat: FinalHeartbeat::Always,
        wire: Wire {
            rows_per_frame: usize::try_from(rows_per_frame).unwrap_or(1),
            ..Wire::default()
        },
        ..Script::new(history)
    };
    let stream = script.stream.clone();
    let of_one = match pace {
        Pace::AtOnce { records } => records,
        Pace::Steady { .. } => 0,
    };
    let frames = of_one.div_ceil(rows_per_frame.max(1));
    let sandbox = Sandbox::start(script).of(WHAT)?;
    let target = Target {
        address: sandbox.address(),
        database: sandbox.database().to_owned(),
        stream,
        since,
        until: since + UNTIL,
        partitions,
        records: u64::from(partitions) * u64::from(frames * rows_per_frame.max(1)),
        frames: u64::from(partitions) * u64::from(frames),
    };
    Ok((sandbox, target))
}

/// The whole of the server process: says where it is, and serves until its input is closed.
///
/// # Errors
/// The sandbox does not start.
pub fn serve(partitions: u32, rows_per_frame: u32, pace: Pace) -> Result<(), Failed> {
    let runtime = tokio::runtime::Runtime::new().of(WHAT)?;
    let entered = runtime.enter();
    let (sandbox, target) = start(partitions, rows_per_frame, pace)?;
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

/// A server process that runs until this is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) target: Target,
}

impl Server {
    pub(crate) fn spawn(arguments: &[String]) -> Result<Self, Failed> {
        let mut process = Command::new(std::env::current_exe().of(WHAT)?)
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .of(WHAT)?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line).of(WHAT)?;
        }
        match serde_json::from_str(&line) {
            Ok(target) => Ok(Self { process, target }),
            Err(_silent) => {
                end(&mut process);
                Err(Failed::new(WHAT, "it did not start"))
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn end(process: &mut Child) {
    let _gone_already = process.kill();
    let _reaped = process.wait();
}
