//! A history for measurements: one change again and again, as fast as it is taken or at a rate.

use jiff::Timestamp;

use super::{
    History, Recorded,
    builder::BuildError,
    change::{DataChange, ValueCapture},
};
use crate::growth::Pace;

/// Partitions that hold the same change again and again. Their messages are encoded before the
/// sandbox starts, so that serving one costs little more than sending its bytes.
///
/// What is sent at once is read from its beginning: a query that starts later is refused.
/// [`History::committed`] does not list a flood's records.
#[derive(Clone, Debug)]
pub struct Flood {
    /// When the stream and its partitions begin.
    pub since: Timestamp,
    /// How many partitions there are. Their tokens are `flood-0`, `flood-1` and so on.
    pub partitions: u32,
    /// What every record is, but for the commit timestamp.
    pub change: DataChange,
    /// When the records are committed and sent.
    pub pace: Pace,
}

impl Flood {
    /// The token of a partition.
    #[must_use]
    pub fn token(partition: u32) -> String {
        format!("flood-{partition}")
    }
}

impl History {
    /// A history that is a [`Flood`].
    ///
    /// # Errors
    /// None that is known of: the tokens are our own.
    pub fn flood(flood: Flood) -> Result<Self, BuildError> {
        let mut recorded = Recorded::new(flood.since, ValueCapture::default());
        for partition in 0..flood.partitions {
            recorded.begin(&Flood::token(partition), &[], flood.since)?;
        }
        Ok(Self {
            recorded,
            growth: None,
            flood: Some(flood),
        })
    }
}
