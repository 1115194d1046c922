//! Starting, watching and stopping a sandbox.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use tonic::service::Routes;

use super::{
    fault::Fault,
    growth,
    history::{BuildError, KeyRange, Mutation},
    script::Script,
    service::{Bigtable, INSTANCE, InstanceAdmin, Stats, TABLE, TableAdmin},
    world::World,
};
use crate::{
    clock::Running,
    grpc::Server,
    listen::{ListenError, Listening},
};

/// Why a sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It cannot listen.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// The live history cannot begin.
    #[error("the live history cannot begin")]
    Live(#[source] BuildError),
}

/// A running service. It stops when it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    bigtable: Arc<Bigtable>,
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

    /// Starts on `address`: the data service and both admin services.
    ///
    /// # Errors
    /// When no runtime is there, the address is taken, or the live history cannot begin.
    pub fn start_on(address: SocketAddr, script: Script) -> Result<Self, StartError> {
        let world = Arc::new(World::of(&script.history, Running::start(&script.clock)));
        let growth = script.history.growth.clone();
        let bigtable = Arc::new(Bigtable::new(script, Arc::clone(&world)));
        let services = Routes::new(Server(Arc::clone(&bigtable)))
            .add_service(Server(Arc::new(TableAdmin(Arc::clone(&bigtable)))))
            .add_service(Server(Arc::new(InstanceAdmin(Arc::clone(&bigtable)))));
        let mut listening = Listening::start(address, services)?;
        if let Some(growth) = &growth {
            listening.run(growth::begin(&world, growth).map_err(StartError::Live)?);
        }
        Ok(Self {
            bigtable,
            listening,
        })
    }

    /// Where it listens, in plaintext.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listening.address()
    }

    /// The instance's full name.
    #[must_use]
    pub fn instance(&self) -> &str {
        INSTANCE
    }

    /// The table's full name.
    #[must_use]
    pub fn table(&self) -> &str {
        TABLE
    }

    /// The partitions of this moment, in the order of their keys.
    #[must_use]
    pub fn partitions(&self) -> Vec<KeyRange> {
        self.bigtable.world.partitions()
    }

    /// What it has seen so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.bigtable.stats()
    }

    /// Waits until what it has seen is `enough`, so that a test need not sleep.
    pub async fn wait_for(&self, enough: impl Fn(&Stats) -> bool) -> Stats {
        self.bigtable.wait_for(enough).await
    }

    /// Every mutation so far, in the order of the log: the ground truth of a live history. Of one row
    /// and cluster, that is the order of its commits.
    #[must_use]
    pub fn committed(&self) -> Vec<Mutation> {
        self.bigtable.world.committed()
    }

    /// Adds a fault to those that are left.
    pub fn add_fault(&self, fault: Fault) {
        self.bigtable.faults.push(fault);
    }

    /// Drops every connection; new ones are taken.
    pub fn drop_connections(&self) {
        self.listening.drop_connections();
    }

    /// Drops every connection and takes no new one.
    pub fn stop(self) {}
}
