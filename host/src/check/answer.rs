//! How long an answer is waited for.

use std::time::Duration;

use tokio::time::error::Elapsed;

use super::Topic;
use super::findings::Findings;

/// How long one question may take with all its calls and attempts: finding the earliest readable
/// instant of a Spanner stream takes up to forty. A server that does not answer must not hold a check
/// up for ever.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Waits for an answer within its time.
pub(super) async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, Elapsed> {
    tokio::time::timeout(ANSWER_TIMEOUT, answer).await
}

/// Tells that a service gave no answer. `asked` is who was asked about what.
pub(super) fn silent(asked: &str, findings: &mut Findings) {
    findings.failure(
        Topic::Source,
        format!("{asked}: no answer within {ANSWER_TIMEOUT:?}"),
        "see whether the server is overloaded or something on the way holds the connection open",
    );
}
