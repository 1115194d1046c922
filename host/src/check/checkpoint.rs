//! Where progress is kept, and whether what is saved there can be gone on from.

use std::path::Path;

use acequia_core::Checkpoint;

use super::findings::Findings;
use super::{CheckpointSeen, SavedSeen, Topic, WouldRead};
use crate::chain::chain;
use crate::checkpoint_store::{self, Look, StoreError, Stored};
use crate::config::{CheckpointStore, Config};
use crate::run::BeginError;
use crate::run::begin::{self, Begin};
use crate::run::places::{DESERIALIZER, files, identity};

/// How a run would begin.
pub(super) enum Progress {
    /// It goes on from a checkpoint.
    Resume(Box<Checkpoint>),
    /// It begins at the start position.
    Fresh,
    /// Something is wrong, and has been told.
    Unknown,
}

/// Looks at the store as a run would open it. `deserializer` is its own name, if it could be loaded.
pub(super) fn look(
    config: &Config,
    deserializer: Option<&str>,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) -> Progress {
    let CheckpointStore::File { directory } = &config.checkpoint else {
        findings.ok(
            Topic::Checkpoint,
            "none is kept: every run begins at start-position",
        );
        would_read.checkpoint = Some(CheckpointSeen {
            directory: None,
            holder: None,
            saved: None,
        });
        return Progress::Fresh;
    };
    let Look {
        holder,
        writable,
        stored,
    } = checkpoint_store::look(files().as_ref(), directory);
    let saved = stored.as_ref().ok().and_then(Option::as_ref);
    would_read.checkpoint = Some(CheckpointSeen {
        directory: Some(directory.clone()),
        holder: holder.clone(),
        saved: saved.and_then(|saved| Some(seen(&Checkpoint::decode(&saved.bytes).ok()?))),
    });
    if let Some(holder) = holder {
        let directory = directory.clone();
        failed(&StoreError::Locked { directory, holder }, findings);
    }
    if let Err(error) = &writable {
        failed(error, findings);
    }
    let stored = match stored {
        Ok(stored) => stored,
        Err(error) => {
            failed(&error, findings);
            return Progress::Unknown;
        }
    };
    decide(config, deserializer, directory, stored.as_ref(), findings)
}

fn decide(
    config: &Config,
    deserializer: Option<&str>,
    directory: &Path,
    stored: Option<&Stored>,
    findings: &mut Findings,
) -> Progress {
    let saved = stored.and_then(|stored| Checkpoint::decode(&stored.bytes).ok());
    // A deserializer that could not be loaded is told elsewhere, and is not another one.
    let of_saved = saved
        .as_ref()
        .and_then(|saved| saved.identity.get(DESERIALIZER));
    let name = deserializer
        .or(of_saved.map(String::as_str))
        .unwrap_or_default();
    match begin::decide(stored, config, identity(config, name)) {
        Ok(Begin::Resume(checkpoint)) => {
            findings.ok(
                Topic::Checkpoint,
                format!("{}: {}", directory.display(), told(&seen(&checkpoint))),
            );
            Progress::Resume(checkpoint)
        }
        Ok(Begin::Fresh { .. }) => {
            fresh(directory, saved.as_ref(), findings);
            Progress::Fresh
        }
        Err(error) => {
            let seen = format!("{}: {}", directory.display(), chain(&error));
            findings.failure(Topic::Checkpoint, seen, remedy_of_begin(&error, config));
            Progress::Unknown
        }
    }
}

fn fresh(directory: &Path, saved: Option<&Checkpoint>, findings: &mut Findings) {
    let directory = directory.display();
    match saved {
        None => findings.ok(
            Topic::Checkpoint,
            format!("{directory}: nothing is saved yet"),
        ),
        Some(saved) => findings.warning(
            Topic::Checkpoint,
            format!(
                "{directory}: existing-state is new, so what is saved would be thrown away: {}",
                told(&seen(saved))
            ),
            "set existing-state: resume-or-new to go on from it",
        ),
    }
}

/// A checkpoint, as it is told.
pub(super) fn seen(checkpoint: &Checkpoint) -> SavedSeen {
    // A row range that is read up to the end stays, for a later one.
    let unfinished = checkpoint.partitions.values();
    let unfinished = unfinished.filter(|partition| partition.read_to.is_none());
    SavedSeen {
        generation: checkpoint.generation.get(),
        watermark: checkpoint.watermark,
        partitions: unfinished.count(),
    }
}

fn told(saved: &SavedSeen) -> String {
    let SavedSeen {
        generation,
        watermark,
        partitions,
    } = saved;
    format!(
        "generation {generation}, watermark {watermark}, {partitions} partitions that are not \
         finished"
    )
}

fn failed(error: &StoreError, findings: &mut Findings) {
    findings.failure(Topic::Checkpoint, chain(error), remedy_of_store(error));
}

fn remedy_of_store(error: &StoreError) -> &'static str {
    match error {
        StoreError::Io { .. } => {
            "name a directory in checkpoint.directory that the connector's user may make and write"
        }
        StoreError::Locked { .. } => {
            "stop that process before this one is started, or give each its own \
             checkpoint.directory"
        }
        StoreError::Damaged { .. } => {
            "restore the file from a copy, or move it away and set existing-state: new"
        }
        StoreError::Newer { .. } => "use the version of this program that wrote it, or a later one",
        StoreError::Foreign { .. } => {
            "name another directory in checkpoint.directory, or move that file away"
        }
        StoreError::Fenced { .. } | StoreError::Stale { .. } => {
            "let only one process use the directory"
        }
    }
}

fn remedy_of_begin(error: &BeginError, config: &Config) -> String {
    let remedy = match error {
        BeginError::Store(error) => remedy_of_store(error),
        BeginError::Checkpoint(_) => {
            "use the version of this program that wrote it, or set existing-state: new to begin anew"
        }
        BeginError::Missing => "set existing-state: resume-or-new if this is the first run",
        BeginError::Exists { .. } => {
            "set existing-state: resume-or-new to go on from it, or new to throw it away"
        }
        BeginError::Mismatch { .. } => {
            return format!(
                "name another checkpoint.directory for {}, or set existing-state: new to throw the \
                 state away",
                config.meta.name
            );
        }
        BeginError::EndMoved { .. } => "finish with the saved end-position first, then move it",
    };
    remedy.to_owned()
}
