//! What `acequia sandbox` starts: a live shop.

use std::net::{Ipv4Addr, SocketAddr};

use crate::spanner::{
    history::{History, Live},
    script::{Dialect, Mode, Script},
    server::{Sandbox, StartError},
};

/// How to serve a live stream.
#[derive(Clone, Debug)]
pub struct Serve {
    /// The address to listen on. Default: port 9010 of the loopback interface, as the emulator.
    pub listen: SocketAddr,
    /// The database's dialect. Default: GoogleSQL.
    pub dialect: Dialect,
    /// How the stream grows.
    pub live: Live,
    /// What it is drawn from. Default: 1.
    pub seed: u64,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 9010).into(),
            dialect: Dialect::default(),
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
    /// The database's full name.
    pub database: String,
    /// The change stream's name.
    pub stream: String,
}

impl Serve {
    /// Starts serving.
    ///
    /// # Errors
    /// As [`Sandbox::start_on`].
    pub fn start(self) -> Result<Served, StartError> {
        let mode = if self.live.mutable {
            Mode::Mutable
        } else {
            Mode::Immutable
        };
        let history = History::live(self.seed, self.live);
        let script = Script {
            dialect: self.dialect,
            mode,
            ..Script::new(history)
        };
        let stream = script.stream.clone();
        let sandbox = Sandbox::start_on(self.listen, script)?;
        let (address, database) = (sandbox.address(), sandbox.database().to_owned());
        Ok(Served {
            sandbox,
            address,
            database,
            stream,
        })
    }
}
