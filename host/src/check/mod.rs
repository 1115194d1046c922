//! Whether a run would work, told before it is tried.
//!
//! Everything that a run needs is looked at, and nothing is changed: no file is created or cut, a
//! lock is held for no longer than a look, a session is deleted, and no stream is read. What can be
//! looked at after a failure is, so that all is told at once.
//!
//! ```text
//! config ── components ─┬────────────────────── filters ── made records
//!        ── credentials ── source (its names) ──┘
//!        ── checkpoint ──┴─ retention
//!                 └── sink
//! ```
//!
//! A topic is a file here, and the questions to a service are in a room of its own. Each uses the
//! parts that a [run](crate::run) begins with, so that the two cannot come to different answers.

mod answer;
mod bigtable;
mod checkpoint;
mod components;
mod config;
mod credentials;
mod findings;
mod record_ids;
mod remedy;
mod report;
mod retention;
mod sink;
mod spanner;
mod spanner_batch;
mod text;

pub use findings::{Finding, Level, Steps, Topic};
pub use report::{
    BeginSeen, BigtableSeen, CheckpointSeen, ColumnSeen, ComponentSeen, FamilySeen, FileSeen,
    Outcome, ParameterSeen, Report, RetentionSeen, SavedSeen, SinkSeen, SnapshotSeen, SourceSeen,
    SpannerSeen, TableSeen, WouldRead,
};

use std::path::Path;

use self::findings::Findings;
use crate::config::{Config, Source};

/// Looks at everything that a run of this configuration file would need, and says what it does.
pub async fn check(path: &Path, steps: Steps) -> Report {
    let mut findings = Findings::new(steps);
    let mut would_read = WouldRead::default();
    let name = match config::look(path, &mut findings).await {
        Some(config) => {
            Box::pin(look(&config, &mut findings, &mut would_read)).await;
            Some(config.meta.name)
        }
        None => None,
    };
    Report::new(name, findings, would_read)
}

async fn look(config: &Config, findings: &mut Findings, would_read: &mut WouldRead) {
    let mut guests = components::load(config, findings, would_read).await;
    let progress = checkpoint::look(config, guests.deserializer_name(), findings, would_read);
    sink::look(config, &progress, findings, would_read);
    match &config.source {
        Source::SpannerChangeStream(stream) => {
            spanner::look(stream, &progress, &mut guests, findings, would_read).await;
        }
        Source::BigtableChangeStream(stream) => {
            bigtable::look(stream, &progress, &mut guests, findings, would_read).await;
        }
        Source::SpannerBatch(batch) => {
            spanner_batch::look(batch, &progress, &mut guests, findings, would_read).await;
        }
    }
}
