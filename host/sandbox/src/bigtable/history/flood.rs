//! A history for measurements: one mutation again and again, as fast as it is taken or at a rate.

use bytes::Bytes;
use jiff::Timestamp;

use super::{History, KeyRange, Mutation, Recorded, builder::BuildError};
use crate::growth::Pace;

/// Partitions that hold the same mutation again and again, but for what differs from one to the next:
/// row key, commit timestamp and token. What is sent at once is encoded before the sandbox starts and
/// only stamped, so that serving it costs little more than sending its bytes; it is read from its
/// beginning or from a token, and laid out plainly, whatever the script's wire.
///
/// [`History::committed`] does not list a flood's mutations.
#[derive(Clone, Debug)]
pub struct Flood {
    /// When the stream and its partitions begin; a whole second.
    pub since: Timestamp,
    /// How many partitions there are; at most 65,536.
    pub partitions: u32,
    /// What every mutation is. The row key of a partition's mutations is the partition's start, of
    /// two bytes, and this one's.
    pub mutation: Mutation,
    /// When the mutations are committed and sent.
    pub pace: Pace,
}

/// So many mutations of a flood are committed in a second, a microsecond apart, the first when so much
/// of it is over: their timestamps are then equally long on the wire.
const PER_SECOND: i64 = 700_000;
const BEGINNING_MICROS: i64 = 300_000;

/// Stands for the start of the first partition, which has none.
const FIRST_START: [u8; 2] = [0, 0];

impl Flood {
    /// The partitions, in the order of their keys.
    #[must_use]
    pub fn partitions(&self) -> Vec<KeyRange> {
        let mut starts = vec![Bytes::new()];
        starts.extend(self.boundaries());
        let ends = starts.iter().skip(1).cloned().chain([Bytes::new()]);
        let ranges = starts.iter().cloned().zip(ends);
        ranges.map(|(start, end)| KeyRange { start, end }).collect()
    }

    fn boundaries(&self) -> impl Iterator<Item = Bytes> + use<> {
        let count = self.partitions.clamp(1, 1 << 16);
        (1..count).map(move |index| {
            let place = u16::try_from(index * (1 << 16) / count).unwrap_or(u16::MAX);
            Bytes::copy_from_slice(&place.to_be_bytes())
        })
    }

    /// The commit timestamp of a mutation that is sent at once.
    pub(crate) fn commit(since: Timestamp, index: usize) -> Timestamp {
        let index = i64::try_from(index).unwrap_or(i64::MAX);
        let micros = BEGINNING_MICROS + index % PER_SECOND;
        let at = since.as_microsecond() + index / PER_SECOND * 1_000_000 + micros;
        Timestamp::from_microsecond(at).unwrap_or(Timestamp::MAX)
    }

    /// The mutation of a partition.
    pub(crate) fn of(&self, partition: &KeyRange, commit_timestamp: Timestamp) -> Mutation {
        let start = if partition.start.is_empty() {
            &FIRST_START[..]
        } else {
            &partition.start
        };
        let row_key = [start, &self.mutation.row_key].concat();
        Mutation {
            row_key: row_key.into(),
            commit_timestamp,
            ..self.mutation.clone()
        }
    }
}

impl History {
    /// A history that is a [`Flood`].
    ///
    /// # Errors
    /// When the mutation has no row key or the beginning is no whole second.
    pub fn flood(flood: Flood) -> Result<Self, BuildError> {
        if flood.since.subsec_nanosecond() != 0 {
            return Err(BuildError::Fraction(flood.since));
        }
        if flood.mutation.row_key.is_empty() {
            return Err(BuildError::NoRow);
        }
        let mut recorded = Recorded::new(flood.since);
        for key in flood.boundaries() {
            recorded.divide(flood.since, |boundaries| boundaries.split(key))?;
        }
        Ok(Self {
            flood: Some(flood),
            ..Self::of(recorded)
        })
    }
}
