//! How a service of Google is reached.

mod endpoint;
pub(super) mod options;
mod read;

pub(super) use endpoint::service as service_endpoint;
pub(super) use read::read;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::Secret;

/// How a service of Google is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Which server. Default: [`Endpoint::Google`].
    pub endpoint: Endpoint,
    /// As whom. Default: [`Credentials::ApplicationDefault`], or none with an emulator.
    pub credentials: Credentials,
    /// The largest message that is accepted from the server. Default: 256 MiB, as Google's own
    /// clients of Bigtable have it; a row of Spanner may have 100 MiB and comes with its old values.
    /// A larger one fails with the name of this limit.
    pub message_bytes_max: NonZeroUsize,
}

/// Which server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// The service under its own name, such as `spanner.googleapis.com`, with TLS.
    Google,
    /// Another name of the service, such as a regional or a private one: `https://host[:port]`,
    /// with TLS.
    Custom(String),
    /// An emulator, without TLS and without credentials.
    Emulator {
        /// A host name or an address; an IPv6 address has no brackets here.
        host: String,
        /// 1 to 65535.
        port: u16,
    },
}

/// As whom the server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// What Google's libraries find by themselves: `GOOGLE_APPLICATION_CREDENTIALS`, the user's
    /// `gcloud` login, or the metadata server.
    ApplicationDefault,
    /// A service-account key file. A relative path is already joined with the directory of the
    /// configuration file.
    KeyFile(PathBuf),
    /// The JSON text of such a key.
    Json(Secret),
    /// None, for an emulator.
    None,
}
