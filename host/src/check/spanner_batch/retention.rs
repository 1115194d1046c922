//! For how long the instant of the snapshot can be read.

use std::time::Duration;

use acequia_core::Checkpoint;
use jiff::{SignedDuration, Timestamp};

use super::plan::Asked;
use crate::check::findings::Findings;
use crate::check::retention::Kept;
use crate::check::{BeginSeen, Topic, WouldRead, text};
use crate::config::OnExpiry;

/// A snapshot with less time than this left may not be read to its end: half of what a database keeps
/// that says nothing.
const HEADROOM_MIN: SignedDuration = SignedDuration::from_mins(30);

const RAISED: &str = "raise the database's version_retention_period (ALTER DATABASE … SET OPTIONS, up \
                      to 7d), or read faster: data-boost-enabled, max-concurrent-partitions, fewer \
                      columns";

impl Asked<'_> {
    /// Tells for how long a snapshot that begins now can be read.
    pub(super) fn headroom(
        &self,
        at: Timestamp,
        findings: &mut Findings,
        would_read: &mut WouldRead,
    ) {
        would_read.begin = Some(BeginSeen::Start { at, asked: None });
        would_read.retention = Some(self.kept().seen(Some(at)));
        self.tell(at, "the snapshot would be of", findings);
    }

    /// The instant of a saved snapshot; none where all of it is read, or where it has expired.
    pub(super) fn saved(
        &self,
        checkpoint: &Checkpoint,
        findings: &mut Findings,
        would_read: &mut WouldRead,
    ) -> Option<Timestamp> {
        let partitions = checkpoint.partitions.values();
        let at = partitions.map(|partition| partition.position.at).min();
        let kept = self.kept();
        kept.saved(checkpoint, at, would_read);
        match at {
            None => findings.ok(
                Topic::Retention,
                "every row of the saved snapshot is read: a run would have nothing to do; \
                 existing-state: new reads another",
            ),
            Some(at) if at < kept.oldest_readable() => {
                self.expired(at, findings);
                return None;
            }
            Some(at) => self.tell(at, "reading would go on with the snapshot of", findings),
        }
        at
    }

    fn tell(&self, at: Timestamp, begins: &str, findings: &mut Findings) {
        let kept = self.kept();
        let left = at.duration_since(kept.oldest_readable());
        let shown = text::duration(Duration::try_from(left).unwrap_or_default());
        let seen = format!(
            "{begins} {at}, which can be read for another {shown}; {}",
            kept.told()
        );
        if left < HEADROOM_MIN {
            findings.warning(Topic::Retention, seen, RAISED);
        } else {
            findings.ok(Topic::Retention, seen);
        }
    }

    fn expired(&self, at: Timestamp, findings: &mut Findings) {
        let seen = format!(
            "the saved snapshot of {at} has expired before all of it was read; {}",
            self.kept().told()
        );
        match self.batch.on_expiry {
            OnExpiry::Fail => findings.failure(
                Topic::Retention,
                format!("{seen}: a run would fail"),
                format!(
                    "set on-expiry: begin-anew to read everything at another instant; {RAISED}"
                ),
            ),
            OnExpiry::BeginAnew => findings.warning(
                Topic::Retention,
                format!("{seen}: a run would read everything anew, by on-expiry"),
                RAISED,
            ),
        }
    }

    fn kept(&self) -> Kept {
        Kept {
            retention: self.described.kept,
            declared: true,
            said: "the database keeps versions for",
            raised: RAISED,
            now: self.now,
        }
    }
}
