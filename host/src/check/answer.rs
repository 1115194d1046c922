//! How long an answer is waited for.

use std::time::Duration;

use tokio::time::error::Elapsed;

/// How long one question may take with all its calls and attempts: finding the earliest readable
/// instant of a Spanner stream takes up to forty. A server that does not answer must not hold a check
/// up for ever.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Waits for an answer within its time.
pub(super) async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, Elapsed> {
    tokio::time::timeout(ANSWER_TIMEOUT, answer).await
}
