//! The client's metrics, on their way to Cloud Monitoring.

use std::convert::Infallible;
use std::future::pending;

use tracing::warn;

use crate::chain::chain;
use crate::config::Config;
use crate::google::RpcMeter;
use crate::google::monitoring::Exporter;

/// Exports what the calls of a run cost, or nothing.
pub(super) struct Exporting(Option<Exporter>);

impl Exporting {
    /// Begins to export, if the configuration asks for it: the meter is what the calls are to be
    /// measured by. What keeps it from exporting is a warning.
    pub(super) fn start(config: &Config) -> (Self, RpcMeter) {
        let exporter = Exporter::of(&config.source).unwrap_or_else(|error| {
            let cause = chain(&error);
            warn!("client metrics cannot be written to Cloud Monitoring: {cause}");
            None
        });
        let metrics = config.telemetry.client_metrics;
        let meter = match &exporter {
            Some(exporter) => exporter.meter(metrics),
            None => RpcMeter::new(metrics, None),
        };
        (Self(exporter), meter)
    }

    /// Exports for ever, or waits for ever.
    pub(super) async fn serve(&mut self) -> Infallible {
        match &mut self.0 {
            Some(exporter) => exporter.run().await,
            None => pending().await,
        }
    }

    /// The run is over: what is left is exported.
    pub(super) async fn finish(self) {
        if let Some(exporter) = self.0 {
            exporter.finish().await;
        }
    }
}
