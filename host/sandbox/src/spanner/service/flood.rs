//! The messages of a flood: encoded once, then only stamped with their commit timestamps.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    clock::{Running, after},
    growth::Steady,
    spanner::{
        history::{Entry, Flood, Pace},
        wire::{Framer, Layout},
    },
};

const MICROSECOND: Duration = Duration::from_micros(1);

/// Why a flood cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FloodError {
    /// Its messages are laid out in a way that cannot be stamped.
    #[error(
        "of a flood's wire only rows_per_frame can be chosen: leave the other fields at their \
         defaults"
    )]
    Wire,
    /// The commit timestamp of the change is not found in its message as often as it should be.
    #[error("a flood's records have no commit timestamp as text: its mode must be immutable")]
    Stamp,
}

/// How a flood's partitions are served.
#[derive(Clone, Debug)]
pub(crate) enum Served {
    /// These messages, up to a last commit timestamp.
    AtOnce(Arc<[Bytes]>, Timestamp),
    /// Stamped while they are sent.
    Steady(Current),
}

impl Served {
    pub(crate) fn encode(layout: &Arc<Layout>, flood: &Flood) -> Result<Self, FloodError> {
        let stamps = Stamps::encode(layout, flood)?;
        Ok(match flood.pace {
            Pace::AtOnce { records } => {
                let (messages, last) = stamps.at_once(flood.since, records);
                Self::AtOnce(messages, last)
            }
            Pace::Steady { per_second } => Self::Steady(Current {
                pace: Steady::per_second(per_second / stamps.rest.records_f64()),
                stamps: Arc::new(stamps),
                is_first: true,
                last: flood.since,
            }),
        })
    }
}

/// The first message of a query, which tells the columns, and every other.
#[derive(Debug)]
struct Stamps {
    first: Stamp,
    rest: Stamp,
}

impl Stamps {
    fn encode(layout: &Arc<Layout>, flood: &Flood) -> Result<Self, FloodError> {
        let wire = &layout.wire;
        if wire.chunk_bytes.is_some()
            || wire.empty_frame_every.is_some()
            || wire.metadata_every.is_some()
            || wire.resume_tokens
        {
            return Err(FloodError::Wire);
        }
        let rows = wire.rows_per_frame.max(1);
        // An instant that no row has, with as many digits as any other.
        let marker = Timestamp::UNIX_EPOCH
            .checked_sub(jiff::SignedDuration::from_micros(1))
            .map_err(|_early| FloodError::Stamp)?;
        let mut change = flood.change.clone();
        change.commit_timestamp = marker;
        let entries = vec![Entry::Change(Arc::new(change)); 2 * rows];
        let messages = Framer::new(layout).frames(&entries);
        match messages.as_ref() {
            [first, rest] => Ok(Self {
                first: Stamp::find(first, marker, rows)?,
                rest: Stamp::find(rest, marker, rows)?,
            }),
            _ => Err(FloodError::Wire),
        }
    }

    fn at_once(&self, since: Timestamp, records: u32) -> (Arc<[Bytes]>, Timestamp) {
        let rows = self.rest.places.len();
        let messages = usize::try_from(records)
            .unwrap_or(usize::MAX)
            .div_ceil(rows);
        let mut at = since;
        let mut stamped = Vec::with_capacity(messages);
        for message in 0..messages {
            let stamp = if message == 0 {
                &self.first
            } else {
                &self.rest
            };
            stamped.push(stamp.with(at));
            at = after(at, stamp.span());
        }
        (stamped.into(), at)
    }
}

/// A message and where the commit timestamps of its records stand.
#[derive(Debug)]
struct Stamp {
    message: Bytes,
    places: Vec<usize>,
}

impl Stamp {
    fn find(message: &Bytes, marker: Timestamp, records: usize) -> Result<Self, FloodError> {
        let text = text(marker);
        let places: Vec<usize> = message
            .windows(text.len())
            .enumerate()
            .filter_map(|(place, window)| (window == text.as_bytes()).then_some(place))
            .collect();
        if places.len() != records {
            return Err(FloodError::Stamp);
        }
        Ok(Self {
            message: message.clone(),
            places,
        })
    }

    /// The message with its first record committed at an instant, the others a microsecond apart.
    fn with(&self, first: Timestamp) -> Bytes {
        let mut message = self.message.to_vec();
        let mut at = first;
        for &place in &self.places {
            let text = text(at);
            if let Some(span) = message.get_mut(place..place + text.len()) {
                span.copy_from_slice(text.as_bytes());
            }
            at = after(at, MICROSECOND);
        }
        message.into()
    }

    /// From the first commit timestamp of a message to that of the next.
    fn span(&self) -> Duration {
        MICROSECOND * u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }

    fn records_f64(&self) -> f64 {
        u32::try_from(self.places.len()).map_or(f64::MAX, f64::from)
    }
}

/// A partition that flows steadily.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    pace: Steady,
    stamps: Arc<Stamps>,
    is_first: bool,
    /// The commit timestamp after the last one.
    last: Timestamp,
}

impl Current {
    /// Waits for the next message and gives it with others that are due, stamped now; none past the
    /// end.
    pub(super) async fn due(
        &mut self,
        clock: &Running,
        end: Option<Timestamp>,
    ) -> Option<Arc<[Bytes]>> {
        let due = self.pace.due().await;
        let now = clock.now();
        if end.is_some_and(|end| now >= end) {
            return None;
        }
        Some((0..due).map(|_| self.stamp(now)).collect())
    }

    fn stamp(&mut self, now: Timestamp) -> Bytes {
        let stamp = if self.is_first {
            &self.stamps.first
        } else {
            &self.stamps.rest
        };
        let at = now.max(self.last);
        self.is_first = false;
        self.last = after(at, stamp.span());
        stamp.with(at)
    }
}

/// As many digits as Spanner's own timestamps have, whatever the instant.
fn text(instant: Timestamp) -> String {
    format!("{instant:.6}")
}
