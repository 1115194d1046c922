//! A batch of records, whatever they were read from.
//!
//! Pipeline, guests, recordings and dead letters pass batches on without looking inside; what differs
//! from source to source is asked for here, or matched on where a source's own columns are needed.

mod bigtable;
mod columns;
mod spanner;

use acequia_decode::Texts;
use acequia_decode::bigtable::MutationBatch;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::ChangeBatch;

/// What records look like: the interface of `wit/` whose batches they make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Data change records of Cloud Spanner.
    Spanner,
    /// Row mutations of Bigtable.
    Bigtable,
    /// Rows of a table or of a query.
    Rows,
}

impl Shape {
    /// What the operator calls such records.
    #[must_use]
    pub fn records(self) -> &'static str {
        match self {
            Self::Spanner => "change records of Spanner",
            Self::Bigtable => "mutations of Bigtable",
            Self::Rows => "rows",
        }
    }
}

/// Records of one partition, in columns.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "batches travel in a box, and a process has those of one shape"
)]
pub enum Batch {
    /// Data change records.
    Spanner(ChangeBatch),
    /// Row mutations.
    Bigtable(MutationBatch),
    /// Rows.
    Rows(RowBatch),
}

impl Batch {
    /// What the records look like.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::Spanner(_) => Shape::Spanner,
            Self::Bigtable(_) => Shape::Bigtable,
            Self::Rows(_) => Shape::Rows,
        }
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        match self {
            Self::Spanner(batch) => batch.records(),
            Self::Bigtable(batch) => batch.mutations(),
            Self::Rows(batch) => batch.rows(),
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
            Self::Rows(batch) => batch.bytes(),
        }
    }

    /// The id of each record.
    #[must_use]
    pub fn ids(&self) -> &Texts {
        match self {
            Self::Spanner(batch) => &batch.ids,
            Self::Bigtable(batch) => &batch.ids,
            Self::Rows(batch) => &batch.ids,
        }
    }

    /// Where a record is in time, RFC 3339 with a `Z`: its commit timestamp, or the timestamp at which
    /// a row was read. Empty past the batch.
    #[must_use]
    pub fn timestamp(&self, index: usize) -> &[u8] {
        match self {
            Self::Spanner(batch) => batch.commit_timestamps.get(index).unwrap_or_default(),
            Self::Bigtable(batch) => batch.commit_timestamps.get(index).unwrap_or_default(),
            Self::Rows(batch) if index < batch.rows() => batch.read_timestamp.as_bytes(),
            Self::Rows(_) => &[],
        }
    }

    /// A copy of the records at `indices`, in that order. An index past the batch is left out.
    #[must_use]
    pub fn select(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        match self {
            Self::Spanner(batch) => Self::Spanner(spanner::select(batch, indices)),
            Self::Bigtable(batch) => Self::Bigtable(bigtable::select(batch, indices)),
            Self::Rows(batch) => Self::Rows(batch.select(indices)),
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

impl From<RowBatch> for Batch {
    fn from(batch: RowBatch) -> Self {
        Self::Rows(batch)
    }
}
