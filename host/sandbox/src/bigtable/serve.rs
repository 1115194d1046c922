//! What `acequia sandbox bigtable` starts: a live shop.

use std::net::{Ipv4Addr, SocketAddr};

use super::{
    history::{History, Live},
    script::{READER, Script},
    server::{Sandbox, StartError},
};

/// How to serve a live stream.
#[derive(Clone, Debug)]
pub struct Serve {
    /// The address to listen on. Default: port 8086 of the loopback interface, as the emulator.
    pub listen: SocketAddr,
    /// How the stream grows.
    pub live: Live,
    /// What it is drawn from. Default: 1.
    pub seed: u64,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 8086).into(),
            live: Live::default(),
            seed: 1,
        }
    }
}

/// A live sandbox and what its users need to know.
#[derive(Debug)]
pub struct Served {
    /// Stops when it is dropped.
    pub sandbox: Sandbox,
    /// Where it listens, in plaintext.
    pub address: SocketAddr,
    /// The table's full name.
    pub table: String,
    /// The app profile that routes to one cluster.
    pub app_profile_id: String,
}

impl Serve {
    /// Starts serving.
    ///
    /// # Errors
    /// As [`Sandbox::start_on`].
    pub fn start(self) -> Result<Served, StartError> {
        let replication_delay = self.live.replication_delay;
        let script = Script {
            replication_delay,
            ..Script::new(History::live(self.seed, self.live))
        };
        let sandbox = Sandbox::start_on(self.listen, script)?;
        let (address, table) = (sandbox.address(), sandbox.table().to_owned());
        Ok(Served {
            sandbox,
            address,
            table,
            app_profile_id: READER.to_owned(),
        })
    }
}
