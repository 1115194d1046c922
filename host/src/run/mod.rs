//! A run, from a typed configuration to an exit code.
//!
//! Everything that can be wrong is found before anything is read: the guests load and take their
//! configuration, the checkpoint is read and must belong to this source, the sink opens at the
//! checkpoint's cut, and the database knows the stream. Then the [driver](crate::driver) runs.

pub(crate) mod begin;
mod exporting;
pub(crate) mod guests;
mod limits;
pub(crate) mod places;
mod record;
mod watching;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Scheduler, Start};
use tokio::sync::mpsc;
use tracing::{info, warn};

use self::begin::Begin;
pub use self::begin::BeginError;
use self::exporting::Exporting;
pub use self::guests::GuestsError;
pub use self::record::{Record, RecordError, Recorded, record};
pub use self::watching::WatchError;
use self::watching::{Announcer, Watching};
use crate::chain::chain;
use crate::checkpoint_store::{CheckpointStore, StoreError};
use crate::config::{self, Config, Problem, Problems, Rejected};
use crate::driver::{Clock, Driver, Outcome, Parts, RunError, Tally};
use crate::google::RpcMeter;
use crate::guest::CodeCache;
use crate::pipeline::Lane;
use crate::sink::{Sink, SinkError, SinkState};
use crate::source::{self, OpenError};
use crate::status::Subject;
use crate::telemetry;

/// Why a run did not start, or failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The configuration is wrong: exit code 2.
    #[error("{0}")]
    Config(#[from] Problems),
    /// A guest cannot be used.
    #[error(transparent)]
    Guests(GuestsError),
    /// The saved state cannot be used.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// The checkpoint store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The sink cannot be opened.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The source cannot be opened.
    #[error(transparent)]
    Source(#[from] OpenError),
    /// Nobody can look at it, which the configuration asks for.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// The run itself failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Failure {
    /// 2 for a wrong configuration, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Config(_) => 2,
            Self::Guests(_)
            | Self::Begin(_)
            | Self::Store(_)
            | Self::Sink(_)
            | Self::Source(_)
            | Self::Watch(_)
            | Self::Run(_) => 1,
        }
    }

    /// The failure and its causes, on one line or, for a configuration, one line per problem.
    pub fn text(&self) -> String {
        chain(self)
    }
}

impl From<GuestsError> for Failure {
    fn from(error: GuestsError) -> Self {
        match error {
            GuestsError::Config(problems) => Self::Config(problems),
            other => Self::Guests(other),
        }
    }
}

/// A run that is over.
#[derive(Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// What it did.
    pub tally: Tally,
    /// How long it took.
    pub elapsed: Duration,
}

/// Reads a configuration file, and loads and configures the guests that it names.
///
/// # Errors
///
/// Every problem of the file at once, with what the guests find wrong with their parts of it.
pub async fn load(path: &Path, connector_type: Option<&str>) -> Result<Ready, Failure> {
    let config = match config::load(path) {
        Ok(config) => config,
        Err(Rejected {
            problems,
            guests,
            shape,
        }) => {
            let complaints = guests::complaints(shape, &guests, &CodeCache::User).await?;
            return Err(Failure::Config(problems.and(complaints)));
        }
    };
    if let Some(expected) = connector_type
        && config.meta.connector_type != expected
    {
        let found = &config.meta.connector_type;
        let message = format!("is {found}, and this is {expected}");
        return Err(Failure::Config(Problem::new("meta.type", message).into()));
    }
    if let Some(missing) = telemetry::missing(&config) {
        return Err(Failure::Config(missing.into()));
    }
    let guests = guests::load(&config).await?;
    Ok(Ready { config, guests })
}

/// A configuration whose guests are loaded.
pub struct Ready {
    config: Config,
    guests: guests::Guests,
}

/// What a run begins with, beside its configuration.
struct With {
    clock: Clock,
    subject: Arc<Subject>,
    /// What the calls to the service are measured by.
    meter: RpcMeter,
    /// In place of the configured one.
    sink: Option<Box<dyn Sink>>,
}

impl Ready {
    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Runs until everything is read, a message of `stop` asks for the end, or something fails.
    ///
    /// # Errors
    ///
    /// What kept the run from starting, or ended it.
    pub async fn run(self, stop: mpsc::Receiver<()>) -> Result<Report, Failure> {
        self.go(None, stop).await
    }

    /// Runs into a sink of the caller's. The configured one gives its name to the checkpoint and is
    /// not opened. A sink that is given with a saved checkpoint must stand at that checkpoint's cut.
    ///
    /// # Errors
    ///
    /// As [`Ready::run`].
    pub async fn run_into(
        self,
        sink: Box<dyn Sink>,
        stop: mpsc::Receiver<()>,
    ) -> Result<Report, Failure> {
        self.go(Some(sink), stop).await
    }

