//! Where records come from: one trait for every source.
//!
//! A [`Source`] opens readers; a [`Reader`] gives deliveries of one partition until its stream
//! ends. The driver owns both. A source keeps no state of its own about partitions: what has been
//! read, what waits and where to go on is the scheduler's.

pub mod bigtable_stream;
mod pending;
mod snapshot;
pub mod spanner_batch;
pub mod spanner_stream;

use std::sync::Arc;
use std::time::Duration;

use acequia_core::{Item, KeyRange, PartitionId, ReadFailure, Resume, Timestamp};
use async_trait::async_trait;
use metrics::counter;

use self::bigtable_stream::BigtableStream;
use self::spanner_batch::SpannerBatch;
use self::spanner_stream::SpannerStream;
use crate::batch::Batch;
use crate::chain::chain;
use crate::config::{self, Config};
use crate::google::{CallError, Disposition, RpcMeter, code_name};
use crate::guest::NamesFilter;

/// Opens readers of partitions.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// A reader. Nothing is sent before its first [`next`](Reader::next).
    fn open(&self, opening: Opening) -> Box<dyn Reader>;

    /// How long records can be read.
    fn retention(&self) -> Duration;

    /// Asks again how long that is; none where it cannot be said.
    async fn ask_retention(&self) -> Option<Duration>;

    /// Resolves the configured start of a fresh run, once.
    ///
    /// # Errors
    ///
    /// It lies in the future, or the service cannot say what can be read.
    async fn start(&self, now: Timestamp) -> Result<Timestamp, OpenError>;

    /// Where to start anew when a position has expired and the configuration says where; none
    /// when it says nothing.
    async fn fallback(&self, now: Timestamp) -> Option<Result<Timestamp, FallbackError>>;

    /// Of which instant a snapshot is planned anew when the first cannot be read any more and the
    /// configuration says that it should be; none when it does not.
    async fn plan_anew(&self, now: Timestamp) -> Option<Result<Timestamp, FallbackError>>;
}

/// What a reader reads.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The partition.
    pub partition: PartitionId,
    /// Its row keys, where partitions are ranges.
    pub range: Option<KeyRange>,
    /// What it takes to read it, where it is a part of a snapshot: what the plan gave.
    pub ticket: Option<Box<str>>,
    /// Where it was left.
    pub from: Resume,
}

/// Why a source could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A Spanner change stream.
    #[error(transparent)]
    Spanner(#[from] spanner_stream::OpenError),
    /// The change stream of a Bigtable table.
    #[error(transparent)]
    Bigtable(#[from] bigtable_stream::OpenError),
    /// A snapshot of Spanner.
    #[error(transparent)]
    SpannerBatch(#[from] spanner_batch::OpenError),
}

/// Opens the source of a configuration. Its calls are measured by `meter`.
///
/// # Errors
///
/// It cannot be reached, or is not there.
pub(crate) async fn connect(
    config: &Config,
    names: NamesFilter,
    meter: RpcMeter,
) -> Result<Arc<dyn Source>, OpenError> {
    let pipeline = &config.pipeline;
    Ok(match &config.source {
        config::Source::SpannerChangeStream(stream) => {
            let opened = SpannerStream::connect(stream, pipeline, names, meter);
            Arc::new(Box::pin(opened).await?)
        }
        config::Source::BigtableChangeStream(stream) => {
            let names = (!config.names_filter.lets_all_pass()).then_some(names);
            let opened = BigtableStream::connect(stream, pipeline, names, meter);
            Arc::new(Box::pin(opened).await?)
        }
        config::Source::SpannerBatch(batch) => {
            let opened = SpannerBatch::connect(batch, pipeline, meter);
            Arc::new(Box::pin(opened).await?)
        }
    })
}

/// Why there is nowhere to start anew.
#[derive(Debug, thiserror::Error)]
#[error("resume-fallback cannot be resolved: {0}")]
pub struct FallbackError(pub String);

/// Reads one partition.
#[async_trait]
pub trait Reader: Send {
    /// The next delivery; none at the clean end of the stream. It may be cancelled only together
    /// with the whole reader.
    ///
    /// # Errors
    ///
    /// The stream broke; the reader is done.
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure>;
}

/// What a reader read: a run of records, then at most one item of another kind, as the last.
pub struct Delivery {
    /// Every item, in stream order.
    pub items: Vec<Item>,
    /// The records among them that have output, in the same order. Empty when there are none.
    pub batch: Box<Batch>,
    /// What was left out.
    pub dropped: Dropped,
}

/// What filters and repeats removed while reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Dropped {
    /// Records of tables that do not pass.
    pub by_table: u64,
    /// Records that filtering left without a change.
    pub without_change: u64,
    /// Records of an origin that does not pass: a cluster, or garbage collection.
    pub by_origin: u64,
    /// Column values that do not pass.
    pub cells: u64,
    /// Records that were acknowledged before the reader opened.
    pub covered: u64,
}

impl Dropped {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Self) {
        self.by_table += other.by_table;
        self.without_change += other.without_change;
        self.by_origin += other.by_origin;
        self.cells += other.cells;
        self.covered += other.covered;
    }
}

/// What cannot be read on.
fn fatal(error: &dyn std::error::Error) -> ReadFailure {
    ReadFailure::Fatal {
        cause: chain(error),
    }
}

/// What a failed call means to the scheduler.
fn read_failure(error: &CallError) -> ReadFailure {
    let cause = chain(error);
    counter!("acequia_stream_failures_total", "code" => code_name(error.code())).increment(1);
    match error.disposition() {
        Disposition::Retry | Disposition::Reopen | Disposition::Refresh => ReadFailure::Retry {
            after: error.retry_after(),
            cause,
        },
        Disposition::OutOfRange => ReadFailure::OutOfRange { cause },
        Disposition::Fatal => ReadFailure::Fatal { cause },
    }
}
