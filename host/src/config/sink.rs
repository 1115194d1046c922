//! Where outputs go.

use std::path::{Path, PathBuf};

use super::Kind;
use super::option::{OptionSpec, Presence};
use super::read::{Field, Read, Report, Section, UnknownKeys, path, unknown_word, variant};

/// The place that outputs are written to. Default: [`Sink::Stdout`]. Relative paths are already
/// joined with the directory of the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sink {
    /// Standard output, one value a line.
    Stdout {
        /// The file for dead letters. `None` unless the configuration names one: standard output
        /// has no place for them.
        dead_letter_path: Option<PathBuf>,
    },
    /// A file, one value a line.
    File {
        /// The file.
        path: PathBuf,
        /// The file for dead letters. Default: beside `path`, `<stem>.dead-letter.ndjson`.
        dead_letter_path: PathBuf,
    },
}

pub(super) const SINK: OptionSpec = OptionSpec::new(
    "sink",
    "stdout, { stdout: … } or { file: … }",
    Presence::Default("stdout"),
    "Where outputs go, one value a line.",
)
.with_members(&[&STDOUT, &FILE])
.of_kind(Kind::WordOrMember(&["stdout"]));

const STDOUT: OptionSpec = OptionSpec::new(
    "stdout",
    "a mapping",
    Presence::Optional("takes file"),
    "Standard output.",
)
.with_members(&[&STDOUT_DEAD_LETTER_PATH]);

const FILE: OptionSpec = OptionSpec::new(
    "file",
    "a mapping",
    Presence::Optional("takes stdout"),
    "A file.",
)
.with_members(&[&PATH, &DEAD_LETTER_PATH]);

const PATH: OptionSpec = OptionSpec::new("path", "a path", Presence::Required, "The file.");

const DEAD_LETTER_PATH: OptionSpec = OptionSpec::new(
    "dead-letter-path",
    "a path",
    Presence::Optional("takes path with the ending .dead-letter.ndjson"),
    "The file for records that failed, with pipeline.on-failure: dead-letter. It is created together \
     with the other, and stays empty where nothing goes there: its length is part of every checkpoint.",
);

const STDOUT_DEAD_LETTER_PATH: OptionSpec = OptionSpec::new(
    "dead-letter-path",
    "a path",
    Presence::Optional("has no place for dead letters"),
    "The file for records that failed; only with pipeline.on-failure: dead-letter.",
);

impl Sink {
    /// A word for its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stdout { .. } => "stdout",
            Self::File { .. } => "file",
        }
    }
}

/// Reads the `sink` option.
pub(super) fn read(field: &Field<'_>, report: &mut Report, base_dir: &Path) -> Read<Sink> {
    const WHAT: &str = "stdout or { file: { path: FILE } }";
    let chosen = variant(field, report, WHAT)?;
    match (chosen.name, chosen.content) {
        ("stdout", None) => Ok(Sink::Stdout {
            dead_letter_path: None,
        }),
        ("stdout", Some(content)) => stdout(&content, report, base_dir),
        ("file", Some(content)) => file(&content, report, base_dir),
        ("file", None) => {
            Err(field.problem(report, "needs a path; write { file: { path: FILE } }"))
        }
        ("fluvio", _) => Err(field.problem(
            report,
            format!("this version has no Fluvio sink yet; write {WHAT}"),
        )),
        (name, None) if name.contains(['.', '/']) => {
            let message = format!("a file needs braces; write {{ file: {{ path: {name} }} }}");
            Err(field.problem(report, message))
        }
        (name, _) => Err(field.problem(report, unknown_word(name, &["stdout", "file"]))),
    }
}

fn stdout(field: &Field<'_>, report: &mut Report, base_dir: &Path) -> Read<Sink> {
    let section = Section::open(field, STDOUT.members, UnknownKeys::Refused, report)?;
    let dead_letters = section.read_optional(&STDOUT_DEAD_LETTER_PATH, report, |field, report| {
        path(field, report, base_dir)
    });
    section.close();
    Ok(Sink::Stdout {
        dead_letter_path: dead_letters?,
    })
}

fn file(field: &Field<'_>, report: &mut Report, base_dir: &Path) -> Read<Sink> {
    let section = Section::open(field, FILE.members, UnknownKeys::Refused, report)?;
    let file = section.read(&PATH, report, |field, report| path(field, report, base_dir));
    let dead_letters = section.read_optional(&DEAD_LETTER_PATH, report, |field, report| {
        path(field, report, base_dir)
    });
    if let (Ok(file), Ok(Some(dead_letters))) = (&file, &dead_letters)
        && file == dead_letters
    {
        section.problem(&DEAD_LETTER_PATH, report, "must be another file than path");
    }
    section.close();
    let (file, dead_letters) = (file?, dead_letters?);
    Ok(Sink::File {
        dead_letter_path: dead_letters.unwrap_or_else(|| file.with_extension("dead-letter.ndjson")),
        path: file,
    })
}
