//! The log and the topologies, and the steps that add to them in order of time.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use jiff::Timestamp;

use super::{
    builder::BuildError,
    mutation::Mutation,
    topology::{Boundaries, Topology},
};

/// A stream since its creation.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) created: Timestamp,
    pub(crate) log: Vec<Arc<Logged>>,
    /// The earliest first; there is always one.
    pub(crate) topologies: Vec<Topology>,
    /// The last commit of each row at each cluster, with its tie breaker.
    last: BTreeMap<(Bytes, String), (Timestamp, i32)>,
    /// When the last step was taken.
    latest: Timestamp,
}

/// A mutation in the log.
#[derive(Debug)]
pub(crate) struct Logged {
    pub(crate) mutation: Mutation,
    /// When it can be read: its commit, or later where it came from another cluster. The log is in
    /// this order.
    pub(crate) arrives: Timestamp,
}

impl Recorded {
    pub(crate) fn new(created: Timestamp) -> Self {
        let topology = Topology {
            at: created,
            index: 0,
            boundaries: Arc::default(),
        };
        Self {
            created,
            log: Vec::new(),
            topologies: vec![topology],
            last: BTreeMap::new(),
            latest: created,
        }
    }

    /// Moves the creation of a stream that holds nothing yet.
    pub(crate) fn begin_at(&mut self, created: Timestamp) {
        *self = Self::new(created);
    }

    pub(crate) fn committed(&self) -> Vec<Mutation> {
        let mutations = self.log.iter().map(|logged| logged.mutation.clone());
        mutations.collect()
    }

    /// The partitions' boundaries at `now`.
    pub(crate) fn boundaries(&self, now: Timestamp) -> Arc<Boundaries> {
        let current = self.until(now).last();
        current.map_or_else(Arc::default, |topology| Arc::clone(&topology.boundaries))
    }

    /// The topologies that have been at `now`.
    pub(crate) fn until(&self, now: Timestamp) -> &[Topology] {
        let count = self
            .topologies
            .partition_point(|topology| topology.at <= now);
        self.topologies.get(..count).unwrap_or_default()
    }

    /// Adds a mutation that can be read from `arrives` on.
    pub(super) fn add(&mut self, arrives: Timestamp, mutation: Mutation) -> Result<(), BuildError> {
        let commit = mutation.commit_timestamp;
        if commit.subsec_nanosecond() % 1_000 != 0 || arrives.subsec_nanosecond() % 1_000 != 0 {
            return Err(BuildError::Fraction(commit));
        }
        if mutation.row_key.is_empty() {
            return Err(BuildError::NoRow);
        }
        self.step(arrives.max(commit))?;
        let order = (commit, mutation.tie_breaker);
        match self.last.insert(written(&mutation), order) {
            Some(before) if before >= order => Err(BuildError::RowBackwards {
                row_key: mutation.row_key,
                at: commit,
            }),
            _ => {
                self.log.push(Arc::new(Logged { mutation, arrives }));
                Ok(())
            }
        }
    }

    /// The last commit of the mutation's row at its cluster, with its tie breaker.
    pub(super) fn last(&self, mutation: &Mutation) -> Option<(Timestamp, i32)> {
        self.last.get(&written(mutation)).copied()
    }

    /// Changes the boundaries. What `change` refuses is not changed.
    pub(super) fn divide(
        &mut self,
        at: Timestamp,
        change: impl FnOnce(&mut Boundaries) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        self.step(at)?;
        let mut boundaries = (*self.boundaries(at)).clone();
        change(&mut boundaries)?;
        let topology = Topology {
            at,
            index: self.log.len(),
            boundaries: Arc::new(boundaries),
        };
        self.topologies.push(topology);
        Ok(())
    }

    fn step(&mut self, at: Timestamp) -> Result<(), BuildError> {
        if at < self.latest {
            return Err(BuildError::Backwards(at));
        }
        self.latest = at;
        Ok(())
    }
}

fn written(mutation: &Mutation) -> (Bytes, String) {
    (mutation.row_key.clone(), mutation.cluster().to_owned())
}
