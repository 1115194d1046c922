//! The component that decides by values which change records go on.

use std::sync::Arc;
use std::time::Instant;

use acequia_decode::spanner::ChangeBatch;
use tokio::time::timeout;

use super::about::About;
use super::answer;
use super::call::{CallError, refused};
use super::live::Live;
use super::meter::Meter;
use super::params;
use super::world::SpannerKeep;

/// A loaded component of the world `spanner-record-filter`.
pub struct RecordFilter {
    live: Live<SpannerKeep>,
}

impl RecordFilter {
    pub(super) fn new(live: Live<SpannerKeep>) -> Self {
        Self { live }
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
        Self::new(self.live.another())
    }

    /// Which records of a batch go on: one entry per record.
    ///
    /// # Errors
    /// If the component gives up, is stopped, or breaks the contract. That stops the run: it is
    /// never read as a yes or a no.
    pub async fn keep(&mut self, batch: &ChangeBatch) -> Result<Vec<bool>, CallError> {
        let mut instance = self.live.take().await?;
        let limit = instance.limits.call_timeout;
        let began = Instant::now();
        let call = instance
            .functions
            .call_keep(&mut instance.store, params::changes(batch));
        let result = timeout(limit, call).await;
        let verdicts = instance.ended(began, result)?.map_err(refused)?;
        let verdicts = answer::verdicts(&verdicts, batch.records())?;
        instance.meter.records(batch.records());
        self.live.keep(instance);
        Ok(verdicts)
    }
}
