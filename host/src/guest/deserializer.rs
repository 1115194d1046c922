//! The component that turns records into outputs.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;

use super::about::About;
use super::answer;
use super::bindings::acequia::connector::types;
use super::bisect::{self, BisectError};
use super::call::CallError;
use super::control::Control;
use super::failure::Deserialized;
use super::functions::Deserialize;
use super::live::Live;
use super::meter::Meter;
use super::of_shape::OfShape;
use super::world::{BigtableDeserialize, RowsDeserialize, SpannerDeserialize};
use crate::batch::Batch;
use crate::sink::Outputs;

/// A loaded component of a shape's world of deserializers.
pub struct Deserializer {
    live: OfShape<SpannerDeserialize, BigtableDeserialize, RowsDeserialize>,
}

impl Deserializer {
    pub(super) fn spanner(live: Live<SpannerDeserialize>) -> Self {
        Self {
            live: OfShape::Spanner(live),
        }
    }

    pub(super) fn bigtable(live: Live<BigtableDeserialize>) -> Self {
        Self {
            live: OfShape::Bigtable(live),
        }
    }

    pub(super) fn rows(live: Live<RowsDeserialize>) -> Self {
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

    /// Turns a batch into outputs and failures, whatever the component does to single records: when
    /// a call fails, the batch is halved until the records at fault are known, and each of them
    /// becomes one failure.
    ///
    /// # Errors
    /// If the component does not start again, or too many calls ran into their time limit: then the
    /// component is at fault and not a record.
    pub async fn deserialize_all(&mut self, batch: &Batch) -> Result<Deserialized, BisectError> {
        let deserialized = bisect::deserialize_all(self, batch).await?;
        self.live.meter().failed(deserialized.failures.len());
        Ok(deserialized)
    }

    /// Turns a batch into outputs and failures in one call.
    ///
    /// # Errors
    /// If the component is stopped or breaks the contract. The next call finds a new instance.
    pub async fn deserialize(&mut self, batch: &Batch) -> Result<Deserialized, CallError> {
        match (&mut self.live, batch) {
            (OfShape::Spanner(live), Batch::Spanner(changes)) => {
                deserialize(live, changes, batch.records()).await
            }
            (OfShape::Bigtable(live), Batch::Bigtable(mutations)) => {
                deserialize(live, mutations, batch.records()).await
            }
            (OfShape::Rows(live), Batch::Rows(rows)) => {
                deserialize(live, rows, batch.records()).await
            }
            (live, batch) => Err(CallError::OtherShape {
                takes: live.shape(),
                given: batch.shape(),
            }),
        }
    }

    /// Turns a control record into outputs.
    ///
    /// # Errors
    /// As [`Deserializer::deserialize`].
    pub async fn control(&mut self, event: &Control) -> Result<Outputs, CallError> {
        match &mut self.live {
            OfShape::Spanner(live) => control(live, event).await,
            OfShape::Bigtable(live) => control(live, event).await,
            OfShape::Rows(live) => control(live, event).await,
        }
    }
}

async fn deserialize<I: Deserialize>(
    live: &mut Live<I>,
    batch: &I::Batch,
    records: usize,
) -> Result<Deserialized, CallError> {
    let mut instance = live.take().await?;
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let call = I::deserialize(&instance.functions, &mut instance.store, batch);
    let result = timeout(limit, call).await;
    let outputs = answer::outputs(instance.ended(began, result)?, records)?;
    instance.meter.records(records);
    live.keep(instance);
    Ok(outputs)
}

async fn control<I: Deserialize>(
    live: &mut Live<I>,
    event: &Control,
) -> Result<Outputs, CallError> {
    let mut instance = live.take().await?;
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let call = I::deserialize_control(&instance.functions, &mut instance.store, event.param());
    let result = timeout(limit, call).await;
    let answer = instance.ended(began, result)?;
    live.keep(instance);
    Ok(columns(&answer))
}

fn columns(answer: &[types::ControlOutput]) -> Outputs {
    let mut outputs = Outputs::default();
    for output in answer {
        outputs.keys.push(output.key.as_bytes());
        outputs.values.push(output.value.as_bytes());
        outputs.topics.push(output.topic.as_bytes());
    }
    outputs
}
