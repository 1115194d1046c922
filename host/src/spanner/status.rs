//! What a gRPC status of Cloud Spanner means to a reader.

use tonic::{Code, Status};

use crate::google::Disposition;
use crate::google::status::is_oversize;

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
}
