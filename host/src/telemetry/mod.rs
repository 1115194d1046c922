//! Metrics, logs and traces, for systems that collect them.
//!
//! Counts and states are published from a [`Status`](crate::status::Status) when they are asked
//! for: that has one source, and is of one moment. Distributions (the sink's times, calls to the
//! service) are recorded where they happen. Both go through the `metrics` facade, so that the
//! Prometheus endpoint and the OTLP exporter see the same. Traces are made of the spans of one
//! target, which no log shows.

mod describe;
pub(crate) mod logs;
mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod publish;

use crate::config::{Config, Problem};

pub(crate) use self::logs::SPANS;
pub(crate) use self::metrics::{Metrics, MetricsError};
#[cfg(feature = "otlp")]
pub(crate) use self::otlp::{Otlp, OtlpError};

/// What a configuration asks for that this binary does not have.
pub(crate) fn missing(config: &Config) -> Option<Problem> {
    let asked = cfg!(not(feature = "otlp")) && config.telemetry.otlp_endpoint.is_some();
    asked.then(|| {
        Problem::new(
            "spanner-change-stream.otlp-endpoint",
            "this binary was built without the feature otlp; build it with --features otlp, or use \
             admin-address",
        )
    })
}
