//! How long changes are kept, and what that leaves of where reading would begin.

use std::time::Duration;

use acequia_core::Checkpoint;
use jiff::{SignedDuration, Timestamp};

use super::findings::Findings;
use super::{BeginSeen, RetentionSeen, Topic, WouldRead, checkpoint, text};
use crate::config::StartError;

/// A position is near its end when less than this part of the retention is left.
const HEADROOM_PART_MIN: i32 = 10;

/// How long changes are kept.
pub(super) struct Kept {
    pub(super) retention: Duration,
    /// Whether the service says so itself.
    pub(super) declared: bool,
    /// Who keeps what so long, or says so, to stand before a duration.
    pub(super) said: &'static str,
    /// How it is raised.
    pub(super) raised: &'static str,
    pub(super) now: Timestamp,
}

/// Where a run without a checkpoint begins.
pub(super) struct Fresh {
    /// The first instant that is read.
    pub(super) at: Timestamp,
    /// Why it is later than asked for, and what was asked for.
    pub(super) moved_up: Option<(String, Timestamp)>,
    /// The option that ends reading, and where.
    pub(super) end: Option<(&'static str, Timestamp)>,
}

impl Kept {
    /// Tells where a run without a checkpoint begins.
    pub(super) fn fresh(&self, fresh: Fresh, findings: &mut Findings, would_read: &mut WouldRead) {
        let Fresh { at, moved_up, end } = fresh;
        would_read.retention = Some(self.seen(Some(at)));
        would_read.begin = Some(BeginSeen::Start {
            at,
            asked: moved_up.as_ref().map(|(_, asked)| *asked),
        });
        match moved_up {
            Some((why, asked)) => findings.warning(
                Topic::Retention,
                format!(
                    "{why}: asked for {asked}, reading would begin at {at} and leave out what lies \
                     between"
                ),
                "set start-position: earliest if that is meant; what is lost can only be taken from \
                 the data itself",
            ),
            None => findings.ok(
                Topic::Retention,
                format!("reading would begin at {at}; {}", self.told()),
            ),
        }
        if let Some((option, end)) = end.filter(|(_, end)| *end < at) {
            findings.warning(
                Topic::Retention,
                format!("{option} {end} lies before the start: nothing would be read"),
                format!("move {option}, or start-position"),
            );
        }
    }

    /// Notes that a run goes on from a checkpoint, whose partition that is furthest behind is there.
    pub(super) fn saved(
        &self,
        checkpoint: &Checkpoint,
        position: Option<Timestamp>,
        would_read: &mut WouldRead,
    ) {
        would_read.begin = Some(BeginSeen::Saved {
            saved: checkpoint::seen(checkpoint),
            position,
        });
        would_read.retention = Some(self.seen(position));
    }

    /// Tells how long a saved position can still be read.
    pub(super) fn headroom(&self, at: Timestamp, findings: &mut Findings) {
        let left = at.duration_since(self.oldest_readable());
        let seen = format!(
            "reading would go on from {at}, which can be read for another {}; {}",
            text::duration(left.unsigned_abs()),
            self.told()
        );
        let whole = SignedDuration::try_from(self.retention).unwrap_or(SignedDuration::MAX);
        if left < whole / HEADROOM_PART_MIN {
            let remedy = format!("start the connector soon, or {}", self.raised);
            findings.warning(Topic::Retention, seen, remedy);
        } else {
            findings.ok(Topic::Retention, seen);
        }
    }

    /// How long changes are kept, and who says so.
    pub(super) fn told(&self) -> String {
        format!("{} {}", self.said, text::duration(self.retention))
    }

    pub(super) fn seen(&self, first: Option<Timestamp>) -> RetentionSeen {
        let oldest = self.oldest_readable();
        RetentionSeen {
            seconds: self.retention.as_secs(),
            declared: self.declared,
            oldest_readable: oldest,
            headroom_seconds: first.map(|first| first.duration_since(oldest).as_secs()),
        }
    }

    pub(super) fn oldest_readable(&self) -> Timestamp {
        self.now
            .checked_sub(self.retention)
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

/// Tells that a position is no instant to start at.
pub(super) fn no_start(error: &StartError, findings: &mut Findings) {
    findings.failure(
        Topic::Retention,
        error.to_string(),
        "set start-position to latest, earliest, or an instant that has passed",
    );
}

/// Tells that the service has dropped what would be read next, and that a run fails of it.
pub(super) fn lost(seen: &str, findings: &mut Findings) {
    findings.failure(
        Topic::Retention,
        format!("{seen}: changes after it are lost, and a run would fail"),
        "set resume-fallback to go on from another position and write a gap record first",
    );
}

/// Tells that the service has dropped what would be read next, and that a run goes on at `at`.
pub(super) fn given_up(seen: &str, at: Timestamp, findings: &mut Findings) {
    findings.warning(
        Topic::Retention,
        format!("{seen}: a run would write a gap record and go on from {at}, by resume-fallback"),
        "what is lost can only be taken from the data itself",
    );
}
