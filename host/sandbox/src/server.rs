//! Starting, watching and stopping a sandbox.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use tokio::{net::TcpListener, runtime::Handle, task::JoinHandle};
use tokio_stream::{StreamExt, wrappers::TcpListenerStream};
use tonic::transport::Server as Transport;

use crate::{
    clock::Running,
    fault::Fault,
    growth,
    history::{BuildError, Committed},
    script::{Mode, Script},
    service::{DATABASE, FloodError, Lines, Server, Spanner, Stats},
    world::World,
};

/// The HTTP/2 window of a stream, in bytes; a connection's is for sixteen such streams, so that
/// readers that hold some streams do not starve the others.
const STREAM_WINDOW_BYTES: u32 = 256 << 10;

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no tokio runtime to run in.
    #[error("no tokio runtime is running: start the sandbox inside one")]
    NoRuntime,
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: choose another address or port 0")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The history's records and the stream's partition mode do not go together.
    #[error(
        "the history's key ranges are {history:?}, but the script's mode is {script:?}: change one"
    )]
    Mode {
        /// What the history needs.
        history: Mode,
        /// What the script says.
        script: Mode,
    },
    /// The live history cannot begin.
    #[error("the live history cannot begin")]
    Live(#[source] BuildError),
    /// The flood cannot be served.
    #[error(transparent)]
    Flood(#[from] FloodError),
}

/// A running service. It stops when it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    address: SocketAddr,
    spanner: Arc<Spanner>,
    lines: Lines,
    tasks: Vec<JoinHandle<()>>,
}

impl Sandbox {
    /// Starts on a free port of the loopback interface.
    ///
    /// # Errors
    /// As [`Sandbox::start_on`].
    pub fn start(script: Script) -> Result<Self, StartError> {
        Self::start_on((Ipv4Addr::LOCALHOST, 0).into(), script)
    }

    /// Starts on `address`.
    ///
    /// # Errors
    /// When no runtime is there, the address is taken, or the script contradicts itself.
    pub fn start_on(address: SocketAddr, script: Script) -> Result<Self, StartError> {
        let runtime = Handle::try_current().map_err(|_| StartError::NoRuntime)?;
        check_mode(&script)?;
        let world = Arc::new(World::new(&script.history, Running::start(&script.clock)));
        let spanner = Arc::new(Spanner::new(&script, Arc::clone(&world))?);
        let listen = |source| StartError::Listen { address, source };
        let (listener, address) = listener(address).map_err(listen)?;
        let lines = Lines::default();
        let mut tasks = vec![runtime.spawn(serve(listener, lines.clone(), Arc::clone(&spanner)))];
        if let Some(live) = &script.history.growth {
            tasks.push(runtime.spawn(growth::begin(&world, live).map_err(StartError::Live)?));
        }
        Ok(Self {
            address,
            spanner,
            lines,
            tasks,
        })
    }

    /// Where it listens, in plaintext.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The database's full name.
    #[must_use]
    pub fn database(&self) -> &str {
        DATABASE
    }

    /// What it has seen so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.spanner.stats()
    }

    /// Waits until what it has seen is `enough`, so that a test need not sleep.
    pub async fn wait_for(&self, enough: impl Fn(&Stats) -> bool) -> Stats {
        self.spanner.wait_for(enough).await
    }

    /// Every row change that has been committed so far: the ground truth of a live history.
    #[must_use]
    pub fn committed(&self) -> Vec<Committed> {
        self.spanner.world.committed()
    }

    /// Adds a fault to those that are left.
    pub fn add_fault(&self, fault: Fault) {
        self.spanner.faults.push(fault);
    }

    /// Forgets every session, as the service does with idle ones.
    pub fn forget_sessions(&self) {
        self.spanner.sessions.forget();
    }

    /// Drops every connection; new ones are taken.
    pub fn drop_connections(&self) {
        self.lines.cut_all();
    }

    /// Drops every connection and takes no new one.
    pub fn stop(self) {}
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.lines.cut_all();
    }
}

fn check_mode(script: &Script) -> Result<(), StartError> {
    let history = match &script.history.growth {
        Some(growth) => growth.live.mutable,
        None => script.history.recorded.mutable,
    };
    let history = if history {
        Mode::Mutable
    } else {
        Mode::Immutable
    };
    if history == script.mode {
        Ok(())
    } else {
        Err(StartError::Mode {
            history,
            script: script.mode,
        })
    }
}

fn listener(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((TcpListener::from_std(listener)?, address))
}

async fn serve(listener: TcpListener, lines: Lines, spanner: Arc<Spanner>) {
    let incoming = TcpListenerStream::new(listener).map(move |stream| {
        let stream = stream?;
        stream.set_nodelay(true)?;
        Ok::<_, io::Error>(lines.accept(stream))
    });
    let served = Transport::builder()
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(16 * STREAM_WINDOW_BYTES)
        .add_service(Server(spanner))
        .serve_with_incoming(incoming)
        .await;
    if let Err(error) = served {
        tracing::error!(%error, "the sandbox stopped serving");
    }
}
