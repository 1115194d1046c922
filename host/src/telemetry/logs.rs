//! Logs, and the spans that become traces.

use std::io::IsTerminal;

use clap::ValueEnum;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// The target of spans that become traces. No log shows them.
pub(crate) const SPANS: &str = "acequia::spans";

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Sends logs to standard error, as `RUST_LOG` says; `info` without it.
pub fn start_logging(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_unset| EnvFilter::new("info"));
    let started = Registry::default()
        .with(spans::layer())
        .with(lines(format).with_filter(filter))
        .try_init();
    // Somebody who started logging before us keeps theirs.
    drop(started);
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    }
}

#[cfg(not(feature = "otlp"))]
mod spans {
    use tracing_subscriber::layer::Identity;

    /// Nobody collects spans in this build.
    pub(super) fn layer() -> Identity {
        Identity::new()
    }
}

#[cfg(feature = "otlp")]
pub(crate) use spans::collect;

#[cfg(feature = "otlp")]
mod spans {
    use std::sync::OnceLock;

    use opentelemetry_sdk::trace::SdkTracer;
    use tracing_opentelemetry::OpenTelemetryLayer;
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::{Layer, Registry, reload};

    use super::SPANS;

    type Tracing = Option<OpenTelemetryLayer<Registry, SdkTracer>>;

    /// Where the tracer is put once the configuration has said where traces go.
    static SLOT: OnceLock<reload::Handle<Tracing, Registry>> = OnceLock::new();

    pub(super) fn layer() -> impl Layer<Registry> {
        let (layer, slot) = reload::Layer::new(None);
        // A second start of logging is dropped, and its layer with it.
        let _taken = SLOT.set(slot);
        layer.with_filter(filter_fn(|span| span.target() == SPANS))
    }

    /// Gives the spans of the process to a tracer.
    pub(crate) fn collect(tracer: SdkTracer) {
        if let Some(slot) = SLOT.get() {
            let layer = tracing_opentelemetry::layer().with_tracer(tracer);
            // It fails when logging was started by somebody else: then spans are theirs.
            let _gone = slot.reload(Some(layer));
        }
    }
}
