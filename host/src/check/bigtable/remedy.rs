//! What to do about a question that Bigtable did not answer, or answered so that nothing can be read.

use crate::bigtable::Client;
use crate::bigtable::discovery::DiscoverError;
use crate::check::remedy::{Refusal, Server, of_call};
use crate::config::{BigtableChangeStream, TableName};
use crate::google::CallError;

/// What to do about a table or a profile that cannot be read through.
pub(super) fn of_discovery(error: &DiscoverError, stream: &BigtableChangeStream) -> String {
    let TableName {
        project,
        instance,
        table,
    } = &stream.table;
    match error {
        DiscoverError::Table(error) => of_table(error, stream),
        DiscoverError::NoTable { .. } => {
            "correct the option table, or project-id, instance-id and table-id".to_owned()
        }
        DiscoverError::NoChangeStream { .. } => format!(
            "enable it: gcloud bigtable instances tables update {table} --instance={instance} \
             --project={project} --change-stream-retention-period=7d"
        ),
        DiscoverError::NoProfile { .. } => {
            format!("correct app-profile-id, or {}", new_profile(stream))
        }
        DiscoverError::ManyClusters { .. } => {
            format!(
                "name a profile with single-cluster routing, or {}",
                new_profile(stream)
            )
        }
    }
}

/// What to do about a table that cannot be looked at.
fn of_table(error: &CallError, stream: &BigtableChangeStream) -> String {
    of_call(error, &admin_server(stream), |refusal| match refusal {
        Refusal::Denied => format!(
            "grant the account bigtable.tables.get on {}, or set without-validation, which leaves \
             the retention unknown",
            stream.table
        ),
        Refusal::NotFound | Refusal::Unfit => "correct the option table".to_owned(),
    })
}

/// What to do about a profile that cannot be looked at.
pub(super) fn of_unseen_profile(error: &CallError, stream: &BigtableChangeStream) -> String {
    let TableName {
        project, instance, ..
    } = &stream.table;
    of_call(error, &admin_server(stream), |refusal| match refusal {
        Refusal::Denied => format!(
            "grant the account bigtable.appProfiles.get on projects/{project}/instances/{instance}, \
             or see for yourself that the profile routes to a single cluster"
        ),
        Refusal::NotFound | Refusal::Unfit => "correct app-profile-id".to_owned(),
    })
}

/// What to do about a data service that does not name the partitions.
///
/// Source: https://cloud.google.com/bigtable/docs/change-streams-read-java, which names
/// roles/bigtable.admin.
pub(super) fn of_partitions(error: &CallError, stream: &BigtableChangeStream) -> String {
    let TableName {
        project, instance, ..
    } = &stream.table;
    let profile = stream.app_profile.as_str();
    of_call(error, &data_server(stream), |refusal| match refusal {
        Refusal::Denied => format!(
            "give the account a role that may read change streams on \
             projects/{project}/instances/{instance}: Google's pages name roles/bigtable.admin"
        ),
        Refusal::NotFound => format!(
            "correct table or app-profile-id: the service does not know {} or {profile}",
            stream.table
        ),
        Refusal::Unfit => format!(
            "see that the table has a change stream, and that the application profile {profile} \
             routes to a single cluster"
        ),
    })
}

fn new_profile(stream: &BigtableChangeStream) -> String {
    let TableName {
        project, instance, ..
    } = &stream.table;
    format!(
        "create one: gcloud bigtable app-profiles create PROFILE --instance={instance} \
         --project={project} --route-to=CLUSTER"
    )
}

/// Who is asked about table and profile.
pub(super) fn admin_server(stream: &BigtableChangeStream) -> Server<'_> {
    Server {
        endpoint: &stream.admin_endpoint,
        option: "admin-endpoint",
        address: Client::ADMIN_ADDRESS,
        service: "Cloud Bigtable",
    }
}

/// Who is read from.
pub(super) fn data_server(stream: &BigtableChangeStream) -> Server<'_> {
    Server {
        endpoint: &stream.connection.endpoint,
        option: "endpoint",
        address: Client::DATA_ADDRESS,
        service: "Cloud Bigtable",
    }
}
