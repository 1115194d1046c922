//! The recorder of a process, and where what it records goes.

use std::time::Duration;

use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use metrics_util::MetricKindMask;
use metrics_util::layers::FanoutBuilder;

use super::describe::describe;
use super::publish::publish;
use crate::config;
use crate::status::Status;

/// Bounds of times, in seconds: from a call into a component to a stalled disk.
const SECONDS: &[f64] = &[
    0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0,
];

/// Series of partitions that are no longer published go away after this time.
const IDLE: Duration = Duration::from_secs(1);

/// Why there are no metrics.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The recorder cannot be built.
    #[error("metrics cannot be recorded: {0}")]
    Build(#[from] BuildError),
    /// Another recorder is at work in this process.
    #[error("metrics are recorded by something else in this process")]
    Taken,
    /// They cannot be exported.
    #[cfg(feature = "otlp")]
    #[error(transparent)]
    Otlp(#[from] super::OtlpError),
}

/// What is recorded, and where it goes.
#[derive(Clone)]
pub(crate) struct Metrics {
    prometheus: PrometheusHandle,
    #[cfg(feature = "otlp")]
    otlp: Option<std::sync::Arc<super::Otlp>>,
}

impl Metrics {
    /// Begins to record; nothing where nobody would see it. `name` is the connector's.
    ///
    /// # Errors
    ///
    /// Something else records already, or the way to the collector cannot be made.
    pub(crate) fn start(
        telemetry: &config::Telemetry,
        name: &str,
    ) -> Result<Option<Self>, MetricsError> {
        if telemetry.admin_address.is_none() && telemetry.otlp_endpoint.is_none() {
            return Ok(None);
        }
        let prometheus = prometheus()?;
        let handle = prometheus.handle();
        let outlets = FanoutBuilder::default().add_recorder(prometheus);
        #[cfg(feature = "otlp")]
        let (outlets, otlp) = super::otlp::add_to(outlets, telemetry, name)?;
        #[cfg(not(feature = "otlp"))]
        let _name_of_exported = name;
        metrics::set_global_recorder(outlets.build()).map_err(|_taken| MetricsError::Taken)?;
        describe();
        Ok(Some(Self {
            prometheus: handle,
            #[cfg(feature = "otlp")]
            otlp,
        }))
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

    /// Whether they are sent without being asked for, so that they must be published now and then.
    pub(crate) fn are_sent(&self) -> bool {
        #[cfg(feature = "otlp")]
        let sent = self.otlp.is_some();
        #[cfg(not(feature = "otlp"))]
        let sent = false;
        sent
    }

    /// Sends what is left.
    pub(crate) fn finish(&self) {
        #[cfg(feature = "otlp")]
        if let Some(otlp) = &self.otlp {
            otlp.shut_down();
        }
    }
}

fn prometheus() -> Result<PrometheusRecorder, BuildError> {
    let builder = PrometheusBuilder::new()
        .idle_timeout(MetricKindMask::GAUGE, Some(IDLE))
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?;
    Ok(builder.build_recorder())
}
