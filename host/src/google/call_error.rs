//! Why calls fail.

use std::error::Error;
use std::time::Duration;

use tonic::{Code, Status};

use super::credentials::CredentialsError;
use super::status::{self, Disposition};
use super::unreached;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The service, or the way to it, said no.
    #[error("{method}: {} ({:?})", told(.status), .status.code())]
    Status {
        /// The RPC method.
        method: &'static str,
        /// The status.
        status: Box<Status>,
        /// What the service means by it.
        disposition: Disposition,
    },
    /// A message was larger than our limit.
    #[error("{method}: a message is larger than message-bytes-max ({limit_bytes} bytes); raise it")]
    Oversize {
        /// The RPC method.
        method: &'static str,
        /// The limit.
        limit_bytes: usize,
    },
    /// The service refuses a token that was just made.
    #[error("{method}: the credentials are refused: {}", .status.message())]
    Refused {
        /// The RPC method.
        method: &'static str,
        /// The status.
        status: Box<Status>,
    },
    /// There is no access token.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
}

impl CallError {
    /// What to do about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Status { disposition, .. } => *disposition,
            Self::Oversize { .. } | Self::Refused { .. } => Disposition::Fatal,
            Self::Credentials(CredentialsError::Token { .. }) => Disposition::Retry,
            Self::Credentials(
                CredentialsError::KeyFile { .. }
                | CredentialsError::Inline
                | CredentialsError::NotFound(_)
                | CredentialsError::TokenEndpoint(_)
                | CredentialsError::Unsendable,
            ) => Disposition::Fatal,
        }
    }

    /// Its gRPC code: the service's, or the one that says the same.
    pub fn code(&self) -> Code {
        match self {
            Self::Status { status, .. } | Self::Refused { status, .. } => status.code(),
            Self::Oversize { .. } => Code::ResourceExhausted,
            Self::Credentials(_) => Code::Unauthenticated,
        }
    }

    /// Whether it went to an emulator, or to this machine, where nothing listens.
    pub fn is_not_running(&self) -> bool {
        match self {
            Self::Status { status, .. } => unreached::is_not_running(status),
            Self::Oversize { .. } | Self::Refused { .. } | Self::Credentials(_) => false,
        }
    }

    /// How long the service asks us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { status, .. } => status::retry_after(status),
            Self::Oversize { .. } | Self::Refused { .. } | Self::Credentials(_) => None,
        }
    }
}

/// The status's text, and the innermost reason where the way to the service failed.
fn told(status: &Status) -> String {
    let mut innermost = status.source();
    while let Some(cause) = innermost.and_then(|error| error.source()) {
        innermost = Some(cause);
    }
    let reason = innermost.map(ToString::to_string);
    match (status.message(), reason) {
        (message, Some(reason)) if !message.contains(&reason) => format!("{message}: {reason}"),
        (message, Some(_) | None) => message.to_owned(),
    }
}
