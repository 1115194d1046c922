//! How many bytes are probably still to be read.
//!
//! Source: Beam's `ReadChangeStream`: what a partition gives in a second, times how far its watermark
//! is behind, less what replication always holds it back.

use std::collections::BTreeMap;
use std::time::Duration;

use acequia_core::PartitionId;

/// The bytes of each partition since it was first read here.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    read: BTreeMap<PartitionId, Read>,
}

#[derive(Clone, Copy, Debug)]
struct Read {
    bytes: u64,
    since: Duration,
}

impl Backlog {
    /// A partition gave some bytes.
    pub(super) fn take(&mut self, id: &PartitionId, bytes: u64, now: Duration) {
        if let Some(read) = self.read.get_mut(id) {
            read.bytes = read.bytes.saturating_add(bytes);
        } else {
            self.read.insert(id.clone(), Read { bytes, since: now });
        }
    }

    /// Partitions that are finished are forgotten, once they are more than those that are not.
    pub(super) fn forget(&mut self, unfinished: u64, lives: impl Fn(&PartitionId) -> bool) {
        let known = u64::try_from(self.read.len()).unwrap_or(u64::MAX);
        if known > unfinished.saturating_mul(2) {
            self.read.retain(|id, _| lives(id));
        }
    }

    /// The bytes that a partition with this lag has probably left; none where nothing was read of it.
    pub(super) fn bytes(
        &self,
        id: &PartitionId,
        lag: Duration,
        adjustment: Duration,
        now: Duration,
    ) -> Option<u64> {
        let read = self.read.get(id)?;
        let elapsed = now.saturating_sub(read.since).max(Duration::from_millis(1));
        let behind = lag.saturating_sub(adjustment).as_millis();
        let bytes = u128::from(read.bytes).saturating_mul(behind) / elapsed.as_millis();
        Some(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADJUSTMENT: Duration = Duration::from_secs(30);

    /// A partition that gave 1000 bytes a second.
    fn backlog(lag: Duration) -> Option<u64> {
        let (id, mut backlog) = (PartitionId::new("p"), Backlog::default());
        backlog.take(&id, 4_000, Duration::from_secs(1));
        backlog.take(&id, 6_000, Duration::from_secs(5));
        backlog.bytes(&id, lag, ADJUSTMENT, Duration::from_secs(11))
    }

    /// Source: Beam's ReadChangeStreamPartitionDoFnTest.
    #[test]
    fn the_backlog_is_throughput_times_the_lag_past_the_adjustment() {
        assert_eq!(backlog(Duration::from_secs(10)), Some(0));
        assert_eq!(backlog(Duration::from_secs(60)), Some(30_000));
        assert_eq!(backlog(Duration::ZERO), Some(0));
    }

    #[test]
    fn nothing_is_said_of_a_partition_that_gave_nothing() {
        let backlog = Backlog::default();
        let (lag, now) = (Duration::from_secs(60), Duration::from_secs(1));
        assert_eq!(
            backlog.bytes(&PartitionId::new("p"), lag, ADJUSTMENT, now),
            None
        );
    }
}
