//! A run whose batches go into a file and nowhere else.
//!
//! The source is read as the configuration says: names filter, batch limits, start and end. Neither
//! the sink nor the checkpoint nor its lock is touched, and the record filter and the deserializer
//! are not even loaded, so that they need not exist yet.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Scheduler, SinkState, Start};
use tokio::sync::{mpsc, watch};
use tracing::{info, warn};

use super::{Failure, guests, limits, places, rand_seed, watching};
use crate::chain::chain;
use crate::config::{self, Config, GuestRole, Rejected};
use crate::driver::{Clock, Driver, Parts};
use crate::google::RpcMeter;
use crate::guest::CodeCache;
use crate::pipeline::{Lane, Recorder, Recording};
use crate::recording::{CreateError, WriteError, Writer, create};
use crate::sink::{MemorySink, MemoryTarget};
use crate::source;

/// What is recorded, and how much of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The file, which must not be there yet.
    pub output: PathBuf,
    /// Records at the most. Default: 1000.
    pub records_max: NonZeroU64,
    /// How long to read at the most, from the first opening on. Default: 30 s.
    pub time_max: Duration,
}

/// Why nothing more was recorded. What is in the file then is whole.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The run did not start, or failed.
    #[error(transparent)]
    Run(#[from] Failure),
    /// There is no file.
    #[error(transparent)]
    Create(#[from] CreateError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl RecordError {
    /// 2 for a wrong configuration, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Run(failure) => failure.exit_code(),
            Self::Create(_) | Self::Write(_) => 1,
        }
    }

    /// As [`Failure::text`].
    pub fn text(&self) -> String {
        chain(self)
    }
}

/// A recording that is done.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// What is in the file.
    pub recording: Recording,
    /// How long it took.
    pub elapsed: Duration,
}

/// Reads the source of a configuration file into a recording, until it is full, the time is over,
/// the source ends, or a message of `stop` asks for the end.
///
/// # Errors
///
/// What kept the recording from starting, or broke it off.
pub async fn record(
    path: &Path,
    record: &Record,
    mut stop: mpsc::Receiver<()>,
) -> Result<Recorded, RecordError> {
    let clock = Clock::start();
    let begun = tokio::select! {
        begun = begin(path, record, clock) => Some(begun?),
        // Nothing is read yet, so there is nothing to drain.
        Some(()) = stop.recv() => None,
    };
    let Some((parts, recording)) = begun else {
        return Ok(Recorded {
            recording: Recording::default(),
            elapsed: clock.now().monotonic,
        });
    };
    let (drain, drained) = mpsc::channel(2);
    let ended = tokio::select! {
        ended = Box::pin(Driver::new(parts).run(drained)) => ended,
        never = ask_for_the_end(record.time_max, recording.clone(), stop, drain) => match never {},
    };
    ended.outcome.map_err(Failure::from)?;
    let recording = *recording.borrow();
    Ok(Recorded {
        recording,
        elapsed: clock.now().monotonic,
    })
}

/// Asks once when a bound is reached, and once for each wish from outside.
async fn ask_for_the_end(
    time_max: Duration,
    mut recording: watch::Receiver<Recording>,
    mut stop: mpsc::Receiver<()>,
    drain: mpsc::Sender<()>,
) -> std::convert::Infallible {
    tokio::select! {
        () = tokio::time::sleep(time_max) => {}
        Ok(_full) = recording.wait_for(|recording| recording.is_full) => {}
        Some(()) = stop.recv() => {}
    }
    loop {
        // A third wish adds nothing to the second.
        let _full = drain.try_send(());
        if stop.recv().await.is_none() {
            return std::future::pending().await;
        }
    }
}

async fn begin(
    path: &Path,
    record: &Record,
    clock: Clock,
) -> Result<(Parts, watch::Receiver<Recording>), RecordError> {
    let config = load(path).await?;
    let names = guests::load_names(&config).await.map_err(Failure::from)?;
    let connected = source::connect(&config, names, RpcMeter::default()).await;
    let source = connected.map_err(Failure::from)?;
    let at = source
        .start(clock.now().wall)
        .await
        .map_err(Failure::from)?;
    let identity = places::source_identity(&config.source);
    let shape = config.source.shape();
    let writer = Writer::begin(create(&record.output)?, shape, &identity)?;
    let (recorder, recording) = Recorder::new(writer, record.records_max.get());
    info!(start = %at, output = %record.output.display(), "recording");
    warn!("the recording holds row values; guard it as you guard the data");
    let limits = limits::limits(&config, source.retention());
    let start = Start::Fresh {
        first: config.source.first(),
        at,
        identity,
        sink_state: SinkState::new(""),
    };
    let sink = MemorySink::open(&MemoryTarget::new(), None);
    let parts = Parts {
        scheduler: Scheduler::new(limits, rand_seed(), start),
        source,
        lanes: vec![Lane::Record(recorder)],
        sink: Box::new(sink.map_err(Failure::from)?),
        store: None,
        drain_timeout: config.drain_timeout,
        retention_margin: limits::MARGIN,
        clock,
        // Nobody looks: the address belongs to the connector, which may be running.
        subject: Arc::new(watching::subject(&config, Vec::new(), clock)),
    };
    Ok((parts, recording))
}

/// The configuration. Of its guests only the names filter is looked at.
async fn load(path: &Path) -> Result<Config, Failure> {
    match config::load(path) {
        Ok(config) => Ok(config),
        Err(Rejected {
            problems,
            mut guests,
            shape,
        }) => {
            guests.retain(|(role, _guest)| *role == GuestRole::NamesFilter);
            let complaints = guests::complaints(shape, &guests, &CodeCache::User).await?;
            Err(Failure::Config(problems.and(complaints)))
        }
    }
}
