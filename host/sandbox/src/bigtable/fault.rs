//! Where faults strike a Bigtable service, and the errors that it asks its clients to retry.

use std::time::Duration;

use tonic::Code;

use super::history::KeyRange;
use crate::fault::What;

/// A fault of a Bigtable service.
pub type Fault = crate::fault::Fault<On>;

impl Fault {
    /// Strikes one read of `range` after `after_messages` messages.
    #[must_use]
    pub fn on_range(range: KeyRange, after_messages: u64, what: What) -> Self {
        Self {
            on: On::Range(range),
            after_messages,
            times: 1,
            what,
        }
    }

    /// Strikes the first `times` reads, whatever they read.
    #[must_use]
    pub fn on_any(after_messages: u64, times: u32, what: What) -> Self {
        Self {
            on: On::AnyRead,
            after_messages,
            times,
            what,
        }
    }

    /// Strikes the next call of another kind.
    #[must_use]
    pub fn on_call(on: On, what: What) -> Self {
        Self {
            on,
            after_messages: 0,
            times: 1,
            what,
        }
    }
}

/// Which calls a fault fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// Every `ReadChangeStream`.
    AnyRead,
    /// `ReadChangeStream` of exactly this range.
    Range(KeyRange),
    /// `GenerateInitialChangeStreamPartitions`.
    Partitions,
    /// `GetTable`.
    Table,
    /// `GetAppProfile`.
    AppProfile,
}

/// Every spelling of an error after which Google's own client tries again.
///
/// Source: java-bigtable, `ConvertExceptionCallable`, `RetryInfoRetryAlgorithm` and the retryable
/// codes of `readChangeStream`; the texts also in java-bigtable #106 and #1079.
#[must_use]
pub fn retryable() -> Vec<What> {
    let mut all: Vec<What> = [
        (Code::Unavailable, "The service is currently unavailable."),
        (Code::DeadlineExceeded, "Deadline exceeded"),
        (Code::Aborted, SLOW_READER),
        (Code::Internal, "Received Rst stream"),
        (
            Code::Internal,
            "HTTP/2 error code: INTERNAL_ERROR\nReceived RST_STREAM",
        ),
        (Code::Internal, "RST_STREAM closed stream"),
        (
            Code::Internal,
            "stream terminated by RST_STREAM with error code: 2",
        ),
        (
            Code::Internal,
            "Stream closed before write could take place",
        ),
        (
            Code::Internal,
            "Authentication backend internal server error. Please retry.",
        ),
    ]
    .into_iter()
    .map(|(code, text)| What::status(code, text))
    .collect();
    all.push(What::Status {
        code: Code::ResourceExhausted,
        text: "Try again later".to_owned(),
        retry_after: Some(Duration::from_millis(20)),
    });
    all
}

/// What a reader is told that does not take its messages.
pub(super) const SLOW_READER: &str = "Response was not consumed in time; terminating connection";
