//! What a gRPC status says, whichever service sends it.

use std::time::Duration;

use prost::Message;
use tonic::Status;

/// What to do about a failed call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Disposition {
    /// Try the same again after a pause.
    Retry,
    /// Drop the session, make a new one, then try again.
    Reopen,
    /// Drop the token, get a new one, then try again once.
    Refresh,
    /// The position may be out of range: what that means depends on the reader's own state.
    OutOfRange,
    /// Trying again cannot help.
    Fatal,
}

impl Disposition {
    /// Whether the same call may succeed later, whatever it asks for.
    pub fn is_passing(self) -> bool {
        match self {
            Self::Retry | Self::Reopen | Self::Refresh => true,
            Self::OutOfRange | Self::Fatal => false,
        }
    }
}

/// Whether the status says that a message was larger than our own limit.
pub(crate) fn is_oversize(status: &Status) -> bool {
    status.message().contains("message length too large")
}

/// How long the service asks us to wait, if it does.
///
/// Source: google/rpc/error_details.proto, RetryInfo, in the `google.rpc.Status` of the
/// `grpc-status-details-bin` trailer.
pub fn retry_after(status: &Status) -> Option<Duration> {
    let details = RpcStatus::decode(status.details()).ok()?;
    let any = details
        .details
        .iter()
        .find(|any| any.type_url.ends_with("/google.rpc.RetryInfo"))?;
    let info = RetryInfo::decode(any.value.as_slice()).ok()?;
    Duration::try_from(info.retry_delay?).ok()
}

/// `google.rpc.Status`, as far as it is needed.
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

/// `google.rpc.RetryInfo`.
#[derive(Clone, PartialEq, Message)]
struct RetryInfo {
    #[prost(message, optional, tag = "1")]
    retry_delay: Option<prost_types::Duration>,
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn the_pause_that_the_service_asks_for_is_read() {
        let info = RetryInfo {
            retry_delay: Some(prost_types::Duration {
                seconds: 3,
                nanos: 500_000_000,
            }),
        };
        let details = RpcStatus {
            details: vec![prost_types::Any {
                type_url: "type.googleapis.com/google.rpc.RetryInfo".into(),
                value: info.encode_to_vec(),
            }],
        };
        let status = Status::with_details(
            Code::ResourceExhausted,
            "slow down",
            details.encode_to_vec().into(),
        );
        assert_eq!(retry_after(&status), Some(Duration::from_millis(3500)));
        assert_eq!(retry_after(&Status::unavailable("x")), None);
    }
}
