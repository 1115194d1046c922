//! Starting, watching and stopping a sandbox.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use tonic::service::Routes;

use crate::{
    clock::Running,
    grpc::Server,
    listen::{ListenError, Listening},
    spanner::{
        fault::Fault,
        growth,
        history::{BuildError, Committed},
        script::{Mode, Script},
        service::{DATABASE, FloodError, Spanner, Stats},
        world::World,
    },
};

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It cannot listen.
    #[error(transparent)]
    Listen(#[from] ListenError),
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
    spanner: Arc<Spanner>,
    listening: Listening,
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
        check_mode(&script)?;
        let world = Arc::new(World::of(&script.history, Running::start(&script.clock)));
        let spanner = Arc::new(Spanner::new(&script, Arc::clone(&world))?);
        let services = Routes::new(Server(Arc::clone(&spanner)));
        let mut listening = Listening::start(address, services)?;
        if let Some(live) = &script.history.growth {
            listening.run(growth::begin(&world, live).map_err(StartError::Live)?);
        }
        Ok(Self { spanner, listening })
    }

    /// Where it listens, in plaintext.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listening.address()
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

    /// Forgets every transaction, and keeps the sessions.
    pub fn forget_transactions(&self) {
        self.spanner.transactions.forget();
    }

    /// Drops every connection; new ones are taken.
    pub fn drop_connections(&self) {
        self.listening.drop_connections();
    }

    /// Drops every connection and takes no new one.
    pub fn stop(self) {}
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
