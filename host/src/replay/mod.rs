//! A component fed from a recording, without a source and without a sink.
//!
//! The component is loaded as a run loads it, under the limits that a run has by default, and gets
//! every batch of the recording in order. What it makes of them comes out line by line ([`Take`]); the
//! [`Lines`] can be compared with those of an earlier replay ([`Expected`]). What it costs is in the
//! [`Summary`].
//!
//! | the component is | it is asked for | a line is |
//! |---|---|---|
//! | a deserializer | every batch, every control record | an output: the id of its record, key (in Base64 where it is not UTF-8), value, topic |
//! | a record filter | every batch | a record: its id, and whether it goes on |
//! | a names filter | every name in the file | a table or a family: whether it passes, and which of its columns |

mod cost;
mod deserialize;
mod difference;
mod expected;
mod filters;
mod lines;
mod noticed;
mod summary;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use self::cost::Costs;
pub use self::difference::Difference;
pub use self::expected::{Expected, ExpectedError};
pub use self::lines::{Lines, Take};
use self::noticed::Noticed;
pub use self::summary::{Cost, Counts, Summary, Unit};
use crate::chain::chain;
use crate::config::{GuestRef, Problem, Problems};
use crate::guest::{
    BisectError, CallError, CodeCache, EngineError, Limits, LoadError, Plugin, Plugins, StartError,
};
use crate::recording::{ReadError, Reader};

/// What is replayed into what.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The recording.
    pub recording: PathBuf,
    /// The component.
    pub component: GuestRef,
    /// Cuts batches at this many records. Default: as they were recorded.
    pub batch_records: Option<NonZeroUsize>,
}

/// Why a replay did not come to its end.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The WebAssembly engine does not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The component refuses its parameters: exit code 2.
    #[error("{0}")]
    Parameters(Problems),
    /// The component cannot be used: exit code 2.
    #[error("the component cannot be used")]
    Load(#[from] LoadError),
    /// The recording cannot be read on.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A filter or a control record got no answer that can be used, which stops a run too.
    #[error("the component failed as a whole, not on a record")]
    Call(#[from] CallError),
    /// The component is stuck, or does not start again.
    #[error("the component failed as a whole, not on a record")]
    Bisect(#[from] BisectError),
    /// A line cannot be passed on.
    #[error("the lines cannot be passed on")]
    Take(#[from] io::Error),
}

impl ReplayError {
    /// 2 for a component or parameters that cannot be used, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Parameters(_) | Self::Load(_) => 2,
            Self::Engine(_) | Self::Read(_) | Self::Call(_) | Self::Bisect(_) | Self::Take(_) => 1,
        }
    }

    /// The error and its causes, on one line or one line per parameter.
    pub fn text(&self) -> String {
        chain(self)
    }
}

/// Feeds a recording to a component, and hands on what comes out.
///
/// # Errors
///
/// The component cannot be used or fails as a whole, or the recording cannot be read.
pub async fn replay(replay: &Replay, to: &mut dyn Take) -> Result<Summary, ReplayError> {
    // The first line is read before anything is compiled, which may take seconds.
    let mut recording = Reader::open(&replay.recording)?;
    if let Some(records) = replay.batch_records {
        recording = recording.with_batch_records(records);
    }
    let plugins = Plugins::start(recording.shape(), Limits::default(), &CodeCache::User)?;
    let loaded = plugins.any(&replay.component).await;
    let mut plugin = loaded.map_err(|error| refused(replay, error))?;
    let (about, meter) = (plugin.about().clone(), plugin.meter());
    let costs = Arc::new(Costs::default());
    meter.tell(Arc::<Costs>::clone(&costs));
    let mut noticed = Noticed::of(&about);
    let counts = match &mut plugin {
        Plugin::Deserializer(deserializer) => {
            deserialize::feed(deserializer, recording, to, &mut noticed).await?
        }
        Plugin::RecordFilter(filter) => filters::feed_records(filter, recording, to).await?,
        Plugin::NamesFilter(filter) => filters::feed_names(filter, recording, to).await?,
    };
    Ok(Summary {
        about,
        counts,
        cost: costs.sum(meter.cost().memory_bytes),
        warnings: noticed.warnings(),
    })
}

/// What a component finds wrong with its parameters, each with its place.
fn refused(replay: &Replay, error: LoadError) -> ReplayError {
    let LoadError::Start(StartError::Configuration(errors)) = error else {
        return error.into();
    };
    let guest = &replay.component;
    let problems = errors
        .iter()
        .map(|error| guest.problem(&error.path, &error.message));
    let problems = Problems::of(problems.collect());
    ReplayError::Parameters(problems.unwrap_or_else(|| {
        Problem::new(guest.config_path.as_str(), "are refused without a reason").into()
    }))
}
