//! Whether a run would work, told before it is tried.
//!
//! Everything that a run needs is looked at, and nothing is changed: no file is created or cut, a
//! lock is held for no longer than a look, and the session is deleted. What can be looked at after a
//! failure is, so that all is told at once.
//!
//! ```text
//! config ── components ─┬──────────────────────── filters ── made records
//!        ── credentials ── source (watch list) ───┘
//!        ── checkpoint ──┴─ retention
//!                 └── sink
//! ```
//!
//! A topic is a file here. Each uses the parts that a [run](crate::run) begins with, so that the two
//! cannot come to different answers.

mod answer;
mod checkpoint;
mod components;
mod config;
mod credentials;
mod findings;
mod record_ids;
mod report;
mod sink;
mod spanner;
mod text;

pub use findings::{Finding, Level, Steps, Topic};
pub use report::{
    BeginSeen, CheckpointSeen, ColumnSeen, ComponentSeen, FileSeen, Outcome, ParameterSeen, Report,
    RetentionSeen, SavedSeen, SinkSeen, SourceSeen, TableSeen, WouldRead,
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
            look(&config, &mut findings, &mut would_read).await;
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
        Source::BigtableChangeStream(_) => {
            let message = "a Bigtable change stream is not checked yet";
            findings.misconfigured(Topic::Source, message.to_owned(), "start a run");
        }
    }
}
