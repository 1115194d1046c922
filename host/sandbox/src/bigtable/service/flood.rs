//! The messages of a flood: encoded once, then only stamped with what differs.

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    bigtable::{
        history::{Flood, KeyRange, Pace},
        position::Position,
        script::Wire,
        wire::{self, Ending},
    },
    clock::Running,
    growth::Steady,
};

/// The most messages that are stamped before the first of them is sent.
const STAMPED_AT_ONCE_MAX: usize = 64;

/// What a flood still has for one reader.
#[derive(Debug)]
pub(super) struct Flow {
    flood: Arc<Flood>,
    range: KeyRange,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// So many, of this stamp.
    AtOnce(Stamp, usize),
    Steady(Steady),
}

impl Flow {
    /// The flow of a range; `None` where its message cannot be stamped, which is never.
    pub(super) fn new(flood: &Arc<Flood>, range: &KeyRange) -> Option<Self> {
        let source = match flood.pace {
            Pace::AtOnce { records } => {
                let records = usize::try_from(records).unwrap_or(usize::MAX);
                Source::AtOnce(Stamp::encode(flood, range)?, records)
            }
            Pace::Steady { per_second } => Source::Steady(Steady::per_second(per_second)),
        };
        Some(Self {
            flood: Arc::clone(flood),
            range: range.clone(),
            source,
        })
    }

    /// The next messages from the position on, which passes them; none past the end.
    pub(super) async fn next(
        &mut self,
        position: &mut Position,
        clock: &Running,
        end: Option<Timestamp>,
    ) -> Vec<Bytes> {
        let within = |at: &Timestamp| end.is_none_or(|end| *at <= end);
        let first = position.cursor();
        match &mut self.source {
            Source::AtOnce(stamp, records) => {
                let last = (*records).min(first.saturating_add(STAMPED_AT_ONCE_MAX));
                let commits = (first..last).map(|index| Flood::commit(self.flood.since, index));
                let stamped = commits
                    .take_while(within)
                    .map(|at| stamp.with(position, at));
                stamped.collect()
            }
            Source::Steady(steady) => {
                let due = steady.due().await;
                let at = clock.now();
                let (flood, range) = (&self.flood, &self.range);
                let fresh = (0..due).map(|_| message(flood, range, position, at));
                if within(&at) {
                    fresh.flatten().collect()
                } else {
                    Vec::new()
                }
            }
        }
    }
}

/// The message of the next mutation, committed at an instant, with the position after it.
fn message(
    flood: &Flood,
    range: &KeyRange,
    position: &mut Position,
    at: Timestamp,
) -> Option<Bytes> {
    position.pass(position.cursor() + 1, at);
    let ending = Ending {
        token: position.to_token(),
        watermark: at,
    };
    let messages = wire::messages(&Wire::default(), &flood.of(range, at), ending);
    messages.into_iter().next()
}

/// A message, and where its commit timestamp, its watermark and its token stand.
#[derive(Debug)]
struct Stamp {
    message: Bytes,
    instants: Vec<usize>,
    token: usize,
}

impl Stamp {
    fn encode(flood: &Flood, range: &KeyRange) -> Option<Self> {
        let marker = Flood::commit(flood.since, 0);
        let mut position = Position::new(range.clone(), 0, marker);
        let message = message(flood, range, &mut position, marker)?;
        let token = *places(&message, position.to_token().as_bytes()).first()?;
        let instants = places(&message, &wire::encoded(marker));
        let is_plain = instants.len() == 2;
        is_plain.then_some(Self {
            message,
            instants,
            token,
        })
    }

    /// The message of the next mutation, as [`message`] makes it.
    fn with(&self, position: &mut Position, at: Timestamp) -> Bytes {
        position.pass(position.cursor() + 1, at);
        let mut message = self.message.to_vec();
        let mut put = |place: usize, bytes: &[u8]| {
            if let Some(span) = message.get_mut(place..place + bytes.len()) {
                span.copy_from_slice(bytes);
            }
        };
        let instant = wire::encoded(at);
        self.instants.iter().for_each(|place| put(*place, &instant));
        put(self.token, position.to_token().as_bytes());
        message.into()
    }
}

fn places(message: &[u8], wanted: &[u8]) -> Vec<usize> {
    let windows = message.windows(wanted.len()).enumerate();
    windows
        .filter_map(|(place, window)| (window == wanted).then_some(place))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Flood, KeyRange, Pace, Position, Stamp, message};
    use crate::bigtable::history::{Entry, Mutation, Source};

    #[test]
    fn a_stamped_message_is_the_one_that_would_have_been_encoded() {
        let since = "2026-03-01T10:00:00Z".parse().unwrap();
        let flood = Flood {
            since,
            partitions: 3,
            mutation: Mutation {
                row_key: "row".into(),
                commit_timestamp: since,
                tie_breaker: 0,
                source: Source::User("cluster-1".to_owned()),
                entries: vec![Entry::set("f", "q", 0, vec![7; 1000])],
            },
            pace: Pace::AtOnce { records: 1 },
        };
        for range in flood.partitions() {
            let stamp = Stamp::encode(&flood, &range).unwrap();
            for index in [0, 1, 699_999, 700_000, 12_345_678] {
                let at = Flood::commit(since, index);
                let mut stamped = Position::new(range.clone(), index, since);
                let mut encoded = stamped.clone();
                assert_eq!(
                    Some(stamp.with(&mut stamped, at)),
                    message(&flood, &range, &mut encoded, at),
                    "{index}"
                );
                assert_eq!(stamped, encoded);
            }
        }
        let whole = KeyRange::whole();
        let one = Flood {
            partitions: 1,
            ..flood
        };
        assert_eq!(one.partitions(), [whole]);
    }
}
