//! Where reading would begin, and whether that can be read and for how long.
//!
//! A start is not tried: a table says how long it keeps changes, not since when, and one that is
//! younger than that refuses the first reads of a run.

use acequia_core::{Checkpoint, SavedPartition};
use jiff::Timestamp;

use crate::bigtable::discovery::Described;
use crate::check::checkpoint::Progress;
use crate::check::findings::Findings;
use crate::check::retention::{Fresh, Kept, given_up, lost, no_start};
use crate::check::{Topic, WouldRead};
use crate::config::{BigtableChangeStream, StartPosition};
use crate::source::bigtable_stream::{RETENTION_MAX, resolve};

/// How long the table keeps changes; none where that should be known, and is not.
pub(super) fn kept(stream: &BigtableChangeStream, described: Option<&Described>) -> Option<Kept> {
    let (retention, declared, said) = match described {
        Some(described) => (described.retention, true, "the table keeps its changes"),
        None if stream.without_validation => {
            (RETENTION_MAX, false, "a table keeps its changes at most")
        }
        None => return None,
    };
    Some(Kept {
        retention,
        declared,
        said,
        raised: "raise the change stream's retention period",
        now: Timestamp::now(),
    })
}

/// Tells where reading begins.
pub(super) fn look(
    stream: &BigtableChangeStream,
    kept: &Kept,
    progress: &Progress,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    match progress {
        Progress::Resume(checkpoint) => saved(stream, kept, checkpoint, findings, would_read),
        Progress::Fresh => fresh(stream, kept, findings, would_read),
        // What is wrong with it has been told.
        Progress::Unknown => would_read.retention = Some(kept.seen(None)),
    }
}

fn fresh(
    stream: &BigtableChangeStream,
    kept: &Kept,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    match resolve(stream.start, kept.retention, kept.now) {
        Ok(resolved) => {
            let why = || "the start is older than the retention".to_owned();
            let end = stream.bounded_timestamp;
            let fresh = Fresh {
                at: resolved.at,
                moved_up: resolved.moved_up.map(|asked| (why(), asked)),
                end: end.map(|end| ("bounded-timestamp", end)),
            };
            kept.fresh(fresh, findings, would_read);
        }
        Err(error) => no_start(&error, findings),
    }
}

fn saved(
    stream: &BigtableChangeStream,
    kept: &Kept,
    checkpoint: &Checkpoint,
    findings: &mut Findings,
    would_read: &mut WouldRead,
) {
    let partitions = checkpoint.partitions.values();
    let unread = partitions.filter(|partition| !is_read(partition, stream.bounded_timestamp));
    let positions: Vec<Timestamp> = unread.map(|partition| partition.position.at).collect();
    let oldest = positions.iter().min().copied();
    kept.saved(checkpoint, oldest, would_read);
    let Some(oldest) = oldest else {
        let seen = "everything up to bounded-timestamp is read";
        return findings.ok(Topic::Retention, seen);
    };
    let readable = kept.oldest_readable();
    let expired = positions.iter().filter(|at| **at < readable).count();
    if expired == 0 {
        return kept.headroom(oldest, findings);
    }
    let seen = format!(
        "{expired} of {} saved positions have expired, of which {oldest} is the oldest; {}",
        positions.len(),
        kept.told()
    );
    match stream.resume_fallback {
        None => lost(&seen, findings),
        Some(fallback) => fall_back(fallback, kept, &seen, findings),
    }
}

fn fall_back(fallback: StartPosition, kept: &Kept, seen: &str, findings: &mut Findings) {
    match resolve(fallback, kept.retention, kept.now) {
        Ok(resolved) => given_up(seen, resolved.at, findings),
        Err(error) => no_start(&error, findings),
    }
}

/// Whether a range is read up to the end. It stays in the checkpoint for a later one.
fn is_read(partition: &SavedPartition, end: Option<Timestamp>) -> bool {
    end.is_some() && partition.read_to >= end
}
