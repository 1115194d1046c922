//! Spanner change streams as a source.
//!
//! [`connect`](SpannerStream::connect) asks the database for its dialect, the stream's partition
//! mode and its retention; [`start`](SpannerStream::start) resolves where a fresh run begins; a
//! [`reader`] then turns one partition's frames into deliveries.

mod reader;
mod start;
mod window;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use acequia_core::Timestamp;
use acequia_decode::spanner::Shape;
use async_trait::async_trait;
use tracing::warn;

use self::reader::StreamReader;
pub(crate) use self::start::{Start, resolve};
use super::pending::BatchLimits;
use super::{FallbackError, Opening, Reader, Source};
use crate::config::{Pipeline, SpannerChangeStream, StartError, StartPosition};
use crate::google::{ConnectError, RpcMeter};
use crate::guest::NamesFilter;
use crate::spanner::Client;
use crate::spanner::discovery::{self, Described, DiscoverError};
use crate::spanner::request::{Dialect, PartitionMode};

/// Why a change stream could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No client could be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The database does not describe the stream.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The start cannot be used.
    #[error("start-position: {0}")]
    Start(#[from] StartError),
}

/// An open change stream. Cheap to clone.
#[derive(Clone)]
pub struct SpannerStream(Arc<Inner>);

struct Inner {
    client: Client,
    described: Described,
    retention: Mutex<Duration>,
    config: SpannerChangeStream,
    limits: BatchLimits,
    filter: Arc<tokio::sync::Mutex<NamesFilter>>,
}

impl SpannerStream {
    /// Connects, and asks the database what the stream is. The client's calls are measured by
    /// `meter`.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, or it does not have the stream.
    pub async fn connect(
        config: &SpannerChangeStream,
        pipeline: &Pipeline,
        filter: NamesFilter,
        meter: RpcMeter,
    ) -> Result<Self, OpenError> {
        let requests = &config.requests;
        let client = Client::new(&config.database, &config.connection, requests, meter)?;
        let described = discovery::describe(&client, &config.change_stream).await?;
        Ok(Self(Arc::new(Inner {
            client,
            retention: Mutex::new(retention(&described, config)),
            described,
            config: config.clone(),
            limits: pipeline.into(),
            filter: Arc::new(tokio::sync::Mutex::new(filter)),
        })))
    }

    /// What the database says of the stream.
    pub fn described(&self) -> &Described {
        &self.0.described
    }

    async fn resolve(
        &self,
        position: StartPosition,
        now: Timestamp,
    ) -> Result<Timestamp, OpenError> {
        let Inner {
            client,
            described,
            config,
            ..
        } = self.0.as_ref();
        let start = resolve(client, described, config, position, now).await?;
        if let Some(moved_up) = start.moved_up {
            warn!(asked = %moved_up.asked(), start = %start.at, "{moved_up}; moved up");
        }
        Ok(start.at)
    }
}

/// How long records are kept.
pub(crate) fn retention(described: &Described, config: &SpannerChangeStream) -> Duration {
    described
        .retention
        .unwrap_or(config.absent_retention_fallback)
}

#[async_trait]
impl Source for SpannerStream {
    fn open(&self, opening: Opening) -> Box<dyn Reader> {
        let shape = match (self.0.described.mode, self.0.described.dialect) {
            (PartitionMode::Mutable, Dialect::GoogleSql | Dialect::PostgreSql) => {
                Shape::MutableProto
            }
            (PartitionMode::Immutable, Dialect::GoogleSql) => Shape::GoogleSql,
            (PartitionMode::Immutable, Dialect::PostgreSql) => Shape::PostgresJson,
        };
        Box::new(StreamReader::new(
            Arc::clone(&self.0),
            opening.partition,
            opening.from,
            shape,
        ))
    }

    fn retention(&self) -> Duration {
        *self
            .0
            .retention
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask_retention(&self) -> Option<Duration> {
        let name = &self.0.config.change_stream;
        match discovery::describe(&self.0.client, name).await {
            Ok(described) => {
                let asked = retention(&described, &self.0.config);
                *self
                    .0
                    .retention
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = asked;
                Some(asked)
            }
            Err(error) => {
                warn!("the retention cannot be asked again: {error}");
                None
            }
        }
    }

    async fn start(&self, now: Timestamp) -> Result<Timestamp, super::OpenError> {
        Ok(self.resolve(self.0.config.start, now).await?)
    }

    async fn fallback(&self, now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        let position = self.0.config.resume_fallback?;
        let resolved = self.resolve(position, now).await;
        Some(resolved.map_err(|error| FallbackError(error.to_string())))
    }

    /// The stream follows no snapshot.
    async fn plan_anew(&self, _now: Timestamp) -> Option<Result<Timestamp, FallbackError>> {
        None
    }
}
