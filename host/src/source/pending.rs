//! What a reader has read and not delivered.

use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use acequia_core::Item;
use acequia_decode::bigtable::MutationBatch;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::ChangeBatch;
use tokio::time::Instant;

use super::{Delivery, Dropped};
use crate::batch::Batch;
use crate::config::Pipeline;

/// When a batch is closed, whichever comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchLimits {
    records_max: usize,
    bytes_max: usize,
    linger: Duration,
}

impl From<&Pipeline> for BatchLimits {
    fn from(pipeline: &Pipeline) -> Self {
        Self {
            records_max: pipeline.batch_records_max.get(),
            bytes_max: pipeline.batch_bytes_max.get(),
            linger: pipeline.linger,
        }
    }
}

impl BatchLimits {
    /// The same, and never more than these.
    pub(super) fn at_most(self, records_max: NonZeroUsize, bytes_max: NonZeroUsize) -> Self {
        Self {
            records_max: self.records_max.min(records_max.get()),
            bytes_max: self.bytes_max.min(bytes_max.get()),
            ..self
        }
    }
}

/// A delivery that is still read.
pub(super) struct Pending<B> {
    pub(super) items: Vec<Item>,
    pub(super) batch: B,
    pub(super) dropped: Dropped,
    limits: BatchLimits,
    /// When it is delivered although it is small.
    linger_until: Option<Instant>,
}

/// The columns of a source.
pub(super) trait Columns: Into<Batch> {
    /// Bytes that they take.
    fn bytes(&self) -> usize;

    /// Hands them over and leaves empty ones.
    fn take(&mut self) -> Self;
}

impl<B: Columns> Pending<B> {
    pub(super) fn new(batch: B, limits: BatchLimits) -> Self {
        Self {
            items: Vec::new(),
            batch,
            dropped: Dropped::default(),
            limits,
            linger_until: None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.items.len() >= self.limits.records_max || self.batch.bytes() >= self.limits.bytes_max
    }

    pub(super) fn deliver(&mut self) -> Delivery {
        self.linger_until = None;
        let room = Vec::with_capacity(self.items.len());
        Delivery {
            items: std::mem::replace(&mut self.items, room),
            batch: Box::new(self.batch.take().into()),
            dropped: std::mem::take(&mut self.dropped),
        }
    }

    /// What comes next; none if something is pending and must not wait longer. What is waited for is
    /// dropped then, and must not lose anything by it.
    pub(super) async fn wait<T>(&mut self, next: impl Future<Output = T>) -> Option<T> {
        if self.is_empty() {
            return Some(next.await);
        }
        let linger = self.limits.linger;
        let until = *self
            .linger_until
            .get_or_insert_with(|| Instant::now() + linger);
        let mut next = pin!(next);
        // A busy stream's next frame is there mostly, and needs no timer.
        match futures::poll!(next.as_mut()) {
            Poll::Ready(next) => Some(next),
            Poll::Pending => tokio::time::timeout_at(until, next).await.ok(),
        }
    }
}

impl Columns for ChangeBatch {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn take(&mut self) -> Self {
        self.take()
    }
}

impl Columns for MutationBatch {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn take(&mut self) -> Self {
        self.take()
    }
}

impl Columns for RowBatch {
    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn take(&mut self) -> Self {
        self.take()
    }
}
