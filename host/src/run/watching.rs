//! Whoever looks at a run, beside it.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use tokio::sync::watch;

use crate::admin::{AdminError, Server, Watched};
use crate::config::{self, Config};
use crate::driver::{Clock, Probe};
use crate::status::{Subject, WatchedGuest};
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

/// The admin server, if one is configured, before it serves.
pub(super) struct Watching {
    server: Option<(Server, Metrics)>,
    clock: Clock,
    watched: watch::Receiver<Watched>,
}

/// Tells those who look what there is to see.
pub(super) struct Announcer(watch::Sender<Watched>);

impl Watching {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// The address cannot be listened on.
    pub(super) async fn start(
        telemetry: &config::Telemetry,
        subject: &Arc<Subject>,
        clock: Clock,
    ) -> Result<(Self, Announcer), WatchError> {
        let (sender, watched) = watch::channel(Watched::Starting(Arc::clone(subject)));
        let server = match telemetry.admin_address {
            Some(address) => Some((Server::listen(address).await?, Metrics::install()?)),
            None => None,
        };
        let watching = Self {
            server,
            clock,
            watched,
        };
        Ok((watching, Announcer(sender)))
    }

    /// Serves for ever, or waits for ever.
    pub(super) async fn serve(self) -> Infallible {
        match self.server {
            Some((server, metrics)) => server.serve(self.watched, metrics, self.clock).await,
            None => pending().await,
        }
    }
}

impl Announcer {
    pub(super) fn running(&self, probe: Probe) {
        self.0.send_replace(Watched::Running(probe));
    }
}

/// Who is looked at, before the source was asked anything.
pub(super) fn subject(config: &Config, guests: Vec<WatchedGuest>, clock: Clock) -> Subject {
    let config::Source::SpannerChangeStream(stream) = &config.source;
    let source = [
        ("database", stream.database.to_string()),
        ("change-stream", stream.change_stream.as_str().to_owned()),
    ];
    Subject {
        name: config.meta.name.clone(),
        connector: config.meta.connector_type.clone(),
        source: source
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        started_at: clock.now().wall,
        sink: config.sink.kind(),
        guests,
        retention: None,
    }
}
