//! A table or a query of Spanner as a source: a snapshot that nothing follows.
//!
//! [`connect`](SpannerBatch::connect) asks the database for its dialect, for how long it keeps old
//! versions of rows, and for the primary key of what is read; [`start`](SpannerBatch::start) asks the
//! service which instant the configured bound means, and every plan reads at that one.

pub(crate) mod requests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use acequia_core::{ReadFailure, Timestamp};
use acequia_decode::spanner::KeyJson;
use async_trait::async_trait;
use tracing::warn;

use super::pending::BatchLimits;
use super::snapshot::{PartReader, PlanReader, Planned, Source as Parts};
use super::{FallbackError, Opening, Reader, Source};
use crate::config::{self, OnExpiry, Pipeline, ReadOperation};
use crate::google::{CallError, ConnectError, RpcMeter, retrying};
use crate::spanner::Client;
use crate::spanner::discovery::{self, DiscoverError};
use crate::spanner::request::Dialect;
use crate::spanner::snapshot::Hints;

/// Why a snapshot could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No client could be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database does not describe itself.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The service does not say which instant the bound means.
    #[error("timestamp-bound: no transaction can be begun: {0}")]
    Begin(#[from] CallError),
}

/// A snapshot. Cheap to clone.
#[derive(Clone)]
pub struct SpannerBatch(Arc<Inner>);

struct Inner {
    client: Client,
    config: config::SpannerBatch,
    dialect: Dialect,
    kept: Mutex<Duration>,
    reads: [Planned; 1],
    limits: BatchLimits,
}

impl SpannerBatch {
    /// Connects, and asks the database what is read. The client's calls are measured by `meter`.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn connect(
        config: &config::SpannerBatch,
        pipeline: &Pipeline,
        meter: RpcMeter,
    ) -> Result<Self, OpenError> {
        let requests = &config.requests;
        let client = Client::new(&config.database, &config.connection, requests, meter)?;
        let dialect = discovery::dialect(&client).await?;
        let kept = discovery::version_retention(&client, dialect).await?;
        let planned = planned(&client, dialect, &config.read_operation).await?;
        Ok(Self(Arc::new(Inner {
            client,
            dialect,
            kept: Mutex::new(kept),
            reads: [planned],
            limits: BatchLimits::from(pipeline)
                .at_most(config.max_rows_per_fetch, config.max_bytes_per_fetch),
            config: config.clone(),
        })))
    }

    async fn begin(&self) -> Result<Timestamp, OpenError> {
        let Inner { client, config, .. } = self.0.as_ref();
        let bound = config.timestamp_bound;
        let begun = retrying(client.patience(), || client.begin_snapshot(bound)).await?;
        Ok(begun.at)
    }
}

/// What is read, with the primary key of its rows.
async fn planned(
    client: &Client,
    dialect: Dialect,
    operation: &ReadOperation,
) -> Result<Planned, DiscoverError> {
    let read = requests::read(operation);
    Ok(match operation {
        ReadOperation::Query(_) => Planned {
            name: "query".to_owned(),
            read,
            table: String::new(),
            key: Vec::new(),
        },
        ReadOperation::Table(of) => Planned {
            name: of.table.clone(),
            read,
            table: of.table.clone(),
            key: discovery::primary_key(client, dialect, &of.table).await?,
        },
    })
}

impl Inner {
    fn hints(&self) -> Hints {
        let hint = |hint: Option<std::num::NonZeroUsize>| {
            hint.map_or(0, |hint| i64::try_from(hint.get()).unwrap_or(i64::MAX))
        };
        Hints {
            max_partitions: hint(self.config.max_partitions),
            partition_size_bytes: hint(self.config.partition_size_bytes),
        }
    }
}

#[async_trait]
impl Parts for Inner {
    fn client(&self) -> &Client {
        &self.client
    }

    fn reads(&self) -> &[Planned] {
        &self.reads
    }

    /// As the emulator writes the keys of change records in either dialect.
    fn key_json(&self) -> KeyJson {
        KeyJson::Json
    }

    fn limits(&self) -> BatchLimits {
        self.limits
    }

    fn kept(&self) -> Duration {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn data_boost(&self) -> bool {
        self.config.data_boost_enabled
    }

    fn has_tokens(&self) -> bool {
        self.config.resume_by_token
    }

    /// The read names what it wants.
    async fn passing(&self, _table: &str, columns: &[String]) -> Result<Vec<bool>, ReadFailure> {
        Ok(vec![true; columns.len()])
    }
}

#[async_trait]
impl Source for SpannerBatch {
    fn open(&self, opening: Opening) -> Box<dyn Reader> {
        let Opening {
            partition,
            range: _,
            ticket,
            from,
        } = opening;
        let inner = Arc::clone(&self.0);
        let Some(ticket) = ticket else {
            let hints = inner.hints();
            return Box::new(PlanReader::new(inner, from.at, hints, None));
        };
        Box::new(PartReader::new(inner, partition, ticket, &from))
    }

    fn retention(&self) -> Duration {
        self.0.kept()
    }

    async fn ask_retention(&self) -> Option<Duration> {
        let Inner {
            client,
            dialect,
            kept,
            ..
        } = self.0.as_ref();
        match discovery::version_retention(client, *dialect).await {
            Ok(asked) => {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = asked;
                Some(asked)
            }
            Err(error) => {
                warn!("version_retention_period cannot be asked again: {error}");
                None
            }
        }
    }

    async fn start(&self, _now: Timestamp) -> Result<Timestamp, super::OpenError> {
        Ok(self.begin().await?)
    }

    /// A snapshot has no positions that expire one by one.
    async fn fallback(&self, _now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        None
    }

    async fn plan_anew(&self, _now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        match self.0.config.on_expiry {
            OnExpiry::Fail => None,
            OnExpiry::BeginAnew => {
                let begun = self.begin().await;
                Some(begun.map_err(|error| FallbackError(error.to_string())))
            }
        }
    }
}
