//! Listening, serving, and stopping all at once.

use std::{io, net::SocketAddr};

use tokio::{net::TcpListener, runtime::Handle, task::JoinHandle};
use tokio_stream::{StreamExt, wrappers::TcpListenerStream};
use tonic::{service::Routes, transport::Server as Transport};

use crate::line::Lines;

/// The HTTP/2 window of a stream, in bytes; a connection's is for sixteen such streams, so that
/// readers that hold some streams do not starve the others.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// Why a sandbox cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// There is no tokio runtime to run in.
    #[error("no tokio runtime is running: start the sandbox inside one")]
    NoRuntime,
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: choose another address or port 0")]
    Address {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// Services that listen on an address in plaintext, and whatever runs beside them. Everything stops
/// when it is dropped.
#[derive(Debug)]
pub(crate) struct Listening {
    runtime: Handle,
    address: SocketAddr,
    lines: Lines,
    tasks: Vec<JoinHandle<()>>,
}

impl Listening {
    pub(crate) fn start(address: SocketAddr, services: Routes) -> Result<Self, ListenError> {
        let runtime = Handle::try_current().map_err(|_| ListenError::NoRuntime)?;
        let (listener, address) =
            listener(address).map_err(|source| ListenError::Address { address, source })?;
        let lines = Lines::default();
        let mut listening = Self {
            runtime,
            address,
            lines: lines.clone(),
            tasks: Vec::new(),
        };
        listening.run(serve(listener, lines, services));
        Ok(listening)
    }

    /// Runs `task` until the services stop.
    pub(crate) fn run(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.push(self.runtime.spawn(task));
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Drops every connection; new ones are taken.
    pub(crate) fn drop_connections(&self) {
        self.lines.cut_all();
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.lines.cut_all();
    }
}

fn listener(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((TcpListener::from_std(listener)?, address))
}

async fn serve(listener: TcpListener, lines: Lines, services: Routes) {
    let incoming = TcpListenerStream::new(listener).map(move |stream| {
        let stream = stream?;
        stream.set_nodelay(true)?;
        Ok::<_, io::Error>(lines.accept(stream))
    });
    let served = Transport::builder()
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(16 * STREAM_WINDOW_BYTES)
        .add_routes(services)
        .serve_with_incoming(incoming)
        .await;
    if let Err(error) = served {
        tracing::error!(%error, "the sandbox stopped serving");
    }
}
