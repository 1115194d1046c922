//! Writes what the ledger holds, every minute and at the end.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use googleapis_tonic_google_monitoring_v3::google::monitoring::v3::CreateTimeSeriesRequest;
use tokio::time::{MissedTickBehavior, interval_at, timeout};
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};

use super::super::{
    About, CallError, ConnectError, Disposition, Reach, RpcMeter, Service, StreamTimes,
};
use super::client_id::ClientId;
use super::complaint::Complaint;
use super::ledger::Ledger;
use super::request::requests;
use super::subject::Subject;
use crate::config::{self, CloudMonitoring, Credentials, Endpoint};

/// Source: google/monitoring/v3/metric_service.proto, `default_host` and `oauth_scopes`.
const ABOUT: About = About {
    address: "https://monitoring.googleapis.com",
    name: "google.monitoring.v3.MetricService",
    scopes: &["https://www.googleapis.com/auth/monitoring.write"],
    disposition,
    stream_times: StreamTimes::UntilTheAnswer,
};

/// Writes metrics of Google's services, which `CreateTimeSeries` refuses.
const METHOD: &str = "CreateServiceTimeSeries";

/// How often it is written. Google's clients do it as often.
///
/// Source: opentelemetry-java, PeriodicMetricReaderBuilder.java, `DEFAULT_SCHEDULE_DELAY_MINUTES`
const INTERVAL: Duration = Duration::from_secs(60);

/// How long one call may take. Google's clients wait as long, and do not try again.
///
/// Source: java-spanner, SpannerCloudMonitoringExporter.java
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// How long the end of a run waits for the last write.
const LAST_TIMEOUT: Duration = Duration::from_secs(5);

/// An answer is empty; an error lists the series that were not written.
const ANSWER_BYTES_MAX: usize = 4 << 20;

/// Writes metrics of a run's calls to Cloud Monitoring.
pub struct Exporter {
    service: Service,
    ledger: Arc<Ledger>,
    subject: Subject,
    interval: Duration,
    complaint: Complaint,
}

impl Exporter {
    /// An exporter for what is read from `source`; none where nothing is to be exported. Nothing is
    /// sent before a minute has gone by, or the run has ended.
    ///
    /// # Errors
    ///
    /// The endpoint is no URI.
    pub fn of(source: &config::Source) -> Result<Option<Self>, ConnectError> {
        let Some(target) = source.cloud_monitoring() else {
            return Ok(None);
        };
        let (endpoint, credentials) = reached(target, &source.connection().credentials);
        let reach = Reach {
            endpoint: &endpoint,
            credentials: &credentials,
            message_bytes_max: ANSWER_BYTES_MAX,
        };
        let subject = Subject::of(source, &ClientId::new());
        Ok(Some(Self {
            service: Service::new(ABOUT, &reach, RpcMeter::default())?,
            ledger: Arc::new(Ledger::new(subject.family)),
            subject,
            interval: INTERVAL,
            complaint: Complaint::default(),
        }))
    }

    /// Writes in another interval than every minute.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// A meter that this exporter reads, and the metrics of the process, too, if `metrics`.
    #[must_use]
    pub fn meter(&self, metrics: bool) -> RpcMeter {
        RpcMeter::new(metrics, Some(Arc::clone(&self.ledger)))
    }

    /// Writes every minute, for ever. It may be dropped at any time.
    pub async fn run(&mut self) -> Infallible {
        let first = tokio::time::Instant::now() + self.interval;
        let mut ticks = interval_at(first, self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.write(CALL_TIMEOUT).await;
        }
    }

    /// Writes what there is at the end of a run.
    pub async fn finish(mut self) {
        self.write(LAST_TIMEOUT).await;
    }

    /// Writes all series, in as many calls as it takes. Those after a failed one are made, too: what
    /// is wrong with one series need not be wrong with others.
    async fn write(&mut self, limit: Duration) {
        let requests = requests(&self.subject, &self.ledger.reading());
        let mut written = None;
        for request in requests {
            let Ok(answer) = timeout(limit, self.call(request)).await else {
                return self.complaint.timed_out(limit);
            };
            written = match (written, answer) {
                (Some(Err(first)), _) => Some(Err(first)),
                (Some(Ok(())) | None, answer) => Some(answer),
            };
        }
        match written {
            Some(Ok(())) => self.complaint.worked(),
            Some(Err(error)) => self.complaint.failed(&error, &self.subject.project),
            None => {}
        }
    }

    async fn call(&self, request: CreateTimeSeriesRequest) -> Result<(), CallError> {
        let mut headers = MetadataMap::new();
        let params = format!("name={}", request.name.replace('/', "%2F"));
        if let Ok(params) = MetadataValue::try_from(params) {
            headers.insert("x-goog-request-params", params);
        }
        self.service.unary(METHOD, headers, request).await?;
        Ok(())
    }
}

/// How it is reached: Google with the credentials of the source, a server on this machine without.
fn reached(target: &CloudMonitoring, credentials: &Credentials) -> (Endpoint, Credentials) {
    match target {
        CloudMonitoring::Google => (Endpoint::Google, credentials.clone()),
        CloudMonitoring::Custom(uri) => (Endpoint::Custom(uri.clone()), credentials.clone()),
        CloudMonitoring::Loopback(address) => {
            let (host, port) = (address.ip().to_string(), address.port());
            (Endpoint::Emulator { host, port }, Credentials::None)
        }
    }
}

/// Nothing is tried again before the next write, but a token that is no longer good is renewed for it.
fn disposition(status: &Status) -> Disposition {
    if status.code() == Code::Unauthenticated {
        Disposition::Refresh
    } else {
        Disposition::Fatal
    }
}
