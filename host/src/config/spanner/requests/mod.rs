//! What every request to Spanner carries.

mod directed_read;
pub(in crate::config) mod options;
mod read;

pub(in crate::config) use read::read;

use super::RpcPriority;

/// What every request to Spanner carries.
///
/// Source: google.spanner.v1.RequestOptions
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestOptions {
    /// The priority that the queries run at. Default: none is sent, which Spanner reads as high.
    pub rpc_priority: Option<RpcPriority>,
    /// The database role that sessions are made with, for fine-grained access control. Default:
    /// none, IAM alone decides.
    ///
    /// Source: google.spanner.v1.Session.creator_role
    pub database_role: Option<String>,
    /// The tag that Spanner's statistics show the queries under. Default: none.
    pub request_tag: Option<String>,
    /// Which replicas answer. Default: none, Spanner chooses.
    pub directed_read: Option<DirectedRead>,
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
