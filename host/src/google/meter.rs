//! What the client's calls cost, per RPC method.
//!
//! An operation is a call with all its attempts. Streams have one attempt: opening them again is
//! the scheduler's decision, and another operation. Their times end when the service answers.

use std::time::{Duration, Instant};

use http::HeaderMap;
use metrics::{counter, histogram};
use tonic::{Code, Status};

/// The header in which Google's front ends tell their own times.
///
/// Source: https://cloud.google.com/spanner/docs/latency-metrics#capture-gfe-latency
const SERVER_TIMING: &str = "server-timing";

/// The entries of that header: the Google front end and the Spanner API front end.
const FRONT_ENDS: [(&str, &str); 2] = [("gfet4t7", "gfe"), ("afe", "afe")];

/// Records calls, or nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RpcMeter {
    on: bool,
}

/// A call or an attempt that is under way.
pub(crate) struct Timed {
    on: bool,
    method: &'static str,
    began: Instant,
}

impl RpcMeter {
    pub(crate) fn new(on: bool) -> Self {
        Self { on }
    }

    /// A stream begins.
    pub(crate) fn stream(self, method: &'static str) -> TimedStream {
        TimedStream {
            timed: Some(self.begin(method)),
            handed_out: None,
            application: Duration::ZERO,
            has_answered: false,
        }
    }

    /// An attempt is made because the one before it failed.
    pub(crate) fn retry(self, method: &'static str) {
        if self.on {
            counter!("acequia_client_retries_total", "method" => method).increment(1);
        }
    }

    pub(crate) fn begin(self, method: &'static str) -> Timed {
        Timed {
            on: self.on,
            method,
            began: Instant::now(),
        }
    }
}

/// A stream that is under way. One that is dropped before its end was ended here.
pub(crate) struct TimedStream {
    timed: Option<Timed>,
    /// When a frame was handed out last; none while the next is waited for.
    handed_out: Option<Instant>,
    /// How long what was handed out was worked on.
    application: Duration,
    has_answered: bool,
}

impl TimedStream {
    /// The next frame is asked for.
    pub(crate) fn asked(&mut self) {
        if let Some(since) = self.handed_out.take() {
            self.application = self.application.saturating_add(since.elapsed());
        }
    }

    /// A frame came, or the clean end.
    pub(crate) fn answered(&mut self, is_frame: bool) {
        let Some(timed) = &self.timed else {
            return;
        };
        if !timed.on {
            return;
        }
        if !is_frame {
            return self.end(Code::Ok);
        }
        if !self.has_answered {
            self.has_answered = true;
            histogram!("acequia_client_first_response_seconds", "method" => timed.method)
                .record(timed.began.elapsed());
        }
        self.handed_out = Some(Instant::now());
    }

    /// The stream is over. A second end says nothing.
    pub(crate) fn end(&mut self, code: Code) {
        self.asked();
        let Some(timed) = self.timed.take() else {
            return;
        };
        if timed.on && self.has_answered {
            histogram!("acequia_client_application_seconds", "method" => timed.method)
                .record(self.application);
        }
        timed.operation(code);
    }
}

impl Drop for TimedStream {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

impl Timed {
    /// A call is over, with all its attempts.
    pub(crate) fn operation(self, code: Code) {
        if self.on {
            let (method, code) = (self.method, name(code));
            counter!("acequia_client_operations_total", "method" => method, "code" => code)
                .increment(1);
            histogram!("acequia_client_operation_seconds", "method" => method)
                .record(self.began.elapsed());
        }
    }

    /// An attempt is over: what the service answered, or how it failed.
    pub(crate) fn attempt(self, answer: Result<&HeaderMap, &Status>) {
        if !self.on {
            return;
        }
        let method = self.method;
        let (code, headers) = match answer {
            Ok(headers) => (Code::Ok, Some(headers.clone())),
            Err(status) => (
                status.code(),
                Some(status.metadata().clone().into_headers()),
            ),
        };
        counter!("acequia_client_attempts_total", "method" => method, "code" => name(code))
            .increment(1);
        histogram!("acequia_client_attempt_seconds", "method" => method)
            .record(self.began.elapsed());
        let times = headers.as_ref().map(server_times).unwrap_or_default();
        for (front_end, time) in &times {
            histogram!("acequia_client_server_seconds", "method" => method, "front_end" => *front_end)
                .record(*time);
        }
        if times.is_empty() {
            counter!("acequia_client_attempts_without_server_time_total", "method" => method)
                .increment(1);
        }
        if times.is_empty() && is_connectivity(code) {
            counter!("acequia_client_connectivity_errors_total", "method" => method).increment(1);
        }
    }
}

/// A code that our side makes when the service is not reached.
fn is_connectivity(code: Code) -> bool {
    matches!(
        code,
        Code::Unavailable | Code::DeadlineExceeded | Code::Unknown | Code::Cancelled
    )
}

/// Reads `gfet4t7; dur=12, afe; dur=3.5`: milliseconds.
fn server_times(headers: &HeaderMap) -> Vec<(&'static str, Duration)> {
    let values = headers.get_all(SERVER_TIMING).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .filter_map(server_time)
        .collect()
}

fn server_time(entry: &str) -> Option<(&'static str, Duration)> {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next()?;
    let (_, front_end) = FRONT_ENDS.iter().find(|(known, _)| *known == name)?;
    let millis: f64 = parts
        .find_map(|part| part.strip_prefix("dur="))?
        .parse()
        .ok()?;
    let time = Duration::try_from_secs_f64(millis / 1000.0).ok()?;
    Some((front_end, time))
}

/// The code's name in gRPC's documents.
pub(crate) fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_ends_times_are_read_and_other_entries_are_not() {
        let mut headers = HeaderMap::new();
        headers.append(
            SERVER_TIMING,
            "gfet4t7; dur=123, afe; dur=4.5".parse().unwrap(),
        );
        headers.append(SERVER_TIMING, "cache; dur=9, gfet4t7".parse().unwrap());
        let times = server_times(&headers);
        assert_eq!(
            times,
            [
                ("gfe", Duration::from_millis(123)),
                ("afe", Duration::from_micros(4500))
            ]
        );
    }

    #[test]
    fn a_time_that_is_none_is_left_out() {
        for text in ["gfet4t7; dur=-1", "gfet4t7; dur=x", "gfet4t7; dur=NaN", ""] {
            let mut headers = HeaderMap::new();
            headers.append(SERVER_TIMING, text.parse().unwrap());
            assert!(server_times(&headers).is_empty(), "{text}");
        }
    }
}
