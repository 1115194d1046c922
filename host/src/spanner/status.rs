//! What a gRPC status means to a reader.

use std::time::Duration;

use prost::Message;
use tonic::{Code, Status};

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

/// Sorts a status. Total and pure; the texts it looks at are those without which a code would be
/// read wrongly.
///
/// Source: https://cloud.google.com/spanner/docs/error-codes
pub fn disposition(status: &Status) -> Disposition {
    match status.code() {
        Code::Unavailable
        | Code::Internal
        | Code::DeadlineExceeded
        | Code::Aborted
        | Code::Cancelled
        | Code::Unknown
        | Code::DataLoss
        | Code::ResourceExhausted => Disposition::Retry,
        // The service deletes sessions that idle or are too old.
        Code::NotFound if status.message().contains("Session not found") => Disposition::Reopen,
        Code::Unauthenticated => Disposition::Refresh,
        // tonic reports a message past its size limit with the code that Spanner uses for an
        // expired position.
        Code::OutOfRange if is_oversize(status) => Disposition::Fatal,
        Code::OutOfRange => Disposition::OutOfRange,
        Code::Ok
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Unimplemented => Disposition::Fatal,
    }
}

/// Whether the status says that a message was larger than our own limit.
pub(super) fn is_oversize(status: &Status) -> bool {
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
    use super::*;

    #[test]
    fn every_code_has_its_disposition() {
        let expected = [
            (Code::Ok, Disposition::Fatal),
            (Code::Cancelled, Disposition::Retry),
            (Code::Unknown, Disposition::Retry),
            (Code::InvalidArgument, Disposition::Fatal),
            (Code::DeadlineExceeded, Disposition::Retry),
            (Code::NotFound, Disposition::Fatal),
            (Code::AlreadyExists, Disposition::Fatal),
            (Code::PermissionDenied, Disposition::Fatal),
            (Code::ResourceExhausted, Disposition::Retry),
            (Code::FailedPrecondition, Disposition::Fatal),
            (Code::Aborted, Disposition::Retry),
            (Code::OutOfRange, Disposition::OutOfRange),
            (Code::Unimplemented, Disposition::Fatal),
            (Code::Internal, Disposition::Retry),
            (Code::Unavailable, Disposition::Retry),
            (Code::DataLoss, Disposition::Retry),
            (Code::Unauthenticated, Disposition::Refresh),
        ];
        for (code, disposition_of_code) in expected {
            assert_eq!(
                disposition(&Status::new(code, "text")),
                disposition_of_code,
                "{code:?}"
            );
        }
    }

    #[test]
    fn a_lost_session_is_made_anew_and_a_lost_stream_is_not() {
        let session = Status::not_found("Session not found: projects/p/…/sessions/s");
        let stream = Status::not_found("Change Stream not found: Orders");
        assert_eq!(disposition(&session), Disposition::Reopen);
        assert_eq!(disposition(&stream), Disposition::Fatal);
    }

    #[test]
    fn a_message_past_our_own_limit_is_never_an_expired_position() {
        let status = Status::out_of_range(
            "Error, decoded message length too large: found 9 bytes, the limit is: 8 bytes",
        );
        assert_eq!(disposition(&status), Disposition::Fatal);
    }

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
