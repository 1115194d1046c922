//! Whether and where metrics of the client are written to Cloud Monitoring.

use super::connection::{self, options as connection_options};
use super::kind::Kind;
use super::option::{OptionSpec, Presence};
use super::read::{Field, Read, Report, Section, boolean};
use super::{Endpoint, Environment};

/// Where metrics of the client are written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloudMonitoring {
    /// `monitoring.googleapis.com`, with TLS and the credentials of the connection.
    Google,
    /// Another name of the service: `https://host[:port]`, with TLS and those credentials.
    Custom(String),
    /// A server on this machine, `http://address:port`, without TLS and without credentials.
    Loopback(String),
}

pub(super) const EXPORT: OptionSpec = OptionSpec::new(
    "export-client-metrics-to-cloud-monitoring",
    "true or false",
    Presence::Optional(
        "is true, unless emulator-endpoint is given or the environment variable \
         SPANNER_DISABLE_BUILTIN_METRICS is true",
    ),
    "Whether metrics of the client are written to Cloud Monitoring, in the project of the database. \
     Independent of export-client-metrics.",
)
.or_called(&["exportClientMetricsToCloudMonitoring"]);

pub(super) const ENDPOINT: OptionSpec = OptionSpec::new(
    "cloud-monitoring-endpoint",
    "https://host[:port], or http://127.0.0.1:port",
    Presence::Optional("uses monitoring.googleapis.com"),
    "Another name of Cloud Monitoring, with TLS and the credentials of the connection; or a server on \
     a loopback address, with neither. Only where metrics are exported there.",
)
.or_called(&["cloudMonitoringEndpoint"])
.of_kind(Kind::Either(&[
    connection_options::SERVICE,
    Kind::Pattern(r"^http://(127(\.[0-9]{1,3}){3}|\[::1\]):[0-9]{1,5}$"),
]));

/// Reads both options; none where nothing is exported.
pub(super) fn read(
    section: &Section<'_>,
    report: &mut Report,
    environment: Environment,
) -> Read<Option<CloudMonitoring>> {
    let export = section.read_optional(&EXPORT, report, boolean);
    let endpoint = section.read_optional(&ENDPOINT, report, endpoint);
    let (export, endpoint) = (export?, endpoint?);
    let emulator = section.given(&connection_options::EMULATOR_ENDPOINT);
    match (export, endpoint) {
        (Some(false), None) => Ok(None),
        (Some(false), Some(_)) => {
            let message = "has no use: export-client-metrics-to-cloud-monitoring is false";
            Err(section.problem(&ENDPOINT, report, message))
        }
        (None, None) if emulator.is_some() => Ok(None),
        (None, Some(_)) if emulator.is_some() => {
            let message = "has no use: with emulator-endpoint nothing is exported unless \
                           export-client-metrics-to-cloud-monitoring is true";
            Err(section.problem(&ENDPOINT, report, message))
        }
        (Some(true), None | Some(CloudMonitoring::Google | CloudMonitoring::Custom(_)))
            if emulator.is_some() =>
        {
            let message = "cannot be true with emulator-endpoint, which has no credentials to write \
                           with, unless cloud-monitoring-endpoint is a server on this machine";
            Err(section.problem(&EXPORT, report, message))
        }
        (None, _) if environment.disable_builtin_metrics => Ok(None),
        (Some(true) | None, endpoint) => Ok(Some(endpoint.unwrap_or(CloudMonitoring::Google))),
    }
}

fn endpoint(field: &Field<'_>, report: &mut Report) -> Read<CloudMonitoring> {
    const WHAT: &str = "https://host[:port], or http:// with a loopback address and a port, such as \
                        http://127.0.0.1:8080";
    let text = field.text(report, WHAT)?;
    let Some(address) = text.strip_prefix("http://") else {
        return match connection::service_endpoint(field, report)? {
            Endpoint::Custom(uri) => Ok(CloudMonitoring::Custom(uri)),
            Endpoint::Google | Endpoint::Emulator { .. } => Ok(CloudMonitoring::Google),
        };
    };
    let is_loopback =
        |address: std::net::SocketAddr| address.ip().is_loopback() && address.port() > 0;
    if address.parse().is_ok_and(is_loopback) {
        return Ok(CloudMonitoring::Loopback(text.to_owned()));
    }
    Err(field.problem(report, format!("expected {WHAT}, found {text:?}")))
}
