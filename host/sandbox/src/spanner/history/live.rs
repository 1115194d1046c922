//! A history that grows on a timer, for the demo and for work without a network.

use std::time::Duration;

use super::{change::ValueCapture, grower::Bounds};
use crate::growth::Until;

/// How a live history grows.
#[derive(Clone, Debug)]
pub struct Live {
    /// Transactions a second; below 0.001 counts as 0.001.
    pub rate: f64,
    /// How often a partition splits. `None`: never.
    pub split_every: Option<Duration>,
    /// How often two partitions merge. `None`: never.
    pub merge_every: Option<Duration>,
    /// No split happens while this many partitions live.
    pub partitions_max: usize,
    /// Partitions at the start.
    pub partitions_first: u32,
    /// When it stops growing; partitions stay open and send heartbeats.
    pub until: Until,
    /// Different keys.
    pub keys: u64,
    /// The most rows that a transaction changes.
    pub rows_per_commit_max: usize,
    /// Which values are recorded.
    pub capture: ValueCapture,
    /// Whether key ranges move between partitions that live on.
    pub mutable: bool,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            rate: 20.0,
            split_every: Some(Duration::from_secs(3)),
            merge_every: Some(Duration::from_secs(5)),
            partitions_max: 8,
            partitions_first: 2,
            until: Until::Forever,
            keys: 200,
            rows_per_commit_max: 3,
            capture: ValueCapture::default(),
            mutable: false,
        }
    }
}

impl Live {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            keys: self.keys,
            rows_per_commit_max: self.rows_per_commit_max,
            large_row_bytes: None,
            mutable: self.mutable,
        }
    }
}
