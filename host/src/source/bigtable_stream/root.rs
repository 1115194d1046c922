//! The first partitions.

use std::sync::Arc;

use acequia_core::{Item, ReadFailure, Timestamp};
use acequia_decode::bigtable::MutationBatch;
use async_trait::async_trait;

use super::Inner;
use crate::source::pending::Pending;
use crate::source::{Delivery, Reader, read_failure};

/// Asks for the partitions of this moment, all of which begin at the start.
pub(super) struct RootReader {
    stream: Arc<Inner>,
    start: Timestamp,
    is_done: bool,
}

impl RootReader {
    pub(super) fn new(stream: Arc<Inner>, start: Timestamp) -> Self {
        Self {
            stream,
            start,
            is_done: false,
        }
    }
}

#[async_trait]
impl Reader for RootReader {
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure> {
        if std::mem::replace(&mut self.is_done, true) {
            return Ok(None);
        }
        let ranges = self.stream.client.partitions().await;
        let ranges = ranges.map_err(|error| read_failure(&error))?;
        let mut pending = Pending::new(MutationBatch::default(), self.stream.limits);
        pending.items.push(Item::Ranges {
            start: self.start,
            ranges,
        });
        Ok(Some(pending.deliver()))
    }
}
