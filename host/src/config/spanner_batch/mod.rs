//! The options of a snapshot of Spanner: a table or a query, read in partitions at one timestamp.
//!
//! What is read stands in [`ReadOperation`], at which instant in [`TimestampBound`]; values that go into
//! requests are [`SqlValue`]s, already in the encoding of the service.

pub(super) mod options;
mod read;
mod read_operation;
pub(super) mod refused;
mod timestamp_bound;
mod values;

pub(super) use read::{names_filter, read};
pub(super) use read_operation::options as read_options;
pub use read_operation::{
    KeyBound, KeyRange, KeySet, Parameter, QueryOperation, ReadOperation, TableOperation,
};
pub(super) use timestamp_bound::TIMESTAMP_BOUND;
pub use timestamp_bound::TimestampBound;
pub use values::{ScalarType, SqlType, SqlValue};

use std::num::NonZeroUsize;

use super::{CloudMonitoring, Connection, DatabaseName, RequestOptions};

/// A snapshot of Spanner to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannerBatch {
    /// The database.
    pub database: DatabaseName,
    /// What is read of it.
    pub read_operation: ReadOperation,
    /// At which instant it is read. Default: [`TimestampBound::Strong`].
    pub timestamp_bound: TimestampBound,
    /// Into how many partitions the read should be divided: a hint, at most `i64::MAX`. Default:
    /// none, the service chooses.
    ///
    /// Source: google.spanner.v1.PartitionOptions.max_partitions
    pub max_partitions: Option<NonZeroUsize>,
    /// How many bytes one partition should have: a hint, at most `i64::MAX`. Default: none, the
    /// service chooses.
    ///
    /// Source: google.spanner.v1.PartitionOptions.partition_size_bytes
    pub partition_size_bytes: Option<NonZeroUsize>,
    /// Whether Data Boost serves the reads, instead of the compute of the instance. Default: false.
    pub data_boost_enabled: bool,
    /// The number of partitions that are read at one time. Default: 8.
    pub max_concurrent_partitions: NonZeroUsize,
    /// The most rows that a reader hands over at once. Default: 1000. A smaller
    /// `pipeline.batch-records-max` wins.
    pub max_rows_per_fetch: NonZeroUsize,
    /// The most bytes that a reader hands over at once. Default: 12 MiB. One larger row passes alone;
    /// a smaller `pipeline.batch-bytes-max` wins.
    pub max_bytes_per_fetch: NonZeroUsize,
    /// Whether a partition that broke goes on from its last resume token. Default: true, and false with
    /// an emulator, whose tokens say nothing.
    pub resume_by_token: bool,
    /// What is done when the database no longer keeps the versions of the snapshot. Default:
    /// [`OnExpiry::Fail`].
    pub on_expiry: OnExpiry,
    /// How Spanner is reached.
    pub connection: Connection,
    /// What every read carries. The priority is not that of planning.
    pub requests: RequestOptions,
    /// Where metrics of the client are written to. Default: Cloud Monitoring; none with an emulator,
    /// or where the environment says so.
    pub cloud_monitoring: Option<CloudMonitoring>,
}

/// What is done when the timestamp of the snapshot is older than the database's
/// `version_retention_period`, so that what is left of it cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnExpiry {
    /// The run fails and says what to do.
    Fail,
    /// Everything is read anew, at a timestamp that the bound then means. It is not taken with
    /// [`TimestampBound::ReadTimestamp`], which means no other.
    BeginAnew,
}
