//! The whole way, as `acequia run` goes it: the file sink, checkpoints, the built-in guests.

use std::fs;
use std::path::{Path, PathBuf};

use acequia_host::run;
use tokio::sync::mpsc;

use super::Sample;
use crate::Failed;
use crate::error::Of as _;
use crate::meter::Meter;
use crate::server::Target;

const WHAT: &str = "the whole way";

/// Lists of names that the measured record passes whole.
pub const EVERYTHING_PASSES: &str = "
  table-include-list: ['Ord.*|Customers']
  column-exclude-list: ['.*[.](Secret|Photo)']";

/// A list of names by which every record is written anew.
pub const ONE_COLUMN_DOES_NOT: &str = "
  column-exclude-list: ['Orders[.]Note']";

/// Runs the connector from the first record to the last.
///
/// # Errors
/// The run fails, or it ends without all records.
pub async fn run(target: &Target, folder: &Path, lists: &str) -> Result<Sample, Failed> {
    let config = write_config(target, folder, lists)?;
    let ready = run::load(&config, None).await.of(WHAT)?;
    let (_never, stop) = mpsc::channel(1);
    let meter = Meter::start();
    let report = ready.run(stop).await.of(WHAT)?;
    let sample = meter.stop(target.records)?;
    super::complete(WHAT, report.tally.outputs(), target.records)?;
    fs::remove_dir_all(folder.join(RUN)).of(WHAT)?;
    Ok(sample)
}

/// The folder of one run: it begins empty and is removed.
const RUN: &str = "run";

fn write_config(target: &Target, folder: &Path, lists: &str) -> Result<PathBuf, Failed> {
    let run = folder.join(RUN);
    fs::create_dir_all(&run).of(WHAT)?;
    let path = run.join("bench.yaml");
    let text = format!(
        "\
apiVersion: 0.1.0
meta:
  name: bench
  type: spanner-change-stream-source
  version: 0.1.0
spanner-change-stream:
  emulator-endpoint: {address}
  database: {database}
  change-stream-name: {stream}
  start-position: {{ at: {since} }}
  end-position: {until}
  max-concurrent-queries: {partitions}
  deserializer: json
  sink: {{ file: {{ path: out.ndjson }} }}
  checkpoint: {{ directory: checkpoint }}{lists}
",
        address = target.address,
        database = target.database,
        stream = target.stream,
        since = target.since,
        until = target.until,
        partitions = target.partitions,
    );
    fs::write(&path, text).of(WHAT)?;
    Ok(path)
}
