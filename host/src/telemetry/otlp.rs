//! Metrics and traces to an OpenTelemetry collector, over gRPC.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_otel::OpenTelemetryRecorder;
use metrics_util::layers::FanoutBuilder;
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::warn;

use super::logs;
use crate::config;

/// How often metrics are sent.
const METRICS_INTERVAL: Duration = Duration::from_secs(10);

/// How long the last metrics and traces may take when a run ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Why nothing can be exported. An unreachable collector is none: it is tried again for ever.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// The endpoint cannot be used.
    #[error("otlp-endpoint: {0}")]
    Build(#[from] ExporterBuildError),
}

/// Adds the collector to the outlets of metrics, and gives it the spans, if there is one.
pub(super) fn add_to(
    outlets: FanoutBuilder,
    telemetry: &config::Telemetry,
    name: &str,
) -> Result<(FanoutBuilder, Option<Arc<Otlp>>), OtlpError> {
    let Some(endpoint) = &telemetry.otlp_endpoint else {
        return Ok((outlets, None));
    };
    let otlp = Otlp::start(endpoint, name)?;
    logs::collect(otlp.tracers.tracer("acequia"));
    let recorder = OpenTelemetryRecorder::new(otlp.meters.meter("acequia"));
    Ok((outlets.add_recorder(recorder), Some(Arc::new(otlp))))
}

/// The way to a collector.
pub(crate) struct Otlp {
    meters: SdkMeterProvider,
    tracers: SdkTracerProvider,
}

impl Otlp {
    /// Begins to export, in batches, in the background. What is exported is told as coming from the
    /// connector `name`.
    ///
    /// # Errors
    ///
    /// The endpoint is no URL that can be used.
    pub(crate) fn start(endpoint: &str, name: &str) -> Result<Self, OtlpError> {
        let resource = Resource::builder()
            .with_service_name("acequia")
            .with_attribute(opentelemetry::KeyValue::new(
                "service.instance.id",
                name.to_owned(),
            ))
            .build();
        let metrics = MetricExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .build()?;
        let reader = PeriodicReader::builder(metrics)
            .with_interval(METRICS_INTERVAL)
            .build();
        let spans = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .build()?;
        Ok(Self {
            meters: SdkMeterProvider::builder()
                .with_reader(reader)
                .with_resource(resource.clone())
                .build(),
            tracers: SdkTracerProvider::builder()
                .with_batch_exporter(spans)
                .with_resource(resource)
                .build(),
        })
    }

    /// Sends what is left. A collector that does not answer is not waited for any longer.
    pub(crate) fn shut_down(&self) {
        let spans = self.tracers.shutdown_with_timeout(SHUTDOWN_TIMEOUT);
        let metrics = self.meters.shutdown_with_timeout(SHUTDOWN_TIMEOUT);
        for failed in [spans.err(), metrics.err()].into_iter().flatten() {
            warn!("the last metrics or traces were not exported: {failed}");
        }
    }
}
