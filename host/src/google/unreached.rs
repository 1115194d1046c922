//! A call that found no connection, with the address in its text.

use std::error::Error;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use tonic::{Code, Status};

/// Where a service is called.
#[derive(Clone, Debug)]
pub(super) struct Server {
    /// Host and port, as a person writes them.
    pub(super) address: String,
    /// Whether it is an emulator or on this machine, so that whoever calls it may have to start it.
    pub(super) is_ones_own: bool,
}

impl Server {
    /// The server that an endpoint names.
    pub(super) fn of(uri: &http::Uri, is_emulator: bool) -> Self {
        let host = uri.host().unwrap_or_default();
        let default_port = if uri.scheme_str() == Some("http") {
            80
        } else {
            443
        };
        let port = uri.port_u16().unwrap_or(default_port);
        let is_loopback = host == "localhost"
            || (host.trim_matches(['[', ']']).parse()).is_ok_and(|ip: IpAddr| ip.is_loopback());
        Self {
            address: format!("{host}:{port}"),
            is_ones_own: is_emulator || is_loopback,
        }
    }
}

/// No connection came about.
#[derive(Debug, thiserror::Error)]
#[error("no connection to {}{}", .server.address, question(.server))]
struct Unreached {
    server: Server,
    #[source]
    status: Status,
}

fn question(server: &Server) -> &'static str {
    if server.is_ones_own {
        " (is the emulator, or `acequia sandbox`, running there?)"
    } else {
        ""
    }
}

/// The status of a call; where there was no connection, with the address in its text.
pub(super) fn naming(server: &Server, status: Status) -> Status {
    if causes(&status).all(|cause| !cause.is::<tonic::ConnectError>()) {
        return status;
    }
    let unreached = Unreached {
        server: server.clone(),
        status,
    };
    let mut named = Status::new(Code::Unavailable, unreached.to_string());
    named.set_source(Arc::new(unreached));
    named
}

/// Whether one's own server is not listening. It will not be before somebody starts it.
pub(super) fn is_not_running(status: &Status) -> bool {
    let is_ones_own = causes(status)
        .filter_map(|cause| cause.downcast_ref::<Unreached>())
        .any(|unreached| unreached.server.is_ones_own);
    let refused = causes(status)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::ConnectionRefused);
    is_ones_own && refused
}

fn causes(status: &Status) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(status.source(), |&cause| cause.source())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn server(uri: &str, is_emulator: bool) -> Server {
        Server::of(&uri.parse().unwrap(), is_emulator)
    }

    fn refused() -> Status {
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        let mut status = Status::unavailable("tcp connect error");
        status.set_source(Arc::new(tonic::ConnectError(Box::new(refused))));
        status
    }

    /// What a call gets of a server of one's own where nothing listens.
    pub(in crate::google) fn not_running() -> Status {
        naming(&server("http://127.0.0.1:9010", false), refused())
    }

    #[test]
    fn an_address_has_a_port_and_loopback_is_ones_own() {
        for (uri, address, is_ones_own) in [
            ("http://127.0.0.1:9010", "127.0.0.1:9010", true),
            ("http://[::1]:9010", "[::1]:9010", true),
            ("http://localhost", "localhost:80", true),
            (
                "https://spanner.googleapis.com",
                "spanner.googleapis.com:443",
                false,
            ),
        ] {
            let server = server(uri, false);
            assert_eq!(server.address, address);
            assert_eq!(server.is_ones_own, is_ones_own, "{uri}");
        }
    }

    #[test]
    fn a_refused_connection_names_the_address_and_asks_whether_ones_own_server_runs() {
        let own = naming(&server("http://emulator:9010", true), refused());
        assert!(own.message().contains("emulator:9010"), "{own}");
        assert!(own.message().contains("acequia sandbox"), "{own}");
        assert!(is_not_running(&own));
        let googles = naming(&server("https://spanner.googleapis.com", false), refused());
        assert!(!googles.message().contains("sandbox"), "{googles}");
        assert!(!is_not_running(&googles));
    }

    #[test]
    fn what_the_service_says_stays_as_it_is() {
        let said = naming(
            &server("http://127.0.0.1:9010", true),
            Status::unavailable("busy"),
        );
        assert_eq!(said.message(), "busy");
        assert!(!is_not_running(&said));
    }
}
