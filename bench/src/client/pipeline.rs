//! The whole way, as `acequia run` goes it: the file sink, checkpoints, the built-in guests.

use std::fs;
use std::path::{Path, PathBuf};

use acequia_host::run;
use tokio::sync::mpsc;

use super::Sample;
use crate::Failed;
use crate::config::{self, Lists};
use crate::error::Of as _;
use crate::meter::Meter;
use crate::server::Target;

const WHAT: &str = "the whole way";

/// Runs the connector from the first record to the last.
///
/// # Errors
/// The run fails, or it ends without all records.
pub async fn run(target: &Target, folder: &Path, lists: Lists) -> Result<Sample, Failed> {
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

const OPTIONS: &str = "  sink: { file: { path: out.ndjson } }
  checkpoint: { directory: checkpoint }
";

fn write_config(target: &Target, folder: &Path, lists: Lists) -> Result<PathBuf, Failed> {
    let run = folder.join(RUN);
    fs::create_dir_all(&run).of(WHAT)?;
    let path = run.join("bench.yaml");
    let start = format!("{{ at: {} }}", target.since);
    let text = config::of(target, (&start, target.until), lists, OPTIONS);
    fs::write(&path, text).of(WHAT)?;
    Ok(path)
}
