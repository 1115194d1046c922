//! Addresses of servers.

use super::Endpoint;
use crate::config::read::{Field, Read, Report};

const EMULATOR_WHAT: &str = "host:port with a port from 1 to 65535, such as localhost:9010";
const SERVICE_WHAT: &str = "https://host or https://host:port";

/// An emulator's `host:port`.
pub(super) fn emulator(field: &Field<'_>, report: &mut Report) -> Read<Endpoint> {
    let text = field.text(report, EMULATOR_WHAT)?;
    match split(text) {
        Some((host, Some(port))) => Ok(Endpoint::Emulator {
            host: host.to_owned(),
            port,
        }),
        Some((_, None)) | None => {
            let scheme = if text.contains("://") {
                "; leave the scheme out"
            } else {
                ""
            };
            let message = format!("expected {EMULATOR_WHAT}, found {text:?}{scheme}");
            Err(field.problem(report, message))
        }
    }
}

/// A name of the service.
pub(crate) fn service(field: &Field<'_>, report: &mut Report) -> Read<Endpoint> {
    let text = field.text(report, SERVICE_WHAT)?;
    if text.starts_with("http://") {
        return Err(field.problem(
            report,
            "must be https: without TLS there is only emulator-endpoint",
        ));
    }
    text.strip_prefix("https://")
        .and_then(split)
        .map(|_| Endpoint::Custom(text.to_owned()))
        .ok_or_else(|| {
            field.problem(
                report,
                format!("expected {SERVICE_WHAT}, without a user, a path or a query"),
            )
        })
}

/// The host (without the brackets of an IPv6 address) and the port. `None` where it is neither
/// `host` nor `host:port`.
fn split(text: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            let port = match port {
                "" => None,
                port => Some(port.strip_prefix(':')?),
            };
            (address, port)
        }
        None => match text.split_once(':') {
            Some((host, port)) => (named(host)?, Some(port)),
            None => (named(text)?, None),
        },
    };
    match port {
        None => Some((host, None)),
        Some(port) if port.bytes().all(|b| b.is_ascii_digit()) => {
            let port = port.parse().ok().filter(|port| *port > 0)?;
            Some((host, Some(port)))
        }
        Some(_) => None,
    }
}

/// A host name or an IPv4 address.
fn named(host: &str) -> Option<&str> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!host.is_empty() && host.chars().all(allowed)).then_some(host)
}
