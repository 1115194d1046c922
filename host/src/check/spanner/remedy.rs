//! What to do about a question that Spanner did not answer.

use crate::check::remedy::{self, Refusal, Server};
use crate::config::SpannerChangeStream;
use crate::google::CallError;
use crate::spanner::Client;
use crate::spanner::discovery::DiscoverError;

/// What to do about a change stream that cannot be described or read.
pub(super) fn of_discovery(error: &DiscoverError, stream: &SpannerChangeStream) -> String {
    match error {
        DiscoverError::Call(error) | DiscoverError::NothingReadable(error) => {
            of_call(error, stream)
        }
        DiscoverError::NoStream {
            folded: Some(folded),
            ..
        } => format!("set change-stream-name: {folded}"),
        DiscoverError::NoStream { folded: None, .. } => format!(
            "correct change-stream-name, or create it: CREATE CHANGE STREAM {} FOR ALL",
            stream.change_stream
        ),
        DiscoverError::Option { option, .. } => {
            format!("use a later version of this program, or a stream with another {option}")
        }
    }
}

/// What to do about a failed call.
pub(super) fn of_call(error: &CallError, stream: &SpannerChangeStream) -> String {
    remedy::of_call(error, &server(stream), |refusal| match refusal {
        Refusal::NotFound => format!(
            "correct the option database: the service does not know {}",
            stream.database
        ),
        Refusal::Denied => permissions(stream),
        Refusal::Unfit => "correct what the service names; the options database-role, \
                           request-tag and directed-read go to it as they are"
            .to_owned(),
    })
}

/// Source: https://cloud.google.com/spanner/docs/iam (roles/spanner.databaseReader) and
/// https://cloud.google.com/spanner/docs/fgac-change-streams
fn permissions(stream: &SpannerChangeStream) -> String {
    let name = stream.change_stream.as_str();
    match &stream.requests.database_role {
        None => format!(
            "grant the account spanner.sessions.create, spanner.sessions.delete and \
             spanner.databases.select on {}, as roles/spanner.databaseReader does",
            stream.database
        ),
        Some(role) => format!(
            "grant the role: GRANT SELECT ON CHANGE STREAM {name} TO ROLE {role}; GRANT EXECUTE ON \
             TABLE FUNCTION READ_{name} TO ROLE {role} (in PostgreSQL, ON FUNCTION \
             spanner.read_json_{name}); and give the account roles/spanner.fineGrainedAccessUser \
             with that role"
        ),
    }
}

/// Who is asked.
pub(super) fn server(stream: &SpannerChangeStream) -> Server<'_> {
    Server {
        endpoint: &stream.connection.endpoint,
        option: "endpoint",
        address: Client::ADDRESS,
        service: "Cloud Spanner",
    }
}
