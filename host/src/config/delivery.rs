//! The options that say how records are shaped, where they go, and how progress is kept. They are
//! the same for every source.

use std::path::Path;
use std::time::Duration;

use super::Kind;
use super::checkpoint::{self, CHECKPOINT, Checkpoint, CheckpointStore, EXISTING_STATE};
use super::guest_ref::{self, DESERIALIZER, RECORD_FILTER};
use super::option::{OptionSpec, Presence};
use super::pipeline::{self, PIPELINE};
use super::read::{Field, Read, Report, Section, positive_duration};
use super::sink::{self, SINK};
use super::telemetry::{self, Telemetry};
use super::{ExistingState, GuestRef, GuestRole, OnFailure, Pipeline, Sink};

pub(super) const RECORD_ID_FIELD: OptionSpec = OptionSpec::new(
    "record-id-field",
    "a JSON pointer",
    Presence::Default("/id"),
    "Where a value holds the id of its record. If it is written out, a deserializer that does not \
     write the id there is refused.",
)
.of_kind(Kind::Pattern(r"^/([^~]|~[01])*$"));

pub(super) const DRAIN_TIMEOUT: OptionSpec = OptionSpec::new(
    "drain-timeout",
    "a duration",
    Presence::Default("20s"),
    "How long a run that was told to stop may take to write and save what it has read. Longer than \
     zero.",
)
.of_kind(Kind::PositiveDuration);

/// Where a value holds the id of its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordIdField {
    /// A JSON pointer. Default: `/id`.
    ///
    /// Source: RFC 6901
    pub pointer: String,
    /// Whether the file says it itself: then a deserializer that does not write it is refused.
    pub written_out: bool,
}

/// What these options say together.
pub(super) struct Delivery {
    pub(super) record_filter: Option<GuestRef>,
    pub(super) deserializer: GuestRef,
    pub(super) pipeline: Pipeline,
    pub(super) sink: Sink,
    pub(super) checkpoint: Checkpoint,
    pub(super) existing_state: ExistingState,
    pub(super) existing_state_written_out: bool,
    pub(super) record_id_field: RecordIdField,
    pub(super) drain_timeout: Duration,
    pub(super) telemetry: Telemetry,
}

/// Reads these options from the section of a connector.
/// `existing_state` reads the option of that name, which has more words in some sections.
pub(super) fn read(
    section: &Section<'_>,
    report: &mut Report,
    base_dir: &Path,
    existing_state: fn(&Field<'_>, &mut Report) -> Read<ExistingState>,
) -> Read<Delivery> {
    let deserializer = section.read(&DESERIALIZER, report, |field, report| {
        guest_ref::read(field, report, base_dir, &["json"])
    });
    let record_filter = section.read_optional(&RECORD_FILTER, report, |field, report| {
        guest_ref::read(field, report, base_dir, &[])
    });
    if let Ok(deserializer) = &deserializer {
        report.guest(GuestRole::Deserializer, deserializer);
    }
    if let Ok(Some(filter)) = &record_filter {
        report.guest(GuestRole::RecordFilter, filter);
    }
    let pipeline = section.read(&PIPELINE, report, pipeline::read);
    let sink = section.read(&SINK, report, |field, report| {
        sink::read(field, report, base_dir)
    });
    let checkpoint = section.read(&CHECKPOINT, report, |field, report| {
        checkpoint::read(field, report, base_dir)
    });
    let existing_state = section.read(&EXISTING_STATE, report, existing_state);
    let pointer = section.read(&RECORD_ID_FIELD, report, json_pointer);
    let drain_timeout = section.read(&DRAIN_TIMEOUT, report, positive_duration);
    let telemetry = telemetry::read(section, report);
    if let (Ok(pipeline), Ok(sink)) = (&pipeline, &sink) {
        check_dead_letters(section, report, pipeline, sink);
    }
    if let (Ok(checkpoint), Ok(sink)) = (&checkpoint, &sink) {
        check_checkpoint(section, report, checkpoint, sink);
    }
    Ok(Delivery {
        record_filter: record_filter?,
        deserializer: deserializer?,
        pipeline: pipeline?,
        sink: sink?,
        checkpoint: checkpoint?,
        existing_state: existing_state?,
        existing_state_written_out: section.given(&EXISTING_STATE).is_some(),
        record_id_field: RecordIdField {
            pointer: pointer?,
            written_out: section.given(&RECORD_ID_FIELD).is_some(),
        },
        drain_timeout: drain_timeout?,
        telemetry: telemetry?,
    })
}

fn check_dead_letters(
    section: &Section<'_>,
    report: &mut Report,
    pipeline: &Pipeline,
    sink: &Sink,
) {
    let has_place = match sink {
        Sink::File { .. } => true,
        Sink::Stdout { dead_letter_path } => dead_letter_path.is_some(),
    };
    let wanted = pipeline.on_failure == OnFailure::DeadLetter;
    if wanted && !has_place {
        let message = "has no place for dead letters, which pipeline.on-failure asks for; \
                       write { stdout: { dead-letter-path: FILE } }";
        section.problem(&SINK, report, message);
    }
    if let (
        false,
        Sink::Stdout {
            dead_letter_path: Some(_),
        },
    ) = (wanted, sink)
        && let Some(field) = section.given(&SINK)
    {
        let message = "names a dead-letter-path, which is used only with \
                       pipeline.on-failure: dead-letter";
        field.problem(report, message);
    }
}

fn check_checkpoint(
    section: &Section<'_>,
    report: &mut Report,
    checkpoint: &Checkpoint,
    sink: &Sink,
) {
    if checkpoint.store != Some(CheckpointStore::None) {
        return;
    }
    if let Some(field) = section.given(&EXISTING_STATE) {
        field.problem(
            report,
            "has no meaning with checkpoint: none; remove one of the two",
        );
    }
    if let (Sink::File { .. }, Some(field)) = (sink, section.given(&CHECKPOINT)) {
        report.warn(
            &field.path,
            "is none, and without a checkpoint a file is not written exactly once",
        );
    }
}

/// Source: RFC 6901
fn json_pointer(field: &Field<'_>, report: &mut Report) -> Read<String> {
    let text = field.text(report, "a text")?;
    let mut escapes = text.split('~').skip(1);
    if text.starts_with('/') && escapes.all(|rest| rest.starts_with(['0', '1'])) {
        return Ok(text.to_owned());
    }
    Err(field.problem(
        report,
        "must be a JSON pointer: it begins with a slash, and ~ stands only in ~0 and ~1",
    ))
}
