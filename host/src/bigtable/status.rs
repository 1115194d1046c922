//! What a gRPC status of Bigtable means to a reader.

use std::error::Error;

use tonic::{Code, Status};

use crate::google::Disposition;
use crate::google::status::{is_oversize, retry_after};

/// Texts of INTERNAL that pass: broken streams, a connection that the server closes for its age, and
/// an authentication server that says so itself. Compared without regard to case.
///
/// Source: java-bigtable, ConvertExceptionCallable.java; java-bigtable issues 106 and 1079.
const PASSING: [&str; 4] = [
    "rst_stream",
    "rst stream",
    "stream closed before write could take place",
    "authentication backend internal server error. please retry",
];

/// Sorts a status. Total and pure.
///
/// A status that the service sends for a position that is too old is documented nowhere. Those with
/// which it refuses a request for what it asks may be one: what they mean depends on how old the
/// position is.
///
/// Source: java-bigtable, EnhancedBigtableStubSettings.java (codes), RetryInfoRetryAlgorithm.java (any
/// code that says when to come back).
pub fn disposition(status: &Status) -> Disposition {
    // tonic reports a message past its size limit as OUT_OF_RANGE.
    if is_oversize(status) {
        return Disposition::Fatal;
    }
    if retry_after(status).is_some() {
        return Disposition::Retry;
    }
    match status.code() {
        // ABORTED is what a client gets that reads too slowly.
        Code::Unavailable | Code::DeadlineExceeded | Code::Aborted => Disposition::Retry,
        Code::ResourceExhausted | Code::Cancelled => Disposition::Retry,
        Code::Internal | Code::Unknown if is_passing(status) => Disposition::Retry,
        Code::Unauthenticated => Disposition::Refresh,
        Code::OutOfRange | Code::InvalidArgument | Code::FailedPrecondition => {
            Disposition::OutOfRange
        }
        Code::Ok
        | Code::Internal
        | Code::Unknown
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::Unimplemented
        | Code::DataLoss => Disposition::Fatal,
    }
}

/// Whether it is about the way to the service: a text that says so, or a cause on our side of it.
fn is_passing(status: &Status) -> bool {
    let message = status.message().to_ascii_lowercase();
    status.source().is_some() || PASSING.iter().any(|passing| message.contains(passing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_disposition() {
        let expected = [
            (Code::Ok, Disposition::Fatal),
            (Code::Cancelled, Disposition::Retry),
            (Code::Unknown, Disposition::Fatal),
            (Code::InvalidArgument, Disposition::OutOfRange),
            (Code::DeadlineExceeded, Disposition::Retry),
            (Code::NotFound, Disposition::Fatal),
            (Code::AlreadyExists, Disposition::Fatal),
            (Code::PermissionDenied, Disposition::Fatal),
            (Code::ResourceExhausted, Disposition::Retry),
            (Code::FailedPrecondition, Disposition::OutOfRange),
            (Code::Aborted, Disposition::Retry),
            (Code::OutOfRange, Disposition::OutOfRange),
            (Code::Unimplemented, Disposition::Fatal),
            (Code::Internal, Disposition::Fatal),
            (Code::Unavailable, Disposition::Retry),
            (Code::DataLoss, Disposition::Fatal),
            (Code::Unauthenticated, Disposition::Refresh),
        ];
        for (code, disposition_of_code) in expected {
            let found = disposition(&Status::new(code, "text"));
            assert_eq!(found, disposition_of_code, "{code:?}");
        }
    }

    #[test]
    fn every_spelling_of_a_broken_stream_passes() {
        for text in [
            "Received Rst stream",
            "HTTP/2 error code: INTERNAL_ERROR\nReceived Rst Stream",
            "RST_STREAM closed stream. HTTP/2 error code: INTERNAL_ERROR",
            "Received unexpected EOS on DATA frame; RST_STREAM",
            "Stream closed before write could take place",
            "Authentication backend internal server error. Please retry.",
        ] {
            assert_eq!(
                disposition(&Status::internal(text)),
                Disposition::Retry,
                "{text}"
            );
        }
    }

    #[test]
    fn a_message_past_our_own_limit_is_never_an_expired_position() {
        let status = Status::out_of_range(
            "Error, decoded message length too large: found 9 bytes, the limit is: 8 bytes",
        );
        assert_eq!(disposition(&status), Disposition::Fatal);
    }
}
