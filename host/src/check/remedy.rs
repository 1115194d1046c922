//! What to do about a call that a service did not answer, whichever it is.

use std::fmt;

use tonic::Code;

use crate::config::Endpoint;
use crate::google::CallError;

/// Who is asked.
pub(super) struct Server<'a> {
    /// The server as configured.
    pub(super) endpoint: &'a Endpoint,
    /// The option that names another one.
    pub(super) option: &'static str,
    /// Where Google serves it.
    pub(super) address: &'static str,
    /// What Google calls it.
    pub(super) service: &'static str,
}

/// What a service says about what it was asked for. Each service has remedies of its own for these.
pub(super) enum Refusal {
    /// It is not there.
    NotFound,
    /// The account may not ask.
    Denied,
    /// It cannot be asked so, or of this.
    Unfit,
}

/// What to do about a failed call.
pub(super) fn of_call(
    error: &CallError,
    server: &Server<'_>,
    own: impl FnOnce(Refusal) -> String,
) -> String {
    match error {
        CallError::Status { status, .. } => of_code(status.code(), server, own),
        CallError::Refused { .. } => "use the credentials of an account that this service knows, \
                                      and see that this machine's clock is right"
            .to_owned(),
        CallError::Oversize { .. } => "raise message-bytes-max".to_owned(),
        CallError::Credentials(_) => "see the finding on credentials".to_owned(),
    }
}

fn of_code(code: Code, server: &Server<'_>, own: impl FnOnce(Refusal) -> String) -> String {
    match code {
        Code::NotFound => own(Refusal::NotFound),
        Code::PermissionDenied => own(Refusal::Denied),
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => own(Refusal::Unfit),
        Code::Unauthenticated => {
            "use credentials that the service takes: see service-account-key-file".to_owned()
        }
        Code::Unavailable | Code::DeadlineExceeded => unreachable(server),
        Code::ResourceExhausted => {
            "wait until a quota of the project is free, or raise it".to_owned()
        }
        Code::Unimplemented => {
            let service = server.service;
            format!("name a server of {service}; {server} is another service")
        }
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

fn unreachable(server: &Server<'_>) -> String {
    match server.endpoint {
        Endpoint::Emulator { .. } => {
            format!(
                "start the emulator, or `acequia sandbox`, or correct emulator-endpoint: nothing \
                 answers at {server}"
            )
        }
        Endpoint::Google | Endpoint::Custom(_) => format!(
            "see that this machine reaches {server} (name resolution, firewall, proxy), or correct \
             the option {}",
            server.option
        ),
    }
}

/// The server, as a person names it.
impl fmt::Display for Server<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.endpoint {
            Endpoint::Google => f.write_str(self.address),
            Endpoint::Custom(uri) => f.write_str(uri),
            Endpoint::Emulator { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Endpoint::Emulator { host, port } => write!(f, "{host}:{port}"),
        }
    }
}
