//! Whoever looks at a run, beside it.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::interval;

use crate::admin::{AdminError, Desk, Server, Watched};
use crate::config::{self, Config};
use crate::driver::{Clock, Probe};
use crate::status::{Status, Subject, WatchedGuest};
use crate::telemetry::{Metrics, MetricsError};

/// Why nobody can look.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The admin server cannot listen.
    #[error(transparent)]
    Admin(#[from] AdminError),
    /// Metrics cannot be recorded.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
}

/// How often old samples of distributions are folded away, and metrics that are sent are renewed.
const UPKEEP: Duration = Duration::from_secs(5);

/// Those who look, before they do.
pub(super) struct Watching {
    server: Option<Server>,
    metrics: Option<Metrics>,
    desk: Desk,
}

/// Tells those who look what there is to see.
pub(super) struct Announcer {
    watched: watch::Sender<Watched>,
    metrics: Option<Metrics>,
}

impl Watching {
    /// Begins to listen and to record.
    ///
    /// # Errors
    ///
    /// The address cannot be listened on, or nothing can be recorded.
    pub(super) async fn start(
        telemetry: &config::Telemetry,
        subject: &Arc<Subject>,
        clock: Clock,
    ) -> Result<(Self, Announcer), WatchError> {
        let (sender, watched) = watch::channel(Watched::Starting(Arc::clone(subject)));
        let server = match telemetry.admin_address {
            Some(address) => Some(Server::listen(address).await?),
            None => None,
        };
        let metrics = Metrics::start(telemetry, &subject.name)?;
        let watching = Self {
            server,
            metrics: metrics.clone(),
            desk: Desk::new(watched, clock),
        };
        let announcer = Announcer {
            watched: sender,
            metrics,
        };
        Ok((watching, announcer))
    }

    /// Serves for ever, or waits for ever.
    pub(super) async fn serve(self) -> Infallible {
        let Some(metrics) = self.metrics else {
            return pending().await;
        };
        let desk = Arc::new(self.desk);
        let renewing = renew(&metrics, &desk);
        match self.server {
            Some(server) => tokio::select! {
                never = server.serve(Arc::clone(&desk), metrics.clone()) => never,
                never = renewing => never,
            },
            None => renewing.await,
        }
    }
}

async fn renew(metrics: &Metrics, desk: &Desk) -> Infallible {
    let mut upkeep = interval(UPKEEP);
    loop {
        upkeep.tick().await;
        metrics.upkeep();
        if metrics.are_sent()
            && let Ok(status) = desk.status().await
        {
            metrics.publish(&status);
        }
    }
}

impl Announcer {
    pub(super) fn running(&self, probe: Probe) {
        self.watched.send_replace(Watched::Running(probe));
    }

    /// The run is over: its last status is told to those who are told without asking.
    pub(super) fn over(&self, last: &Status) {
        if let Some(metrics) = &self.metrics {
            metrics.publish(last);
            metrics.finish();
        }
    }
}

/// Who is looked at, before the source was asked anything.
pub(super) fn subject(config: &Config, guests: Vec<WatchedGuest>, clock: Clock) -> Subject {
    Subject {
        name: config.meta.name.clone(),
        connector: config.meta.connector_type.clone(),
        source: config
            .source
            .names()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        started_at: clock.now().wall,
        sink: config.sink.kind(),
        guests,
        retention: None,
        backlog_adjustment: match &config.source {
            config::Source::SpannerChangeStream(_) | config::Source::SpannerBatch(_) => None,
            config::Source::BigtableChangeStream(stream) => {
                Some(stream.backlog_replication_adjustment)
            }
        },
    }
}
