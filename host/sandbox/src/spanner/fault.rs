//! Where faults strike a Spanner service.

use tonic::Status;

use crate::fault::What;

/// A fault of a Spanner service.
pub type Fault = crate::fault::Fault<On>;

impl Fault {
    /// Strikes one query of `token` after `after_messages` messages.
    #[must_use]
    pub fn on_token(token: &str, after_messages: u64, what: What) -> Self {
        Self {
            on: On::Token(token.to_owned()),
            after_messages,
            times: 1,
            what,
        }
    }

    /// Strikes the first `times` change-stream queries, whatever they read.
    #[must_use]
    pub fn on_any(after_messages: u64, times: u32, what: What) -> Self {
        Self {
            on: On::AnyQuery,
            after_messages,
            times,
            what,
        }
    }

    /// Strikes one call of batch reads after `after_messages` messages.
    #[must_use]
    pub fn on_batch(on: OnBatch, after_messages: u64, what: What) -> Self {
        Self {
            on: On::Batch(on),
            after_messages,
            times: 1,
            what,
        }
    }
}

/// Which calls a fault fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// Every change-stream query.
    AnyQuery,
    /// The query for the first partitions.
    Root,
    /// Queries of this partition.
    Token(String),
    /// Queries of INFORMATION_SCHEMA.
    Catalog,
    /// Calls that create, get or delete sessions.
    Sessions,
    /// Calls of batch reads.
    Batch(OnBatch),
}

/// Which calls of batch reads a fault fits. A stream of rows meets the first fault that is left for
/// it; [`What::Expire`] is there a timestamp that has become too old.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnBatch {
    /// `BeginTransaction`.
    BeginTransaction,
    /// `PartitionQuery`.
    PartitionQuery,
    /// `PartitionRead`.
    PartitionRead,
    /// The stream of any partition.
    AnyPartition,
    /// The streams of the partitions with this place in their plan, from 0.
    Partition(usize),
    /// The streams of the partition with this place in plans of this table.
    PartitionOf(String, usize),
    /// The streams of partitions of a query: `ExecuteStreamingSql` with a partition token.
    PartitionOfQuery,
    /// The streams of partitions of a read: `StreamingRead` with a partition token.
    PartitionOfRead,
    /// The streams of partitions that ask for Data Boost.
    DataBoost,
    /// Streams of rows without a partition token.
    Plain,
}

impl OnBatch {
    /// Whether a stream is one of these.
    pub(crate) fn fits(&self, stream: &RowsOf<'_>) -> bool {
        let number = stream.partition;
        match self {
            Self::BeginTransaction | Self::PartitionQuery | Self::PartitionRead => false,
            Self::AnyPartition => number.is_some(),
            Self::Partition(wanted) => number == Some(*wanted),
            Self::PartitionOf(table, wanted) => number == Some(*wanted) && table == stream.table,
            Self::PartitionOfQuery => number.is_some() && stream.is_query,
            Self::PartitionOfRead => number.is_some() && !stream.is_query,
            Self::DataBoost => stream.data_boost,
            Self::Plain => number.is_none(),
        }
    }
}

/// What tells a stream of rows from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsOf<'a> {
    /// The table; empty for a query that is written down.
    pub(crate) table: &'a str,
    /// The partition's place in its plan.
    pub(crate) partition: Option<usize>,
    pub(crate) is_query: bool,
    pub(crate) data_boost: bool,
}

/// The answer to a query of a partition whose records are all gone.
///
/// Source: Cloud Spanner emulator 1.5.28, `READ_<stream>` on an expired token.
pub(crate) fn expired() -> Status {
    Status::out_of_range(
        "This partition is no longer valid. All Change Stream records associated with this \
         partition have expired",
    )
}
