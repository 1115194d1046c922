//! What to do about a question that Spanner did not answer.

use crate::check::remedy::{self, Refusal, Server};
use crate::config::{ReadOperation, SpannerBatch};
use crate::google::CallError;
use crate::spanner::Client;

/// What to do about a query that the service does not divide.
///
/// Source: https://cloud.google.com/spanner/docs/reads#read_data_in_parallel
pub(super) const UNDIVIDED: &str = "correct the query, or write one whose plan begins with a \
    distributed union and has no other: a scan of one table or index with its filters, without ORDER \
    BY, GROUP BY or joins of tables that are not interleaved; or read the table itself: \
    read-operation: { table: … }. The emulator refuses more than the service does";

/// What to do about an instant that cannot be read.
pub(super) const TOO_OLD: &str = "set timestamp-bound to strong, or to an instant within the \
    database's version_retention_period";

/// What to do about a failed call.
pub(super) fn of_call(error: &CallError, batch: &SpannerBatch) -> String {
    remedy::of_call(error, &server(batch), |refusal| match refusal {
        Refusal::NotFound => not_found(batch),
        Refusal::Denied => permissions(batch),
        Refusal::Unfit => "correct what the service names; read-operation and the option \
                           database-role go to it as they are"
            .to_owned(),
    })
}

fn not_found(batch: &SpannerBatch) -> String {
    let database = &batch.database;
    match &batch.read_operation {
        ReadOperation::Query(_) => format!(
            "correct the option database, {database}, or the names in the query: the service names \
             what it does not know"
        ),
        ReadOperation::Table(_) => format!(
            "correct the option database, {database}, or the names in read-operation: the service \
             names what it does not know"
        ),
    }
}

/// Source: https://cloud.google.com/spanner/docs/iam (roles/spanner.databaseReader) and
/// https://cloud.google.com/spanner/docs/fgac-privileges
fn permissions(batch: &SpannerBatch) -> String {
    match &batch.requests.database_role {
        None => format!(
            "grant the account roles/spanner.databaseReader on {}, which has spanner.sessions.create, \
             spanner.databases.beginReadOnlyTransaction, partitionQuery, partitionRead, read and \
             select; spanner.databases.useDataBoost is asked for with data-boost-enabled",
            batch.database
        ),
        Some(role) => format!(
            "grant the role what is read: GRANT SELECT ON TABLE … TO ROLE {role}; and give the \
             account roles/spanner.fineGrainedAccessUser with that role"
        ),
    }
}

/// Who is asked.
pub(super) fn server(batch: &SpannerBatch) -> Server<'_> {
    Server {
        endpoint: &batch.connection.endpoint,
        option: "endpoint",
        address: Client::ADDRESS,
        service: "Cloud Spanner",
    }
}
