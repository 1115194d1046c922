//! The options that say who may look at a run. They are the same for every source.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::kind::Kind;
use super::option::{OptionSpec, Presence};
use super::read::{Field, Read, Report, Section, Value, boolean, name};

pub(super) const ADMIN_ADDRESS: OptionSpec = OptionSpec::new(
    "admin-address",
    "a port, or host:port",
    Presence::Optional("serves nothing"),
    "Where the status page, /status, /metrics, /healthz and /readyz are served, over plain HTTP. A \
     port alone is one of the loopback address; port 0 takes a free one.",
)
.of_kind(Kind::Either(&[
    Kind::Count {
        min: 0,
        max: u16::MAX as u64,
    },
    Kind::Pattern(r"^(localhost|[0-9]+(\.[0-9]+){3}|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}$"),
]));

pub(super) const EXPORT_CLIENT_METRICS: OptionSpec = OptionSpec::new(
    "export-client-metrics",
    "true or false",
    Presence::Default("false"),
    "Whether the metrics have those of the client, per RPC method: operations, attempts, latencies, \
     connectivity errors and the server's own time. Needs admin-address or otlp-endpoint.",
)
.or_called(&[
    "exportClientMetrics",
    "exportClientMetricsToFlink",
    "export-client-metrics-to-flink",
]);

pub(super) const OTLP_ENDPOINT: OptionSpec = OptionSpec::new(
    "otlp-endpoint",
    "a URL such as http://localhost:4317",
    Presence::Optional("exports nothing"),
    "The OpenTelemetry collector that metrics and traces are sent to, over gRPC. Only in a binary \
     that was built with the feature otlp.",
)
.of_kind(Kind::Pattern(r"^https?://.+$"));

/// Who may look at a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Where the admin server listens. Default: nowhere.
    pub admin_address: Option<SocketAddr>,
    /// Whether metrics of the client are among the metrics. Default: false.
    pub client_metrics: bool,
    /// The OpenTelemetry collector. Default: none.
    pub otlp_endpoint: Option<String>,
}

/// Reads these options from the section of a connector.
pub(super) fn read(section: &Section<'_>, report: &mut Report) -> Read<Telemetry> {
    let address = section.read_optional(&ADMIN_ADDRESS, report, admin_address);
    let client_metrics = section.read(&EXPORT_CLIENT_METRICS, report, boolean);
    let otlp = section.read_optional(&OTLP_ENDPOINT, report, otlp_endpoint);
    let (address, client_metrics, otlp) = (address?, client_metrics?, otlp?);
    if client_metrics && address.is_none() && otlp.is_none() {
        let message = "nobody would see them: set admin-address or otlp-endpoint too";
        return Err(section.problem(&EXPORT_CLIENT_METRICS, report, message));
    }
    Ok(Telemetry {
        admin_address: address,
        client_metrics,
        otlp_endpoint: otlp,
    })
}

fn admin_address(field: &Field<'_>, report: &mut Report) -> Read<SocketAddr> {
    const WHAT: &str = "a port from 0 to 65535, or an address and a port such as 0.0.0.0:9464";
    let loopback = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    if let Value::Number(number) = &field.node.value {
        let port = number.as_u64().and_then(|port| u16::try_from(port).ok());
        return port
            .map(loopback)
            .ok_or_else(|| field.problem(report, format!("must be {WHAT}, and is {number}")));
    }
    let text = field.text(report, WHAT)?;
    let port = text.strip_prefix("localhost:").map(str::parse);
    if let Some(Ok(port)) = port {
        return Ok(loopback(port));
    }
    text.parse().map_err(|_not_an_address| {
        field.problem(report, format!("expected {WHAT}, found {text:?}"))
    })
}

fn otlp_endpoint(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = name(field, report)?;
    let parsed: Result<http::Uri, _> = text.parse();
    let scheme = parsed
        .ok()
        .and_then(|uri| uri.scheme_str().map(str::to_owned));
    match scheme.as_deref() {
        Some("http" | "https") => Ok(text),
        Some(_) | None => Err(field.problem(
            report,
            format!("expected a URL such as http://localhost:4317, found {text:?}"),
        )),
    }
}
