//! The one recorder of a process, and its text for Prometheus.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_util::MetricKindMask;

use super::describe::describe;
use super::publish::publish;
use crate::status::Status;

/// Bounds of times, in seconds: from a call into a component to a stalled disk.
const SECONDS: &[f64] = &[
    0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0,
];

/// Why there are no metrics.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The recorder cannot be built.
    #[error("metrics cannot be recorded: {0}")]
    Build(#[from] BuildError),
    /// Another recorder is at work in this process.
    #[error("metrics are recorded by something else in this process")]
    Taken,
}

/// What is recorded.
#[derive(Clone)]
pub(crate) struct Metrics {
    prometheus: PrometheusHandle,
}

impl Metrics {
    /// Begins to record.
    ///
    /// # Errors
    ///
    /// Something else records already.
    pub(crate) fn install() -> Result<Self, MetricsError> {
        // Series of partitions that are no longer published go away.
        let recorder = PrometheusBuilder::new()
            .idle_timeout(
                MetricKindMask::GAUGE,
                Some(std::time::Duration::from_secs(1)),
            )
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
            .build_recorder();
        let prometheus = recorder.handle();
        metrics::set_global_recorder(recorder).map_err(|_taken| MetricsError::Taken)?;
        describe();
        Ok(Self { prometheus })
    }

    /// Takes over the counts and states of a moment.
    pub(crate) fn publish(&self, status: &Status) {
        publish(status);
    }

    /// All metrics in Prometheus' text format.
    pub(crate) fn render(&self) -> String {
        self.prometheus.render()
    }

    /// Folds samples of distributions away; to be called now and then.
    pub(crate) fn upkeep(&self) {
        self.prometheus.run_upkeep();
    }
}
