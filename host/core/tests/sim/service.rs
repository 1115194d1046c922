//! The change stream service: reads one partition of a history out.

use acequia_core::{Item, KeyRange, PartitionId, ReadFailure, Resume, Timestamp};
use jiff::SignedDuration;
use rand::rngs::Xoshiro256PlusPlus as Random;

use super::by_time::ByTime;
use super::by_token::ByToken;
use super::topology::Keys;
use super::world::{TICK_MS, World, instant};

/// What the server knows besides the history.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) wall: u64,
    pub(super) bound: Option<u64>,
    /// The first tick that can still be read.
    pub(super) earliest: u64,
}

/// One query.
pub(super) struct Query {
    stream: Stream,
    refused: Option<String>,
    pub(super) held: bool,
    /// Numbers given so far.
    pub(super) next_seq: u64,
}

enum Stream {
    ByTime(ByTime),
    ByToken(ByToken),
}

/// What comes next.
pub(super) enum Answer {
    /// Items; for records of the history, which.
    Items(Vec<(Item, Option<usize>)>),
    Ended,
    Failed(ReadFailure),
    Nothing,
}

impl Query {
    pub(super) fn open(
        world: &World,
        partition: &PartitionId,
        range: Option<&KeyRange>,
        from: Resume,
        clock: Clock,
        random: &mut Random,
    ) -> Result<Self, String> {
        let (stream, refused) = if world.rows {
            let (stream, refused) = ByToken::open(world, range, &from, clock, random)?;
            (Stream::ByToken(stream), refused)
        } else {
            let (stream, refused) = ByTime::open(world, partition, from, clock, random)?;
            (Stream::ByTime(stream), refused)
        };
        Ok(Self {
            stream,
            refused,
            held: false,
            next_seq: 0,
        })
    }

    /// Whether a clean end at this moment cannot be taken for one that says something.
    pub(super) fn may_end_early(&self, clock: Clock) -> bool {
        match &self.stream {
            Stream::ByTime(stream) => {
                clock.bound.is_none_or(|bound| clock.wall <= bound) && stream.may_end_early()
            }
            Stream::ByToken(_) => true,
        }
    }

    /// The keys of a row range.
    pub(super) fn keys(&self) -> Option<&Keys> {
        match &self.stream {
            Stream::ByTime(_) => None,
            Stream::ByToken(stream) => stream.keys.as_ref(),
        }
    }

    pub(super) fn next(
        &mut self,
        world: &World,
        clock: Clock,
        count: usize,
        random: &mut Random,
    ) -> Answer {
        if let Some(cause) = self.refused.take() {
            return Answer::Failed(ReadFailure::OutOfRange { cause });
        }
        match &mut self.stream {
            Stream::ByTime(stream) => stream.next(world, clock, count, random),
            Stream::ByToken(stream) => stream.next(world, clock, count, random),
        }
    }
}

/// The tick of an instant.
pub(super) fn tick_of(at: Timestamp) -> u64 {
    let since = at.as_millisecond() - instant(0).as_millisecond();
    u64::try_from(since).unwrap_or(0) / TICK_MS
}

/// The first tick that is not before an instant.
pub(super) fn first_tick_from(at: Timestamp) -> u64 {
    let before = at - SignedDuration::from_nanos(1);
    if before < instant(0) {
        return 0;
    }
    tick_of(before) + 1
}

pub(super) fn is_visible(at: u64, clock: Clock) -> bool {
    at <= clock.wall && clock.bound.is_none_or(|bound| at <= bound)
}
