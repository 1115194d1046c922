//! Whether and where metrics of the client are written to Cloud Monitoring.

use std::net::SocketAddr;

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
    /// A server on this machine, without TLS and without credentials.
    Loopback(SocketAddr),
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

/// The same for the change stream of a table.
pub(super) const EXPORT_OF_TABLE: OptionSpec = EXPORT
    .left_out(Presence::Optional(
        "is true, unless emulator-endpoint is given",
    ))
    .doing(
        "Whether metrics of the client are written to Cloud Monitoring, in the project of the table. \
         Independent of export-client-metrics.",
    );

/// The same for the change stream of a database.
pub(super) const EXPORT_OF_STREAM: OptionSpec = EXPORT.left_out(Presence::Default("false"));

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

/// What is done where the file does not say whether to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// It is exported.
    Export,
    /// It is not.
    Keep,
    /// It would be, and the environment says that it should not.
    KeepHere,
}

impl Unsaid {
    /// What Google's own client of Spanner does.
    pub(super) fn of(environment: Environment) -> Self {
        if environment.disable_builtin_metrics {
            Self::KeepHere
        } else {
            Self::Export
        }
    }
}

/// Reads both options; none where nothing is exported.
pub(super) fn read(
    section: &Section<'_>,
    report: &mut Report,
    unsaid: Unsaid,
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
        (None, Some(_)) if unsaid == Unsaid::Keep => {
            let message = "has no use: nothing is exported unless \
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
        (None, _) if unsaid != Unsaid::Export => Ok(None),
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
    let is_loopback = |address: &SocketAddr| address.ip().is_loopback() && address.port() > 0;
    match address.parse().ok().filter(is_loopback) {
        Some(address) => Ok(CloudMonitoring::Loopback(address)),
        None => Err(field.problem(report, format!("expected {WHAT}, found {text:?}"))),
    }
}
