//! The latency that the whole way adds, from the server's send to the sink's write.
//!
//! The server commits each record in the moment in which it sends it, so the commit timestamp of a
//! value is the stamp. Both processes read the same clock.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use acequia_host::run;
use acequia_host::sink::{OutputBatch, Sink, SinkError, SinkState};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::config::{self, Lists};
use crate::error::Of as _;
use crate::server::Target;
use crate::{Failed, client};

const WHAT: &str = "the latency";

/// What is not counted: connecting, finding the partitions, the first calls.
const WARM_UP: SignedDuration = SignedDuration::from_secs(1);

const OPTIONS: &str = "  sink: stdout
  checkpoint: none
";

/// Added latencies of a run, microseconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Latencies {
    /// Records that were looked at.
    pub records: u64,
    /// Half of them took at most so long.
    pub p50_us: u64,
    /// All but one in a hundred took at most so long.
    pub p99_us: u64,
    /// The longest.
    pub max_us: u64,
}

/// The whole of a latency process: reads a steady flood for so many seconds on all cores.
///
/// # Errors
/// The run fails, or it ends without records.
pub fn measure(target: &Target, seconds: u32, folder: &Path) -> Result<Latencies, Failed> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let runtime = client::runtime(cores)?;
    let ages = runtime.block_on(read(target, seconds, folder))?;
    runtime.shutdown_background();
    of_ages(ages)
}

async fn read(target: &Target, seconds: u32, folder: &Path) -> Result<Vec<u64>, Failed> {
    let began = Timestamp::now();
    let until = began + WARM_UP + SignedDuration::from_secs(seconds.into());
    let path = folder.join("latency.yaml");
    let text = config::of(target, ("latest", until), Lists::Without, OPTIONS);
    fs::write(&path, text).of(WHAT)?;
    let ages = Arc::default();
    let sink = StampSink {
        ages_us: Arc::clone(&ages),
        from: began + WARM_UP,
    };
    let (_never, stop) = mpsc::channel(1);
    let ready = run::load(&path, None).await.of(WHAT)?;
    ready.run_into(Box::new(sink), stop).await.of(WHAT)?;
    let mut ages = ages.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *ages))
}

fn of_ages(mut ages_us: Vec<u64>) -> Result<Latencies, Failed> {
    ages_us.sort_unstable();
    let Some(&max_us) = ages_us.last() else {
        return Err(Failed::new(WHAT, "no record came"));
    };
    // The smallest age that so many of a hundred do not exceed.
    let at = |hundredths: usize| {
        let place = (ages_us.len() * hundredths).div_ceil(100);
        ages_us
            .get(place.saturating_sub(1))
            .copied()
            .unwrap_or(max_us)
    };
    Ok(Latencies {
        records: u64::try_from(ages_us.len()).unwrap_or(u64::MAX),
        p50_us: at(50),
        p99_us: at(99),
        max_us,
    })
}

/// A sink that looks at the stamp of every value and keeps nothing else.
struct StampSink {
    ages_us: Arc<Mutex<Vec<u64>>>,
    from: Timestamp,
}

#[async_trait]
impl Sink for StampSink {
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        let now = Timestamp::now();
        let stamps = batch.outputs.values.iter().filter_map(stamp);
        let ages = stamps
            .filter(|stamp| *stamp >= self.from)
            .map(|stamp| u64::try_from(now.duration_since(stamp).as_micros()).unwrap_or(0));
        self.ages_us
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(ages);
        Ok(())
    }

    async fn sync(&mut self) -> Result<SinkState, SinkError> {
        Ok(SinkState::default())
    }

    /// There is nothing to take back.
    async fn cut_back(&mut self, _state: &SinkState) -> Result<(), SinkError> {
        Ok(())
    }
}

/// The commit timestamp with which the id at the beginning of a value begins.
fn stamp(value: &[u8]) -> Option<Timestamp> {
    let id = value.strip_prefix(b"{\"id\":\"")?;
    let end = id.iter().position(|byte| *byte == b'/')?;
    std::str::from_utf8(id.get(..end)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stamp_of_a_value_is_the_beginning_of_its_id() {
        let value = br#"{"id":"2026-11-30T20:41:00.123456Z/tx/00000000/0","table_name":"Orders"}"#;
        let expected: Timestamp = "2026-11-30T20:41:00.123456Z".parse().unwrap();
        assert_eq!(stamp(value), Some(expected));
        assert_eq!(stamp(b"{}"), None);
    }

    #[test]
    fn ninety_nine_of_a_hundred_are_at_most_the_99th_percentile() {
        let latencies = of_ages((1..=100).rev().collect()).unwrap();
        assert_eq!((latencies.p50_us, latencies.p99_us), (50, 99));
        assert_eq!(latencies.max_us, 100);
        assert!(of_ages(Vec::new()).is_err());
    }
}
