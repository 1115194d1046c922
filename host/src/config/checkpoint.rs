//! Where progress is kept, and what is done with progress that is already there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::option::{OptionSpec, Presence};
use super::read::{
    Field, Read, Report, Section, UnknownKeys, Value, path, positive_duration, word,
};
use super::{Kind, StateName};

/// The place that checkpoints are kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckpointStore {
    /// A directory. Default: `<meta.name>.checkpoint` beside the configuration file. A relative
    /// path is already joined with the directory of that file, and where the state has a name, that
    /// is the last part.
    File {
        /// The directory.
        directory: PathBuf,
    },
    /// No checkpoint: every run begins at the start position. It has to be asked for.
    None,
}

impl CheckpointStore {
    /// The place of the state of this name, where several lie in one directory.
    pub(super) fn of_state(self, name: Option<&StateName>) -> Self {
        match (self, name) {
            (Self::File { directory }, Some(name)) => Self::File {
                directory: directory.join(name.as_str()),
            },
            (store, _) => store,
        }
    }
}

/// What to do with a checkpoint that is there, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingState {
    /// Goes on from it; begins anew where there is none. The default.
    ResumeOrNew,
    /// Goes on from it; fails where there is none.
    ResumeOrFail,
    /// Fails where there is one.
    FailIfExists,
    /// Begins anew, whatever is there.
    New,
}

pub(super) const CHECKPOINT: OptionSpec = OptionSpec::new(
    "checkpoint",
    "{ directory: D, interval: DURATION } or none",
    Presence::Default("{}"),
    "Where progress is kept. With none, every run begins at start-position.",
)
.with_members(&[&DIRECTORY, &INTERVAL])
.of_kind(Kind::Either(&[
    Kind::Words(&["none"]),
    Kind::Members { min: 0 },
]));

const DIRECTORY: OptionSpec = OptionSpec::new(
    "directory",
    "a path",
    Presence::Optional("takes META.NAME.checkpoint beside the file"),
    "The directory, which one process at a time may use.",
);

const INTERVAL: OptionSpec = OptionSpec::new(
    "interval",
    "a duration",
    Presence::Default("1s"),
    "How often progress is saved. Longer than zero.",
)
.of_kind(Kind::PositiveDuration);

pub(super) const EXISTING_STATE: OptionSpec = OptionSpec::new(
    "existing-state",
    "resume-or-new, resume-or-fail, fail-if-exists or new",
    Presence::Default("resume-or-new"),
    "What to do with a checkpoint that is there, or is not. Not with checkpoint: none.",
)
.of_kind(Kind::Words(&[
    "resume-or-new",
    "resume-or-fail",
    "fail-if-exists",
    "new",
]));

/// Where progress is kept and how often.
pub(super) struct Checkpoint {
    /// The directory that the file names; `None` is the default one.
    pub(super) store: Option<CheckpointStore>,
    pub(super) interval: Duration,
}

/// Reads the `checkpoint` option.
pub(super) fn read(field: &Field<'_>, report: &mut Report, base_dir: &Path) -> Read<Checkpoint> {
    const WHAT: &str = "{ directory: D, interval: DURATION } or none";
    if !matches!(field.node.value, Value::Map(_)) {
        return match field.text(report, WHAT)? {
            "none" => Ok(Checkpoint {
                store: Some(CheckpointStore::None),
                interval: Duration::from_secs(1),
            }),
            text => Err(field.problem(report, format!("expected {WHAT}, found {text:?}"))),
        };
    }
    let section = Section::open(field, CHECKPOINT.members, UnknownKeys::Refused, report)?;
    let directory = section.read_optional(&DIRECTORY, report, |field, report| {
        path(field, report, base_dir)
    });
    let interval = section.read(&INTERVAL, report, positive_duration);
    section.close();
    Ok(Checkpoint {
        store: directory?.map(|directory| CheckpointStore::File { directory }),
        interval: interval?,
    })
}

/// Reads the `existing-state` option.
pub(super) fn existing_state(field: &Field<'_>, report: &mut Report) -> Read<ExistingState> {
    word(
        field,
        report,
        &[
            ("resume-or-new", ExistingState::ResumeOrNew),
            ("resume-or-fail", ExistingState::ResumeOrFail),
            ("fail-if-exists", ExistingState::FailIfExists),
            ("new", ExistingState::New),
        ],
    )
}
