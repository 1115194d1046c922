//! Accepting connections, each within its limits.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tracing::{debug, info, warn};

use super::answer::answer;
use super::desk::Desk;
use super::limits::{
    ACCEPT_PAUSE, CONNECTION_AGE_MAX, CONNECTIONS_MAX, HEAD_BYTES_MAX, HEAD_TIMEOUT, HEADERS_MAX,
};
use crate::telemetry::Metrics;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The address cannot be listened on.
    #[error("admin-address: cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
}

/// Listens, and serves when it is told what to look at.
pub(crate) struct Server {
    listener: TcpListener,
    loopback: bool,
}

/// What every request needs.
struct Office {
    desk: Arc<Desk>,
    metrics: Metrics,
    loopback: bool,
}

impl Server {
    /// Listens. The address is logged, since port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// The address is taken, or not of this machine.
    pub(crate) async fn listen(address: SocketAddr) -> Result<Self, AdminError> {
        let failed = |error| AdminError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        info!(%address, "status page: http://{address}/");
        let loopback = address.ip().is_loopback();
        if !loopback {
            warn!(%address, "the admin server has no login, and can be reached from other machines");
        }
        Ok(Self { listener, loopback })
    }

    /// Serves for ever.
    pub(crate) async fn serve(self, desk: Arc<Desk>, metrics: Metrics) -> Infallible {
        let office = Arc::new(Office {
            desk,
            metrics,
            loopback: self.loopback,
        });
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if connections.len() < CONNECTIONS_MAX => {
                    match accepted {
                        Ok((stream, _peer)) => {
                            connections.spawn(talk(stream, Arc::clone(&office)));
                        }
                        Err(error) => {
                            debug!(%error, "a connection was not accepted");
                            sleep(ACCEPT_PAUSE).await;
                        }
                    }
                }
                Some(_ended) = connections.join_next() => {}
            }
        }
    }
}

/// Answers the requests of one connection.
async fn talk(stream: TcpStream, office: Arc<Office>) {
    let service = service_fn(|request: http::Request<Incoming>| {
        let office = Arc::clone(&office);
        async move {
            let Office {
                desk,
                metrics,
                loopback,
            } = office.as_ref();
            Ok::<_, Infallible>(answer(&request, *loopback, desk, metrics).await)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    match timeout(CONNECTION_AGE_MAX, connection).await {
        Ok(Ok(())) | Err(_) => {}
        Ok(Err(error)) => debug!(%error, "an admin connection broke"),
    }
}
