//! How Spanner is reached.

mod directed_read;
mod endpoint;
pub(super) mod options;
mod read;

pub(super) use read::read;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::Secret;

/// How Spanner is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Which server. Default: [`Endpoint::Google`].
    pub endpoint: Endpoint,
    /// As whom. Default: [`Credentials::ApplicationDefault`], or none with an emulator.
    pub credentials: Credentials,
    /// The database role that sessions are made with, for fine-grained access control. Default:
    /// none, IAM alone decides.
    ///
    /// Source: google.spanner.v1.Session.creator_role
    pub database_role: Option<String>,
    /// The tag that Spanner's statistics show the queries under. Default: none.
    pub request_tag: Option<String>,
    /// Which replicas answer. Default: none, Spanner chooses.
    pub directed_read: Option<DirectedRead>,
    /// The largest message that is accepted from the server. Default: 256 MiB, because one row may
    /// have 100 MiB and comes with its old values. A larger one fails with the name of this limit.
    pub message_bytes_max: NonZeroUsize,
}

/// Which server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// `spanner.googleapis.com`, with TLS.
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

/// Which replicas answer.
///
/// Source: google.spanner.v1.DirectedReadOptions
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectedRead {
    /// These replicas, in this order.
    Include {
        /// One to ten.
        replicas: Vec<ReplicaSelection>,
        /// Whether the request fails where none of them is up, instead of going to another.
        /// Default: false.
        auto_failover_disabled: bool,
    },
    /// All replicas but these.
    Exclude {
        /// One to ten.
        replicas: Vec<ReplicaSelection>,
    },
}

/// Some replicas of a database. At least one of the fields is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplicaSelection {
    /// The region or zone, such as `us-east1`. `None` is any.
    pub location: Option<String>,
    /// The type. `None` is any.
    pub replica_type: Option<ReplicaType>,
}

/// A type of replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaType {
    /// It serves reads only.
    ReadOnly,
    /// It serves reads and writes.
    ReadWrite,
}
