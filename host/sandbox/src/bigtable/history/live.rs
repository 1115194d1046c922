//! A history that grows on a timer, for demonstrations and for work without a network.

use std::time::Duration;

use super::grower::Bounds;
use crate::growth::Until;

/// How a live history grows.
#[derive(Clone, Debug)]
pub struct Live {
    /// Mutations a second; below 0.001 counts as 0.001.
    pub rate: f64,
    /// How often a partition splits. `None`: never.
    pub split_every: Option<Duration>,
    /// How often two partitions merge. `None`: never.
    pub merge_every: Option<Duration>,
    /// How often a boundary moves, so that partitions overlap their successors in other ways than
    /// splits and merges do. `None`: never.
    pub move_every: Option<Duration>,
    /// No split happens while there are this many partitions.
    pub partitions_max: usize,
    /// Partitions at the start.
    pub partitions_first: u32,
    /// When it stops growing; streams stay open and send heartbeats.
    pub until: Until,
    /// Different rows.
    pub rows: u64,
    /// The most entries of a mutation.
    pub entries_max: usize,
    /// Clusters at which users write.
    pub clusters: u32,
    /// How long a mutation may be under way from another cluster than the first. Give the script as
    /// long a replication delay, or low watermarks are too high.
    pub replication_delay: Duration,
    /// Now and then a value has about this many bytes.
    pub large_value_bytes: Option<usize>,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            rate: 20.0,
            split_every: Some(Duration::from_secs(3)),
            merge_every: Some(Duration::from_secs(5)),
            move_every: Some(Duration::from_secs(11)),
            partitions_max: 8,
            partitions_first: 2,
            until: Until::Forever,
            rows: 200,
            entries_max: 3,
            clusters: 1,
            replication_delay: Duration::ZERO,
            large_value_bytes: None,
        }
    }
}

impl Live {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds {
            rows: self.rows,
            entries_max: self.entries_max,
            clusters: self.clusters,
            replication_delay: self.replication_delay,
            large_value_bytes: self.large_value_bytes,
        }
    }
}
