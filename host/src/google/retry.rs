//! Trying a short call again before a run begins. Streams of a run are the scheduler's to reopen.

use acequia_core::Backoff;
use tracing::warn;

use super::call_error::CallError;

/// Attempts before a start gives up: together they take some seconds.
const ATTEMPTS_MAX: u32 = 6;

/// Calls until it is done, fails for good, or has failed [`ATTEMPTS_MAX`] times.
pub(crate) async fn retrying<T, F>(call: impl Fn() -> F) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut failures = 0;
    loop {
        let error = match call().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        failures += 1;
        if !error.disposition().is_passing() || failures == ATTEMPTS_MAX {
            return Err(error);
        }
        let pause = error
            .retry_after()
            .unwrap_or_else(|| Backoff::default().ceiling(failures));
        warn!(failures, ?pause, "trying again: {error}");
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tonic::{Code, Status};

    use super::*;
    use crate::google::Disposition;

    fn failed(status: Status) -> CallError {
        CallError::Status {
            method: "ExecuteSql",
            disposition: if status.code() == Code::Unavailable {
                Disposition::Retry
            } else {
                Disposition::Fatal
            },
            status: Box::new(status),
        }
    }

    async fn attempts(status: fn() -> Status) -> u32 {
        let attempts = Cell::new(0);
        let never: Result<(), CallError> = retrying(|| {
            attempts.set(attempts.get() + 1);
            std::future::ready(Err(failed(status())))
        })
        .await;
        assert!(never.is_err());
        attempts.get()
    }

    #[tokio::test(start_paused = true)]
    async fn a_passing_failure_is_tried_again_and_a_lasting_one_is_not() {
        assert_eq!(attempts(|| Status::unavailable("x")).await, ATTEMPTS_MAX);
        assert_eq!(attempts(|| Status::permission_denied("x")).await, 1);
        assert_eq!(attempts(|| Status::out_of_range("x")).await, 1);
    }
}
