//! A flood of change records.

use acequia_sandbox::spanner::history::Flood;
use acequia_sandbox::spanner::{FinalHeartbeat, History, Sandbox, Script, Wire};
use jiff::Timestamp;

use super::{Load, Started, Stream, WHAT};
use crate::Failed;
use crate::error::Of as _;
use crate::record::spanner;

pub(super) fn start(load: &Load, since: Timestamp) -> Result<Started, Failed> {
    let history = History::flood(Flood {
        since,
        partitions: load.partitions,
        change: spanner::change(),
        pace: load.pace,
    })
    .of(WHAT)?;
    let script = Script {
        // A query that reached its bound says so, and is not asked again.
        final_heartbeat: FinalHeartbeat::Always,
        wire: Wire {
            rows_per_frame: usize::try_from(load.rows_per_frame).unwrap_or(1),
            ..Wire::default()
        },
        ..Script::new(history)
    };
    let name = script.stream.clone();
    let sandbox = Sandbox::start(script).of(WHAT)?;
    let address = sandbox.address();
    let stream = Stream::Spanner {
        database: sandbox.database().to_owned(),
        name,
    };
    Ok((Box::new(sandbox), address, stream))
}
