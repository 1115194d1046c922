//! The plan of a snapshot.

use std::sync::Arc;

use acequia_core::{Item, Part, PartitionId, ReadFailure, Timestamp};
use acequia_decode::rows::RowBatch;
use async_trait::async_trait;

use super::part::Source;
use super::{Ticket, part_failure};
use crate::config::TimestampBound;
use crate::source::{Delivery, Dropped, Reader, fatal};
use crate::spanner::snapshot::Hints;

/// Plans a snapshot: its one delivery names the parts.
pub(in crate::source) struct PlanReader<S> {
    source: Arc<S>,
    at: Timestamp,
    hints: Hints,
    /// Where the stream starts that follows it.
    then: Option<Timestamp>,
    done: bool,
}

impl<S: Source> PlanReader<S> {
    pub(in crate::source) fn new(
        source: Arc<S>,
        at: Timestamp,
        hints: Hints,
        then: Option<Timestamp>,
    ) -> Self {
        Self {
            source,
            at,
            hints,
            then,
            done: false,
        }
    }

    /// A transaction of the same instant is begun for each plan: what was planned before may be gone.
    async fn parts(&self) -> Result<Vec<Part>, ReadFailure> {
        let client = self.source.client();
        let failed = |error: &_| part_failure(error, self.at, self.source.kept());
        let bound = TimestampBound::ReadTimestamp(self.at);
        let snapshot = client.begin_snapshot(bound).await;
        let snapshot = snapshot.map_err(|error| failed(&error))?;
        let mut parts = Vec::new();
        for (index, planned) in self.source.reads().iter().enumerate() {
            let tokens = client.partition(&snapshot, &planned.read, self.hints).await;
            let tokens = tokens.map_err(|error| failed(&error))?;
            for (number, token) in tokens.iter().enumerate() {
                let ticket =
                    Ticket::new(index, &snapshot.session, &snapshot.transaction, token).write();
                parts.push(Part {
                    id: PartitionId::new(&format!("#{}/{number}", planned.name)),
                    ticket: ticket.map_err(|error| fatal(&error))?,
                });
            }
        }
        Ok(parts)
    }
}

#[async_trait]
impl<S: Source> Reader for PlanReader<S> {
    async fn next(&mut self) -> Result<Option<Delivery>, ReadFailure> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(None);
        }
        let planned = Item::Planned {
            at: self.at,
            parts: self.parts().await?,
            then: self.then,
        };
        Ok(Some(Delivery {
            items: vec![planned],
            batch: Box::new(RowBatch::default().into()),
            dropped: Dropped::default(),
        }))
    }
}
