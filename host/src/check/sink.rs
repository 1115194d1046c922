//! Whether outputs can be written, and what a run would cut off before it writes.

use std::io::ErrorKind;
use std::path::Path;

use super::checkpoint::Progress;
use super::components::LINES;
use super::findings::Findings;
use super::{FileSeen, SinkSeen, Topic, WouldRead};
use crate::chain::chain;
use crate::config::{Config, Sink};
use crate::run::places::{files, unstated};
use crate::sink::{self, FileLook, SinkError, SinkState};

/// Looks at the files of the sink as a run would open them.
pub(super) fn look(
    config: &Config,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let (kind, found) = match &config.sink {
        Sink::Stdout {
            dead_letter_path: None,
        } => ("stdout", Vec::new()),
        Sink::Stdout {
            dead_letter_path: Some(path),
        } => ("stdout", each(config, progress, [path], findings)),
        Sink::File {
            path,
            dead_letter_path,
        } => {
            let found = each(config, progress, [path, dead_letter_path], findings);
            ("file", found)
        }
    };
    if let Sink::Stdout { .. } = config.sink {
        findings.ok(Topic::Sink, "standard output, one value a line");
    }
    would_read.sink = Some(SinkSeen { kind, files: found });
}

/// Each file that could be looked at.
fn each<const N: usize>(
    config: &Config,
    progress: &Progress,
    paths: [&std::path::PathBuf; N],
    findings: &mut Findings,
) -> Vec<FileSeen> {
    let paths = paths.map(std::path::PathBuf::as_path);
    let state = match progress {
        Progress::Resume(checkpoint) => Some(SinkState::new(checkpoint.sink_state.as_str())),
        Progress::Fresh => None,
        Progress::Unknown => {
            for path in paths {
                reach(path, findings);
            }
            return Vec::new();
        }
    };
    match sink::look(files().as_ref(), paths, state.as_ref(), unstated(config)) {
        Ok(looks) => {
            let each = paths.into_iter().zip(looks);
            each.filter_map(|(path, look)| seen(path, look, state.is_some(), findings))
                .collect()
        }
        Err(error) => {
            failed(&error, findings);
            Vec::new()
        }
    }
}

/// Which bytes a checkpoint stands for is not known, so nothing is said of its length.
fn reach(path: &Path, findings: &mut Findings) {
    match sink::reach(files().as_ref(), path) {
        Ok(()) => findings.ok(Topic::Sink, format!("{} can be written", path.display())),
        Err(error) => failed(&error, findings),
    }
}

fn seen(
    path: &Path,
    look: Result<FileLook, SinkError>,
    resumes: bool,
    findings: &mut Findings,
) -> Option<FileSeen> {
    let look = match look {
        Ok(look) => look,
        Err(error) => {
            failed(&error, findings);
            return None;
        }
    };
    let (said, length_bytes, would_cut_bytes) = match look {
        FileLook::Missing => ("would be created".to_owned(), None, 0),
        FileLook::There { length, cut } if cut < length => (
            format!(
                "holds {length} bytes; a run would cut off the last {}, which are past the saved \
                 checkpoint, and write them anew",
                length - cut
            ),
            Some(length),
            length - cut,
        ),
        FileLook::There { length, .. } if resumes => (
            format!("holds {length} bytes, all of them saved"),
            Some(length),
            0,
        ),
        FileLook::There { length: 0, .. } => ("is empty".to_owned(), Some(0), 0),
        FileLook::There { length, .. } => (
            format!("holds {length} bytes that no checkpoint describes; lines would follow them"),
            Some(length),
            0,
        ),
    };
    findings.ok(Topic::Sink, format!("{} {said}", path.display()));
    Some(FileSeen {
        path: path.to_owned(),
        length_bytes,
        would_cut_bytes,
    })
}

fn failed(error: &SinkError, findings: &mut Findings) {
    findings.failure(Topic::Sink, chain(error), remedy(error));
}

fn remedy(error: &SinkError) -> &'static str {
    match error {
        SinkError::Io { source, .. } => remedy_of_kind(source.kind()),
        SinkError::Locked { .. } => {
            "stop the process that writes it before this one is started, or name another path"
        }
        SinkError::SameName { .. } => "give one of the two files another name",
        SinkError::NotEmpty { .. } => {
            "move the file away, or write existing-state out to append to it"
        }
        SinkError::PartialLine { .. } => "complete the last line or remove it",
        SinkError::Shorter { .. } | SinkError::NotALineEnd { .. } => {
            "restore the file that the checkpoint was saved with, or begin anew with \
             existing-state: new and another file"
        }
        SinkError::Changed { .. } => "let only one process write the file",
        SinkError::State { .. } => {
            "name the files that the checkpoint was saved with, or begin anew with existing-state: \
             new"
        }
        SinkError::NoDeadLetters => "give sink.stdout.dead-letter-path",
        SinkError::NotOneLine { .. } | SinkError::Topic { .. } => LINES,
        SinkError::Closed | SinkError::Broken { .. } => "start again",
    }
}

fn remedy_of_kind(kind: ErrorKind) -> &'static str {
    if kind == ErrorKind::NotFound {
        "make the directory, or correct the path in the option sink"
    } else if kind == ErrorKind::ReadOnlyFilesystem {
        "name a path in the option sink that is not on a read-only file system"
    } else if kind == ErrorKind::PermissionDenied {
        "give the connector's user the right to write there"
    } else {
        "name a regular file in a directory that can be written in, in the option sink"
    }
}
