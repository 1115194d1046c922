//! Trying a short call again before a run begins. Streams of a run are the scheduler's to reopen.

use acequia_core::Backoff;
use tracing::warn;

use super::call_error::CallError;

/// Attempts before a start gives up: together they take some seconds.
const ATTEMPTS_MAX: u32 = 6;

/// Who waits for the answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Patience {
    /// A run: what it reads from may be about to start.
    OfARun,
    /// A person, who can start a server that is not running.
    OfAPerson,
}

impl Patience {
    fn ends_with(self, error: &CallError) -> bool {
        self == Self::OfAPerson && error.is_not_running()
    }
}

/// Calls until it is done, fails for good, or has failed [`ATTEMPTS_MAX`] times.
pub(crate) async fn retrying<T, F>(patience: Patience, call: impl Fn() -> F) -> Result<T, CallError>
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
        let is_final = !error.disposition().is_passing() || patience.ends_with(&error);
        if is_final || failures == ATTEMPTS_MAX {
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
    use crate::google::unreached::tests::not_running;

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

    async fn attempts(patience: Patience, status: fn() -> Status) -> u32 {
        let attempts = Cell::new(0);
        let never: Result<(), CallError> = retrying(patience, || {
            attempts.set(attempts.get() + 1);
            std::future::ready(Err(failed(status())))
        })
        .await;
        assert!(never.is_err());
        attempts.get()
    }

    #[tokio::test(start_paused = true)]
    async fn a_passing_failure_is_tried_again_and_a_lasting_one_is_not() {
        for patience in [Patience::OfARun, Patience::OfAPerson] {
            let unavailable = || Status::unavailable("x");
            assert_eq!(attempts(patience, unavailable).await, ATTEMPTS_MAX);
            let denied = || Status::permission_denied("x");
            assert_eq!(attempts(patience, denied).await, 1);
            assert_eq!(attempts(patience, || Status::out_of_range("x")).await, 1);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_waits_for_a_server_of_ones_own_and_a_person_starts_it() {
        assert_eq!(attempts(Patience::OfARun, not_running).await, ATTEMPTS_MAX);
        assert_eq!(attempts(Patience::OfAPerson, not_running).await, 1);
    }
}
