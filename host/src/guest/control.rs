//! What happened to the stream itself, for a deserializer.

use super::bindings::acequia::connector::types;

/// What happened to the stream itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// An interval was lost.
    Gap(Gap),
    /// A snapshot began anew.
    SnapshotRestart(SnapshotRestart),
}

/// An interval of commit time whose changes were not read and will not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The id of this control record.
    pub id: String,
    /// The last position that was read, RFC 3339 with a `Z`.
    pub lost_from: String,
    /// Where reading goes on, RFC 3339 with a `Z`.
    pub resumed_at: String,
    /// Why the interval is lost.
    pub reason: String,
}

/// A snapshot that began anew: what came of it before comes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotRestart {
    /// The id of this control record.
    pub id: String,
    /// The instant that was read until then, RFC 3339 with a `Z`.
    pub abandoned_at: String,
    /// The instant that is read from now on, RFC 3339 with a `Z`.
    pub restarted_at: String,
    /// Why.
    pub reason: String,
}

impl Control {
    /// The id of the control record.
    pub fn id(&self) -> &str {
        match self {
            Self::Gap(gap) => &gap.id,
            Self::SnapshotRestart(restart) => &restart.id,
        }
    }

    pub(super) fn param(&self) -> types::Control<'_> {
        match self {
            Self::Gap(gap) => types::Control::Gap(types::Gap {
                id: &gap.id,
                lost_from: &gap.lost_from,
                resumed_at: &gap.resumed_at,
                reason: &gap.reason,
            }),
            Self::SnapshotRestart(restart) => {
                types::Control::SnapshotRestart(types::SnapshotRestart {
                    id: &restart.id,
                    abandoned_at: &restart.abandoned_at,
                    restarted_at: &restart.restarted_at,
                    reason: &restart.reason,
                })
            }
        }
    }
}
