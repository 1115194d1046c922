//! What the client's calls cost, per RPC method.
//!
//! An operation is a call with all its attempts. Streams have one attempt: opening them again is
//! the scheduler's decision, and another operation. Their times end when the service answers.
//!
//! Everything is measured once, here, and told to both who read it: the metrics of the process, where
//! the configuration asks for them, and the [ledger](Ledger) that is written to Cloud Monitoring.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::HeaderMap;
use tonic::{Code, Status};

use super::measure::{Call, Measure};
use super::monitoring::{Ledger, Place};
use super::server_timing::server_times;

/// Measures calls, for those who read it; by default nobody does, and nothing is measured. Cheap to
/// clone.
#[derive(Clone, Debug, Default)]
pub struct RpcMeter {
    metrics: bool,
    ledger: Option<Arc<Ledger>>,
}

/// A call or an attempt that is under way.
pub(crate) struct Timed {
    meter: RpcMeter,
    method: &'static str,
    began: Instant,
    place: Place,
}

impl RpcMeter {
    /// A meter that is read as `metrics` of the process or not, and from a ledger or not.
    pub(crate) fn new(metrics: bool, ledger: Option<Arc<Ledger>>) -> Self {
        Self { metrics, ledger }
    }

    /// The same without the ledger, for calls that Google's clients do not count.
    pub(crate) fn without_ledger(&self) -> Self {
        Self {
            metrics: self.metrics,
            ledger: None,
        }
    }

    /// Whether anybody reads it.
    pub(crate) fn is_read(&self) -> bool {
        self.metrics || self.ledger.is_some()
    }

    /// A stream begins.
    pub(crate) fn stream(&self, method: &'static str) -> TimedStream {
        TimedStream {
            timed: Some(self.begin(method)),
            handed_out: None,
            application: Duration::ZERO,
            has_answered: false,
        }
    }

    /// An attempt is made because the one before it failed.
    pub(crate) fn retry(&self, method: &'static str) {
        self.begin(method).tell(Code::Ok, Measure::Retry);
    }

    pub(crate) fn begin(&self, method: &'static str) -> Timed {
        Timed {
            meter: self.clone(),
            method,
            began: Instant::now(),
            place: Place::default(),
        }
    }

    fn place(&self, headers: &HeaderMap) -> Place {
        let ledger = self.ledger.as_ref();
        ledger.map_or_else(Place::default, |ledger| ledger.place(headers))
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
    /// Its one attempt is over: what the service answered, or how it failed.
    pub(crate) fn attempt(&mut self, answer: Result<&HeaderMap, &Status>) {
        if let Some(timed) = &mut self.timed {
            timed.attempt(answer);
        }
    }

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
        if !timed.meter.is_read() {
            return;
        }
        if !is_frame {
            return self.end(Code::Ok);
        }
        if !self.has_answered {
            self.has_answered = true;
            // How the stream will end is not known yet; so far it went well.
            timed.tell(Code::Ok, Measure::FirstResponse(timed.began.elapsed()));
        }
        self.handed_out = Some(Instant::now());
    }

    /// The stream is over. A second end says nothing.
    pub(crate) fn end(&mut self, code: Code) {
        self.asked();
        let Some(timed) = self.timed.take() else {
            return;
        };
        if self.has_answered {
            timed.tell(code, Measure::Application(self.application));
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
        self.tell(code, Measure::Operation(self.began.elapsed()));
    }

    /// An attempt is over: what the service answered, or how it failed.
    pub(crate) fn attempt(&mut self, answer: Result<&HeaderMap, &Status>) {
        if !self.meter.is_read() {
            return;
        }
        let time = self.began.elapsed();
        let (code, headers) = match answer {
            Ok(headers) => (Code::Ok, headers.clone()),
            Err(status) => (status.code(), status.metadata().clone().into_headers()),
        };
        self.place = self.meter.place(&headers);
        let times = server_times(&headers);
        let timed = !times.is_empty();
        let reached = timed || !is_connectivity(code);
        let attempt = Measure::Attempt {
            time,
            reached,
            timed,
        };
        self.tell(code, attempt);
        for (front_end, time) in times {
            self.tell(code, Measure::FrontEnd(front_end, time));
        }
    }

    /// Tells everyone who reads it.
    fn tell(&self, code: Code, measure: Measure) {
        if !self.meter.is_read() {
            return;
        }
        let call = Call {
            method: self.method,
            code,
            place: self.place.clone(),
        };
        if self.meter.metrics {
            measure.record(&call);
        }
        if let Some(ledger) = &self.meter.ledger {
            ledger.enter(call, measure);
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