    async fn go(
        self,
        sink: Option<Box<dyn Sink>>,
        stop: mpsc::Receiver<()>,
    ) -> Result<Report, Failure> {
        let clock = Clock::start();
        let subject = watching::subject(&self.config, self.guests.watched.clone(), clock);
        let subject = Arc::new(subject);
        let asked = &self.config.telemetry;
        let (watching, announcer) = Watching::start(asked, &subject, clock).await?;
        let (mut exporting, meter) = Exporting::start(&self.config);
        let with = With {
            clock,
            subject,
            meter,
            sink,
        };
        let report = tokio::select! {
            report = Box::pin(self.run_watched(stop, with, announcer)) => report,
            never = watching.serve() => match never {},
            never = exporting.serve() => match never {},
        };
        exporting.finish().await;
        report
    }

    async fn run_watched(
        self,
        mut stop: mpsc::Receiver<()>,
        with: With,
        announcer: Announcer,
    ) -> Result<Report, Failure> {
        let clock = with.clock;
        let begun = tokio::select! {
            begun = self.begin(with) => Some(begun?),
            // Nothing is read yet, so there is nothing to drain.
            Some(()) = stop.recv() => None,
        };
        let (tally, outcome) = match begun {
            Some(parts) => {
                let driver = Driver::new(parts);
                announcer.running(driver.probe());
                let ended = Box::pin(driver.run(stop)).await;
                announcer.over(&ended.last);
                (ended.tally, ended.outcome?)
            }
            None => (Tally::default(), Outcome::Drained),
        };
        Ok(Report {
            outcome,
            tally,
            elapsed: clock.now().monotonic,
        })
    }

    /// Opens the source, the store and the sink, and finds where to read from.
    async fn begin(self, with: With) -> Result<Parts, Failure> {
        let Self { config, guests } = self;
        let With {
            clock,
            subject,
            meter,
            sink,
        } = with;
        for warning in &config.warnings {
            warn!("{warning}");
        }
        let mut store = places::store(&config)?;
        let source = source::connect(&config, guests.names, meter).await?;
        let subject = Subject {
            retention: Some(source.retention()),
            ..subject.as_ref().clone()
        };
        let identity = places::identity(&config, &guests.deserializer_name);
        let begin = begin::begin(store.as_deref_mut(), &config, identity).await?;
        let limits = limits::limits(&config, source.retention());
        let open = |state: Option<&SinkState>| match sink {
            Some(given) => Ok(given),
            None => places::sink(&config, state),
        };
        let (checkpoint, sink) = match begin {
            Begin::Resume(checkpoint) => {
                info!(
                    generation = %checkpoint.generation,
                    watermark = %checkpoint.watermark,
                    partitions = checkpoint.partitions.len(),
                    "resuming from the saved checkpoint"
                );
                let state = SinkState::new(checkpoint.sink_state.as_str());
                let sink = open(Some(&state))?;
                (*checkpoint, sink)
            }
            Begin::Fresh { identity } => {
                let mut sink = open(None)?;
                let at = source.start(clock.now().wall).await?;
                info!(start = %at, "starting afresh");
                let start = Start::Fresh {
                    first: config.source.first(),
                    at,
                    identity,
                    sink_state: sink.sync().await?,
                };
                let checkpoint = fresh(limits.clone(), start, &mut store).await?;
                (checkpoint, sink)
            }
        };
        Ok(Parts {
            scheduler: Scheduler::new(limits, rand_seed(), Start::Checkpoint(checkpoint)),
            source,
            lanes: guests.shapers.into_iter().map(Lane::from).collect(),
            sink,
            store,
            drain_timeout: config.drain_timeout,
            retention_margin: limits::MARGIN,
            clock,
            subject: Arc::new(subject),
        })
    }
}

/// The first checkpoint is saved before anything is read: where the run began, and what stood in
/// the sink before it.
async fn fresh(
    limits: acequia_core::Limits,
    start: Start,
    store: &mut Option<Box<dyn CheckpointStore>>,
) -> Result<acequia_core::Checkpoint, Failure> {
    let checkpoint = Scheduler::new(limits, 0, start).checkpoint();
    if let Some(store) = store {
        let bytes = checkpoint.encode().map_err(BeginError::from)?;
        store.clear().await?;
        store.save(checkpoint.generation.get(), &bytes).await?;
    }
    Ok(checkpoint)
}

/// Seeds the jitter of pauses only, so that many connectors do not come back at once.
fn rand_seed() -> u64 {
    let nanos = jiff::Timestamp::now().subsec_nanosecond().unsigned_abs();
    u64::from(nanos) ^ (u64::from(std::process::id()) << 32)
}
