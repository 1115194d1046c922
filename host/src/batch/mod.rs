//! A batch of records, whatever they were read from.
//!
//! Pipeline, guests, recordings and dead letters pass batches on without looking inside; what differs
//! from source to source is asked for here, or matched on where a source's own columns are needed.

mod bigtable;
mod columns;
mod spanner;

use acequia_decode::Texts;
use acequia_decode::bigtable::MutationBatch;
use acequia_decode::spanner::ChangeBatch;

/// What records are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// A change stream of a Cloud Spanner database.
    Spanner,
    /// The change stream of a Bigtable table.
    Bigtable,
}

impl Service {
    /// What the operator calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spanner => "Spanner",
            Self::Bigtable => "Bigtable",
        }
    }
}

/// Records of one partition, in columns.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "batches travel in a box, and a process has those of one service"
)]
pub enum Batch {
    /// Data change records.
    Spanner(ChangeBatch),
    /// Row mutations.
    Bigtable(MutationBatch),
}

impl Batch {
    /// What the records are read from.
    #[must_use]
    pub fn service(&self) -> Service {
        match self {
            Self::Spanner(_) => Service::Spanner,
            Self::Bigtable(_) => Service::Bigtable,
        }
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        match self {
            Self::Spanner(batch) => batch.records(),
            Self::Bigtable(batch) => batch.mutations(),
        }
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records() == 0
    }

    /// Bytes that the columns take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Spanner(batch) => batch.bytes(),
            Self::Bigtable(batch) => batch.bytes(),
        }
    }

    /// The id of each record.
    #[must_use]
    pub fn ids(&self) -> &Texts {
        match self {
            Self::Spanner(batch) => &batch.ids,
            Self::Bigtable(batch) => &batch.ids,
        }
    }

    /// The commit timestamp of each record.
    #[must_use]
    pub fn commit_timestamps(&self) -> &Texts {
        match self {
            Self::Spanner(batch) => &batch.commit_timestamps,
            Self::Bigtable(batch) => &batch.commit_timestamps,
        }
    }

    /// A copy of the records at `indices`, in that order. An index past the batch is left out.
    #[must_use]
    pub fn select(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        match self {
            Self::Spanner(batch) => Self::Spanner(spanner::select(batch, indices)),
            Self::Bigtable(batch) => Self::Bigtable(bigtable::select(batch, indices)),
        }
    }
}

impl From<ChangeBatch> for Batch {
    fn from(batch: ChangeBatch) -> Self {
        Self::Spanner(batch)
    }
}

impl From<MutationBatch> for Batch {
    fn from(batch: MutationBatch) -> Self {
        Self::Bigtable(batch)
    }
}
