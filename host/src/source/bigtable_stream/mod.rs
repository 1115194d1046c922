//! The change stream of a Bigtable table as a source.
//!
//! [`connect`](BigtableStream::connect) looks at the application profile and at how long the table
//! keeps records; the root reader names the partitions of the start; a [`reader`] turns the frames of
//! one row range into deliveries.

mod reader;
mod root;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use acequia_core::{PartitionId, Timestamp};
use acequia_decode::bigtable::Options;
use async_trait::async_trait;
use tracing::{info, warn};

use self::reader::StreamReader;
use self::root::RootReader;
use super::pending::BatchLimits;
use super::{FallbackError, Opening, Reader, Source};
use crate::bigtable::discovery::{self, DiscoverError, Profile};
use crate::bigtable::{Client, Cookies};
use crate::chain::chain;
use crate::config::{BigtableChangeStream, Pipeline, Resolved, StartError, StartPosition};
use crate::google::{CallError, ConnectError, RpcMeter};
use crate::guest::NamesFilter;

/// What a table's change stream keeps at the most. Taken where nobody may look at the table.
///
/// Source: https://cloud.google.com/bigtable/docs/change-streams-overview, 1 to 7 days.
pub(crate) const RETENTION_MAX: Duration = Duration::from_hours(7 * 24);

/// Why a change stream could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No client could be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The table or the profile does not fit.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The start cannot be used.
    #[error("start-position: {0}")]
    Start(#[from] StartError),
}

/// An open change stream. Cheap to clone.
#[derive(Clone)]
pub struct BigtableStream(Arc<Inner>);

struct Inner {
    client: Client,
    config: BigtableChangeStream,
    retention: Mutex<Duration>,
    limits: BatchLimits,
    /// None lets every name pass.
    filter: Option<tokio::sync::Mutex<NamesFilter>>,
    /// The partitions whose last stream failed, and what the service wants to hear in the next.
    failed: Mutex<BTreeMap<PartitionId, Cookies>>,
}

impl BigtableStream {
    /// Connects, and looks at the profile and the table. Without a filter every name passes. The
    /// client's calls are measured by `meter`.
    ///
    /// # Errors
    ///
    /// The profile routes to several clusters, the table has no change stream, or either cannot be
    /// looked at where that matters.
    pub async fn connect(
        config: &BigtableChangeStream,
        pipeline: &Pipeline,
        filter: Option<NamesFilter>,
        meter: RpcMeter,
    ) -> Result<Self, OpenError> {
        let client = Client::new(config, meter)?;
        let retention = if config.without_validation {
            warn!("without-validation: neither the profile's routing nor the retention is known");
            RETENTION_MAX
        } else {
            let profile = config.app_profile.as_str();
            if let Profile::Unseen(unseen) = discovery::check_profile(&client, profile).await? {
                warn!(
                    "{}; the service refuses one that does not fit",
                    chain(&unseen)
                );
            }
            discovery::retention(&client, &config.table.to_string()).await?
        };
        Ok(Self(Arc::new(Inner {
            client,
            retention: Mutex::new(retention),
            limits: pipeline.into(),
            filter: filter.map(tokio::sync::Mutex::new),
            config: config.clone(),
            failed: Mutex::new(BTreeMap::new()),
        })))
    }

    fn resolve(&self, position: StartPosition, now: Timestamp) -> Result<Timestamp, StartError> {
        let resolved = resolve(position, self.retention(), now)?;
        if let Some(asked) = resolved.moved_up {
            warn!(%asked, start = %resolved.at, "the start is older than the retention; moved up");
        }
        Ok(resolved.at)
    }
}

/// Where a position is, for a table that keeps records so long.
///
/// # Errors
///
/// It lies in the future, or before all time.
pub(crate) fn resolve(
    position: StartPosition,
    retention: Duration,
    now: Timestamp,
) -> Result<Resolved, StartError> {
    let earliest = now.checked_sub(retention);
    position.resolve(now, earliest.unwrap_or(Timestamp::UNIX_EPOCH))
}

/// What the assembler of a stream does.
pub(crate) fn options(config: &BigtableChangeStream, filter_names: bool) -> Options {
    let clusters = config.source_clusters.iter();
    Options {
        skip_messages_without_change: config.skip_messages_without_change,
        include_garbage_collection: config.include_garbage_collection,
        source_clusters: clusters
            .map(|id| id.as_str().to_owned())
            .collect::<BTreeSet<_>>(),
        filter_names,
    }
}

impl Inner {
    fn retention(&self) -> Duration {
        *self
            .retention
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self) -> Options {
        options(&self.config, self.filter.is_some())
    }

    /// Remembers that a partition's stream failed.
    fn note_failure(&self, partition: &PartitionId, mut cookies: Cookies, error: &CallError) {
        if let CallError::Status { status, .. } = error {
            cookies.take(status.metadata());
        }
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.insert(partition.clone(), cookies);
    }

    /// What the service wants to hear in the next stream of a partition; none if the last one did not
    /// fail.
    fn take_failure(&self, partition: &PartitionId) -> Option<Cookies> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.remove(partition)
    }
}

#[async_trait]
impl Source for BigtableStream {
    fn open(&self, opening: Opening) -> Box<dyn Reader> {
        let Opening {
            partition,
            range,
            ticket: _,
            from,
        } = opening;
        let inner = Arc::clone(&self.0);
        match range {
            Some(range) => Box::new(StreamReader::new(inner, partition, range, from)),
            None => Box::new(RootReader::new(inner, from.at)),
        }
    }

    fn retention(&self) -> Duration {
        self.0.retention()
    }

    async fn start(&self, now: Timestamp) -> Result<Timestamp, super::OpenError> {
        let start = self.resolve(self.0.config.start, now);
        Ok(start.map_err(OpenError::from)?)
    }

    async fn fallback(&self, now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        let position = self.0.config.resume_fallback?;
        let resolved = self.resolve(position, now);
        Some(resolved.map_err(|error| FallbackError(error.to_string())))
    }

    async fn ask_retention(&self) -> Option<Duration> {
        if self.0.config.without_validation {
            return None;
        }
        let table = self.0.config.table.to_string();
        let asked = match discovery::retention(&self.0.client, &table).await {
            Ok(asked) => asked,
            Err(error) => {
                warn!("the retention cannot be asked again: {}", chain(&error));
                return None;
            }
        };
        let mut retention = self
            .0
            .retention
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if *retention != asked {
            info!(before = ?*retention, now = ?asked, "the table's retention was changed");
        }
        *retention = asked;
        Some(asked)
    }

    /// The stream follows no snapshot.
    async fn plan_anew(&self, _now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        None
    }
}
