//! What the admin services say of a table and a profile before they are read.

use std::collections::BTreeSet;
use std::time::Duration;

use googleapis_tonic_google_bigtable_admin_v2::google::bigtable::admin::v2::app_profile::RoutingPolicy;
use tonic::Code;

use super::client::Client;
use crate::google::CallError;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The table cannot be looked at.
    #[error(
        "the table cannot be asked how long its change stream keeps records: {0}; grant \
         bigtable.tables.get, or set without-validation"
    )]
    Table(#[source] CallError),
    /// There is no such table.
    #[error("there is no table {table}")]
    NoTable {
        /// Its name.
        table: String,
    },
    /// The table has no change stream.
    #[error(
        "the table {table} has no change stream; enable it: gcloud bigtable instances tables update \
         … --change-stream-retention-period=7d"
    )]
    NoChangeStream {
        /// Its name.
        table: String,
    },
    /// The profile does not exist.
    #[error("there is no application profile {profile}")]
    NoProfile {
        /// Its id.
        profile: String,
    },
    /// The profile routes to more than one cluster, which a change stream does not allow.
    #[error(
        "the application profile {profile} routes to any of several clusters, and a change stream is \
         read through one: use a profile with single-cluster routing"
    )]
    ManyClusters {
        /// Its id.
        profile: String,
    },
}

/// What the admin service says of a table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Described {
    /// How long its change stream keeps records.
    pub retention: Duration,
    /// Its column families, by name.
    pub families: BTreeSet<String>,
}

/// Asks what a table is.
///
/// Source: `google.bigtable.admin.v2.Table.change_stream_config`: absent where there is no stream.
///
/// # Errors
///
/// The table has no change stream, or cannot be looked at.
pub async fn describe(client: &Client, table: &str) -> Result<Described, DiscoverError> {
    let table = || table.to_owned();
    let answer = client.table().await.map_err(|error| {
        if error.code() == Code::NotFound {
            DiscoverError::NoTable { table: table() }
        } else {
            DiscoverError::Table(error)
        }
    })?;
    let retention = answer
        .change_stream_config
        .and_then(|config| Duration::try_from(config.retention_period?).ok())
        .ok_or_else(|| DiscoverError::NoChangeStream { table: table() })?;
    Ok(Described {
        retention,
        families: answer.column_families.into_keys().collect(),
    })
}

/// How long the table's change stream keeps records.
///
/// # Errors
///
/// As [`describe`].
pub async fn retention(client: &Client, table: &str) -> Result<Duration, DiscoverError> {
    Ok(describe(client, table).await?.retention)
}

/// Why a profile was not looked at. Whether it fits is then the data service's to say.
#[derive(Debug, thiserror::Error)]
#[error("the application profile cannot be looked at: {0}")]
pub struct Unseen(#[source] pub CallError);

/// A profile that does not keep a change stream from being read.
#[derive(Debug)]
pub enum Profile {
    /// It routes to this cluster.
    OfCluster(String),
    /// It was not looked at.
    Unseen(Unseen),
}

/// Checks that the profile routes to a single cluster.
///
/// # Errors
///
/// It does not exist, or routes to several.
pub async fn check_profile(client: &Client, profile: &str) -> Result<Profile, DiscoverError> {
    let profile = || profile.to_owned();
    match client.app_profile().await {
        Ok(answer) => match answer.routing_policy {
            Some(RoutingPolicy::SingleClusterRouting(routing)) => {
                Ok(Profile::OfCluster(routing.cluster_id))
            }
            Some(_) | None => Err(DiscoverError::ManyClusters { profile: profile() }),
        },
        Err(error) if error.code() == Code::NotFound => {
            Err(DiscoverError::NoProfile { profile: profile() })
        }
        Err(error) => Ok(Profile::Unseen(Unseen(error))),
    }
}
