//! What the meter measures, before it is told to whoever reads it.

use std::time::Duration;

use metrics::{counter, histogram};
use tonic::Code;

use super::meter::name;
use super::monitoring::Place;
use super::server_timing::FrontEnd;

/// The call that something was measured of.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The RPC method, without its service.
    pub(super) method: &'static str,
    /// How it went, as far as it is known.
    pub(super) code: Code,
    /// Where it was served, as far as the service says it.
    pub(super) place: Place,
}

/// One thing that was measured, once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    /// A call with all its attempts took so long.
    Operation(Duration),
    /// An attempt is over.
    Attempt {
        /// What it took.
        time: Duration,
        /// Whether a front end of Google's was reached. Whoever does not tell its time, such as an
        /// emulator, counts as reached if it answered.
        reached: bool,
        /// Whether a front end told its own time.
        timed: bool,
    },
    /// An attempt is made because the one before it failed.
    Retry,
    /// The time that a front end told.
    FrontEnd(FrontEnd, Duration),
    /// From the opening of a stream to its first message.
    FirstResponse(Duration),
    /// How long the messages of a stream were worked on here.
    Application(Duration),
}

impl Measure {
    /// Tells it to the `metrics` facade.
    pub(super) fn record(self, call: &Call) {
        let (method, code) = (call.method, name(call.code));
        match self {
            Self::Operation(time) => {
                counter!("acequia_client_operations_total", "method" => method, "code" => code)
                    .increment(1);
                histogram!("acequia_client_operation_seconds", "method" => method).record(time);
            }
            Self::Attempt {
                time,
                reached,
                timed,
            } => {
                counter!("acequia_client_attempts_total", "method" => method, "code" => code)
                    .increment(1);
                histogram!("acequia_client_attempt_seconds", "method" => method).record(time);
                if !timed {
                    let name = "acequia_client_attempts_without_server_time_total";
                    counter!(name, "method" => method).increment(1);
                }
                if !reached {
                    let name = "acequia_client_connectivity_errors_total";
                    counter!(name, "method" => method).increment(1);
                }
            }
            Self::Retry => {
                counter!("acequia_client_retries_total", "method" => method).increment(1);
            }
            Self::FrontEnd(front_end, time) => {
                let front_end = front_end.short();
                histogram!("acequia_client_server_seconds", "method" => method, "front_end" => front_end)
                    .record(time);
            }
            Self::FirstResponse(time) => {
                histogram!("acequia_client_first_response_seconds", "method" => method)
                    .record(time);
            }
            Self::Application(time) => {
                histogram!("acequia_client_application_seconds", "method" => method).record(time);
            }
        }
    }
}
