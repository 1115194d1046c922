//! How the key space is divided into partitions, and when that changes.

use std::{collections::BTreeSet, sync::Arc};

use bytes::Bytes;
use jiff::Timestamp;

use super::KeyRange;

/// The keys at which one partition ends and the next begins. Together the partitions are every key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Boundaries(BTreeSet<Bytes>);

impl Boundaries {
    /// Whether there was no boundary at `key`; the empty key never is one.
    pub(super) fn add(&mut self, key: Bytes) -> bool {
        !key.is_empty() && self.0.insert(key)
    }

    /// Whether there was a boundary at `key`.
    pub(super) fn remove(&mut self, key: &[u8]) -> bool {
        self.0.remove(key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Bytes> {
        self.0.iter()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len() + 1
    }

    /// The partitions, in the order of their keys.
    pub(crate) fn partitions(&self) -> Vec<KeyRange> {
        let starts = std::iter::once(Bytes::new()).chain(self.0.iter().cloned());
        let ends = self.0.iter().cloned().chain(std::iter::once(Bytes::new()));
        starts
            .zip(ends)
            .map(|(start, end)| KeyRange { start, end })
            .collect()
    }

    /// The partitions that have keys in common with `range`.
    pub(crate) fn overlapping(&self, range: &KeyRange) -> Vec<KeyRange> {
        let mut partitions = self.partitions();
        partitions.retain(|partition| partition.intersection(range).is_some());
        partitions
    }

    /// Whether `range` is exactly one partition.
    pub(crate) fn fit(&self, range: &KeyRange) -> bool {
        let is_boundary = |key: &Bytes| key.is_empty() || self.0.contains(key);
        let mut within = self.0.range(range.start.clone()..);
        let next = within.find(|key| **key > range.start);
        is_boundary(&range.start) && next.cloned().unwrap_or_default() == range.end
    }
}

/// The boundaries from an instant on.
#[derive(Clone, Debug)]
pub(crate) struct Topology {
    pub(crate) at: Timestamp,
    /// How many mutations the log held then.
    pub(crate) index: usize,
    pub(crate) boundaries: Arc<Boundaries>,
}

/// Whether a range is a partition now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Fits,
    /// It is not, since this change of the topology, before which the log held `index` mutations.
    Misaligned {
        since: usize,
        index: usize,
    },
}

/// How `range` fits the last of `topologies`, the earliest first.
pub(crate) fn fit(topologies: &[Topology], range: &KeyRange) -> Fit {
    let misfits = topologies
        .iter()
        .enumerate()
        .rev()
        .take_while(|(_, topology)| !topology.boundaries.fit(range));
    match misfits.last() {
        Some((since, topology)) => Fit::Misaligned {
            since,
            index: topology.index,
        },
        None => Fit::Fits,
    }
}

#[cfg(test)]
mod tests {
    use super::{Boundaries, KeyRange};

    #[test]
    fn partitions_tile_the_key_space_and_only_they_fit() {
        let mut boundaries = Boundaries::default();
        assert!(boundaries.fit(&KeyRange::whole()));
        assert!(boundaries.add("m".into()) && boundaries.add("c".into()));
        assert!(!boundaries.add("c".into()), "it is there already");
        let partitions = boundaries.partitions();
        assert_eq!(
            partitions,
            [
                KeyRange::new("", "c"),
                KeyRange::new("c", "m"),
                KeyRange::new("m", "")
            ]
        );
        assert!(partitions.iter().all(|partition| boundaries.fit(partition)));
        for (start, end) in [("", "m"), ("c", ""), ("d", "m"), ("c", "d"), ("", "")] {
            assert!(
                !boundaries.fit(&KeyRange::new(start, end)),
                "{start}..{end}"
            );
        }
        let overlapping = boundaries.overlapping(&KeyRange::new("b", "c"));
        assert_eq!(overlapping, [KeyRange::new("", "c")]);
    }
}
