//! What to do about a question that the service did not answer.

use tonic::Code;

use crate::config::{Endpoint, SpannerChangeStream};
use crate::google::CallError;
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
    match error {
        CallError::Status { status, .. } => of_code(status.code(), stream),
        CallError::Refused { .. } => "use the credentials of an account that this service knows, \
                                      and see that this machine's clock is right"
            .to_owned(),
        CallError::Oversize { .. } => "raise message-bytes-max".to_owned(),
        CallError::Credentials(_) => "see the finding on credentials".to_owned(),
    }
}

fn of_code(code: Code, stream: &SpannerChangeStream) -> String {
    match code {
        Code::NotFound => format!(
            "correct the option database: the service does not know {}",
            stream.database
        ),
        Code::PermissionDenied => permissions(stream),
        Code::Unauthenticated => {
            "use credentials that the service takes: see service-account-key-file".to_owned()
        }
        Code::Unavailable | Code::DeadlineExceeded => unreachable(&stream.connection.endpoint),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => {
            "correct what the service names; the options database-role, request-tag and \
             directed-read go to it as they are"
                .to_owned()
        }
        Code::ResourceExhausted => {
            "wait until a quota of the project is free, or raise it".to_owned()
        }
        Code::Unimplemented => format!(
            "name a server of Cloud Spanner; {} is another service",
            server(&stream.connection.endpoint)
        ),
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::AlreadyExists
        | Code::Aborted
        | Code::Internal
        | Code::DataLoss => {
            "try again; if it stays, look at the status page of the service".to_owned()
        }
    }
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

fn unreachable(endpoint: &Endpoint) -> String {
    let server = server(endpoint);
    match endpoint {
        Endpoint::Emulator { .. } => {
            format!(
                "start the emulator, or `acequia sandbox`, or correct emulator-endpoint: nothing \
                 answers at {server}"
            )
        }
        Endpoint::Google | Endpoint::Custom(_) => format!(
            "see that this machine reaches {server} (name resolution, firewall, proxy), or correct \
             the option endpoint"
        ),
    }
}

/// The server, as a person names it.
pub(super) fn server(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Google => "https://spanner.googleapis.com".to_owned(),
        Endpoint::Custom(uri) => uri.clone(),
        Endpoint::Emulator { host, port } if host.contains(':') => format!("[{host}]:{port}"),
        Endpoint::Emulator { host, port } => format!("{host}:{port}"),
    }
}
