//! The component that turns records into outputs.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;

use super::about::About;
use super::answer;
use super::bindings::acequia::connector::types;
use super::bisect::{self, BisectError};
use super::call::CallError;
use super::failure::Deserialized;
use super::functions::Deserialize;
use super::live::Live;
use super::meter::Meter;
use super::of_service::OfService;
use super::world::{BigtableDeserialize, SpannerDeserialize};
use crate::batch::Batch;
use crate::sink::Outputs;

/// A loaded component of a source's world of deserializers.
pub struct Deserializer {
    live: OfService<SpannerDeserialize, BigtableDeserialize>,
}

impl Deserializer {
    pub(super) fn spanner(live: Live<SpannerDeserialize>) -> Self {
        Self {
            live: OfService::Spanner(live),
        }
    }

    pub(super) fn bigtable(live: Live<BigtableDeserialize>) -> Self {
        Self {
            live: OfService::Bigtable(live),
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
            (OfService::Spanner(live), Batch::Spanner(changes)) => {
                deserialize(live, changes, batch.records()).await
            }
            (OfService::Bigtable(live), Batch::Bigtable(mutations)) => {
                deserialize(live, mutations, batch.records()).await
            }
            (live, batch) => Err(CallError::OtherService {
                takes: live.service(),
                given: batch.service(),
            }),
        }
    }

    /// Turns a gap, which is a control record, into outputs.
    ///
    /// # Errors
    /// As [`Deserializer::deserialize`].
    pub async fn gap(&mut self, gap: &Gap) -> Result<Outputs, CallError> {
        match &mut self.live {
            OfService::Spanner(live) => control(live, gap).await,
            OfService::Bigtable(live) => control(live, gap).await,
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

async fn control<I: Deserialize>(live: &mut Live<I>, gap: &Gap) -> Result<Outputs, CallError> {
    let mut instance = live.take().await?;
    let limit = instance.limits.call_timeout;
    let began = Instant::now();
    let event = types::Control::Gap(types::Gap {
        id: &gap.id,
        lost_from: &gap.lost_from,
        resumed_at: &gap.resumed_at,
        reason: &gap.reason,
    });
    let call = I::deserialize_control(&instance.functions, &mut instance.store, event);
    let result = timeout(limit, call).await;
    let answer = instance.ended(began, result)?;
    live.keep(instance);
    Ok(columns(&answer))
}

/// An interval of commit time whose changes were not read and will not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The id of this control record.
    pub id: String,
    /// The last position that was read, RFC 3339 with a `Z`.
    pub lost_from: String,
    /// Where reading goes on, RFC 3339 with a `Z`.
    pub resumed_at: String,
    /// Why the interval is lost.
    pub reason: String,
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
