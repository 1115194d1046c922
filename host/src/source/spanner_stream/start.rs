//! Where a fresh run begins.

use std::fmt;

use acequia_core::Timestamp;

use super::{OpenError, retention};
use crate::config::{SpannerChangeStream, StartPosition};
use crate::spanner::Client;
use crate::spanner::discovery::{self, Described};

/// Where reading begins.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Start {
    /// The first instant that is read.
    pub(crate) at: Timestamp,
    /// Why it is later than asked for; none where it is what was asked for, as `earliest` always is.
    pub(crate) moved_up: Option<MovedUp>,
}

/// Why a start is later than asked for. What lies between is not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MovedUp {
    /// What was asked for has expired.
    Expired {
        /// What was asked for.
        asked: Timestamp,
    },
    /// The stream is younger than its retention, or its retention was lowered before.
    Unreadable {
        /// What was asked for.
        asked: Timestamp,
    },
}

impl MovedUp {
    /// What was asked for.
    pub(crate) fn asked(self) -> Timestamp {
        match self {
            Self::Expired { asked } | Self::Unreadable { asked } => asked,
        }
    }
}

impl fmt::Display for MovedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Expired { .. } => "the start is older than the retention",
            Self::Unreadable { .. } => "the stream cannot be read that early",
        })
    }
}

/// Resolves a position.
///
/// # Errors
///
/// It lies in the future, or the database cannot say what can be read.
pub(crate) async fn resolve(
    client: &Client,
    described: &Described,
    config: &SpannerChangeStream,
    position: StartPosition,
    now: Timestamp,
) -> Result<Start, OpenError> {
    let earliest = now
        .checked_sub(retention(described, config))
        .unwrap_or(Timestamp::UNIX_EPOCH);
    let resolved = position.resolve(now, earliest)?;
    let asked = resolved.moved_up;
    let expired = asked.map(|asked| MovedUp::Expired { asked });
    if matches!(position, StartPosition::Latest) {
        return Ok(Start {
            at: resolved.at,
            moved_up: expired,
        });
    }
    // A stream that is younger than its retention can be read only from its creation on.
    let stream = &config.change_stream;
    let readable =
        discovery::earliest_readable(client, described, stream, resolved.at, now).await?;
    let is_later = readable > resolved.at && position != StartPosition::Earliest;
    let unreadable = is_later.then_some(MovedUp::Unreadable {
        asked: asked.unwrap_or(resolved.at),
    });
    Ok(Start {
        at: readable,
        moved_up: unreadable.or(expired),
    })
}
