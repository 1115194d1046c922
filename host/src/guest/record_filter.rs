//! The component that decides by values which records go on.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;

use super::about::About;
use super::answer;
use super::call::{CallError, refused};
use super::functions::Keep;
use super::live::Live;
use super::meter::Meter;
use super::of_shape::OfShape;
use super::world::{BigtableKeep, RowsKeep, SpannerKeep};
use crate::batch::Batch;

/// A loaded component of a shape's world of record filters.
pub struct RecordFilter {
    live: OfShape<SpannerKeep, BigtableKeep, RowsKeep>,
}

impl RecordFilter {
    pub(super) fn spanner(live: Live<SpannerKeep>) -> Self {
        Self {
            live: OfShape::Spanner(live),
        }
    }

    pub(super) fn bigtable(live: Live<BigtableKeep>) -> Self {
        Self {
            live: OfShape::Bigtable(live),
        }
    }

    pub(super) fn rows(live: Live<RowsKeep>) -> Self {
        Self {
            live: OfShape::Rows(live),
        }
    }

    /// What is known of the component.
    #[must_use]
    pub fn about(&self) -> &About {
        self.live.about()
    }

    /// What the component costs, over all its instances.
    #[must_use]
    pub fn meter(&self) -> Arc<Meter> {
        Arc::clone(self.live.meter())
    }

    /// The component's name, as logs and metrics show it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.live.about().name
    }

    /// Another instance of the same component, for another task. It starts at its first call.
    #[must_use]
    pub fn another(&self) -> Self {
        Self {
            live: self.live.another(),
        }
    }

    /// Which records of a batch go on: one entry per record.
    ///
    /// # Errors
    /// If the component gives up, is stopped, or breaks the contract. That stops the run: it is
    /// never read as a yes or a no.
    pub async fn keep(&mut self, batch: &Batch) -> Result<Vec<bool>, CallError> {
        match (&mut self.live, batch) {
            (OfShape::Spanner(live), Batch::Spanner(changes)) => {
                keep(live, changes, batch.records()).await
            }
            (OfShape::Bigtable(live), Batch::Bigtable(mutations)) => {
                keep(live, mutations, batch.records()).await
            }
            (OfShape::Rows(live), Batch::Rows(rows)) => keep(live, rows, batch.records()).await,
            (live, batch) => Err(CallError::OtherShape {
                takes: live.shape(),
                given: batch.shape(),
            }),
        }
    }
}

async fn keep<I: Keep>(
    live: &mut Live<I>,
    batch: &I::Batch,
    records: usize,
) -> Result<Vec<bool>, CallError> {
    let mut instance = live.take().await?;
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let call = I::keep(&instance.functions, &mut instance.store, batch);
    let result = timeout(limit, call).await;
    let verdicts = instance.ended(began, result)?.map_err(refused)?;
    let verdicts = answer::verdicts(&verdicts, records)?;
    instance.meter.records(records);
    live.keep(instance);
    Ok(verdicts)
}
