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

mod checkpoint;
mod components;
mod config;
mod credentials;
mod filters;
mod findings;
mod made_records;
mod made_values;
mod remedy;
mod report;
mod retention;
mod sink;
mod source;
mod text;

pub use findings::{Finding, Level, Topic};
pub use report::{
    BeginSeen, CheckpointSeen, ColumnSeen, ComponentSeen, FileSeen, Outcome, ParameterSeen, Report,
    RetentionSeen, SavedSeen, SinkSeen, SourceSeen, TableSeen, WouldRead,
};

use std::path::Path;

use jiff::Timestamp;

use self::checkpoint::Progress;
use self::findings::Findings;
use self::source::Known;
use crate::config::{Config, Source, SpannerChangeStream};
use crate::spanner::Client;

/// Looks at everything that a run of this configuration file would need.
pub async fn check(path: &Path) -> Report {
    let mut findings = Findings::default();
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
    let stream = match &config.source {
        Source::SpannerChangeStream(stream) => stream,
        Source::BigtableChangeStream(_) => {
            let message = "a Bigtable change stream is not checked yet";
            findings.misconfigured(Topic::Source, message.to_owned(), "start a run");
            return;
        }
    };
    let mut guests = components::load(config, findings, would_read).await;
    let progress = checkpoint::look(config, guests.deserializer_name(), findings, would_read);
    sink::look(config, &progress, findings, would_read);
    let known = ask_service(stream, &progress, findings, would_read).await;
    let Some(watch_list) = known.and_then(|known| known.watch_list) else {
        components::not_tried(findings);
        return;
    };
    filters::look(stream, &mut guests, &watch_list, findings, would_read).await;
    components::try_made_records(&mut guests, &watch_list, findings).await;
}

/// What the service says; none where it could not be asked.
async fn ask_service(
    stream: &SpannerChangeStream,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Option<Known> {
    let client = source::client(stream, findings)?;
    if !credentials::look(stream, &client, findings).await {
        source::not_asked(findings);
        return None;
    }
    let known = source::look(stream, &client, findings, would_read).await;
    if let Some(known) = &known {
        let asked = retention::Asked {
            client: &client,
            stream,
            described: &known.described,
            now: Timestamp::now(),
        };
        asked.look(progress, findings, would_read).await;
    }
    leave(&client, findings).await;
    known
}

/// Deletes the session that the questions were asked in.
async fn leave(client: &Client, findings: &mut Findings) {
    if let Ok(Err(error)) = source::in_time(client.close()).await {
        findings.warning(
            Topic::Source,
            format!("the session of this check could not be deleted: {error}"),
            "nothing: the service ends a session that is not used for an hour",
        );
    }
}
