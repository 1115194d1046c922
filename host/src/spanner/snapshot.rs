//! Reads in partitions: the calls that plan them and the streams that carry them out.
//!
//! A snapshot has a session of its own and a transaction that was begun in so many words. Whatever else
//! begins a transaction in the session could end it, and its partitions with it.
//!
//! Source: google/spanner/v1/spanner.proto, `PartitionOptions`, `PartitionQueryRequest` and
//! `PartitionReadRequest`: every partition is read with a request that is equal to the planning one, and
//! the token.

use std::collections::HashMap;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::transaction_options::read_only::TimestampBound as Bound;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::transaction_options::{
    Mode, ReadOnly,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    BeginTransactionRequest, ExecuteSqlRequest, KeySet, PartitionOptions, PartitionQueryRequest,
    PartitionReadRequest, PartitionResponse, ReadRequest, Transaction, TransactionOptions,
    TransactionSelector, Type, transaction_selector::Selector,
};
use jiff::Timestamp;
use prost_types::Struct;
use tonic::{Code, Status};

use super::client::{Client, FrameStream};

use crate::config::TimestampBound;
use crate::google::{CallError, Disposition, decode};

/// What is read, as requests say it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read {
    /// The rows of a query.
    Query {
        /// The text.
        sql: String,
        /// Values by parameter name.
        params: Struct,
        /// Types by parameter name.
        param_types: HashMap<String, Type>,
    },
    /// Rows of a table.
    Table {
        /// Its name.
        table: String,
        /// The index that is read; empty for the table itself.
        index: String,
        /// The columns.
        columns: Vec<String>,
        /// Which rows.
        key_set: KeySet,
    },
}

/// Into what partitions a read should be divided. The service may do otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints {
    /// How many; 0 leaves it to the service.
    pub(crate) max_partitions: i64,
    /// How many bytes each; 0 leaves it to the service.
    pub(crate) partition_size_bytes: i64,
}

/// A transaction that reads at one timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// The session that it lives in.
    pub(crate) session: String,
    /// Its id.
    pub(crate) transaction: Bytes,
    /// When it reads.
    pub(crate) at: Timestamp,
}

/// One partition of a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    /// The session that planned it.
    pub(crate) session: &'a str,
    /// The transaction that planned it.
    pub(crate) transaction: Bytes,
    /// Which it is.
    pub(crate) token: Bytes,
    /// Where its stream goes on; empty for its beginning.
    pub(crate) resume_token: Bytes,
    /// Whether Data Boost serves it.
    pub(crate) data_boost: bool,
}

impl Client {
    /// Begins a transaction, in a session of its own, that reads at what the bound means now.
    ///
    /// # Errors
    ///
    /// A call failed.
    pub(crate) async fn begin_snapshot(
        &self,
        bound: TimestampBound,
    ) -> Result<Snapshot, CallError> {
        const METHOD: &str = "BeginTransaction";
        let session = self.new_session().await?.name;
        let request = BeginTransactionRequest {
            session: session.clone(),
            options: Some(TransactionOptions {
                mode: Some(Mode::ReadOnly(ReadOnly {
                    return_read_timestamp: true,
                    timestamp_bound: Some(of_config(bound)),
                })),
                ..TransactionOptions::default()
            }),
            ..BeginTransactionRequest::default()
        };
        let frame = self.call(METHOD, "session", &session, request).await?;
        let begun: Transaction = decode(METHOD, frame)?;
        let at = begun.read_timestamp.as_ref().and_then(instant);
        Ok(Snapshot {
            at: at.ok_or_else(|| without_timestamp(METHOD))?,
            transaction: begun.id,
            session,
        })
    }

    /// Divides a read into partitions, and gives their tokens.
    ///
    /// # Errors
    ///
    /// The call failed; a query that cannot be divided among them.
    pub(crate) async fn partition(
        &self,
        snapshot: &Snapshot,
        read: &Read,
        hints: Hints,
    ) -> Result<Vec<Bytes>, CallError> {
        let session = snapshot.session.clone();
        let transaction = Some(selector(snapshot.transaction.clone()));
        let partition_options = Some(PartitionOptions {
            partition_size_bytes: hints.partition_size_bytes,
            max_partitions: hints.max_partitions,
        });
        let (method, frame) = match read.clone() {
            Read::Query {
                sql,
                params,
                param_types,
            } => {
                let request = PartitionQueryRequest {
                    session: session.clone(),
                    transaction,
                    sql,
                    params: Some(params),
                    param_types,
                    partition_options,
                };
                let method = "PartitionQuery";
                (
                    method,
                    self.call(method, "session", &session, request).await?,
                )
            }
            Read::Table {
                table,
                index,
                columns,
                key_set,
            } => {
                let request = PartitionReadRequest {
                    session: session.clone(),
                    transaction,
                    table,
                    index,
                    columns,
                    key_set: Some(key_set),
                    partition_options,
                };
                let method = "PartitionRead";
                (
                    method,
                    self.call(method, "session", &session, request).await?,
                )
            }
        };
        let planned: PartitionResponse = decode(method, frame)?;
        let tokens = planned.partitions.into_iter();
        Ok(tokens.map(|partition| partition.partition_token).collect())
    }

    /// Reads a partition of the read that planned it.
    ///
    /// # Errors
    ///
    /// The call failed before the first frame.
    pub(crate) async fn read_part(
        &self,
        read: &Read,
        part: Part<'_>,
    ) -> Result<FrameStream, CallError> {
        let session = part.session.to_owned();
        let transaction = Some(selector(part.transaction));
        let (request_options, directed_read_options) =
            (self.request_options(), self.directed_read_options());
        match read.clone() {
            Read::Query {
                sql,
                params,
                param_types,
            } => {
                let request = ExecuteSqlRequest {
                    session: session.clone(),
                    transaction,
                    sql,
                    params: Some(params),
                    param_types,
                    resume_token: part.resume_token,
                    partition_token: part.token,
                    request_options,
                    directed_read_options,
                    data_boost_enabled: part.data_boost,
                    ..ExecuteSqlRequest::default()
                };
                self.frames("ExecuteStreamingSql", &session, request).await
            }
            Read::Table {
                table,
                index,
                columns,
                key_set,
            } => {
                let request = ReadRequest {
                    session: session.clone(),
                    transaction,
                    table,
                    index,
                    columns,
                    key_set: Some(key_set),
                    resume_token: part.resume_token,
                    partition_token: part.token,
                    request_options,
                    directed_read_options,
                    data_boost_enabled: part.data_boost,
                    ..ReadRequest::default()
                };
                self.frames("StreamingRead", &session, request).await
            }
        }
    }
}

/// Whether a failed call says that the session or the transaction of a snapshot is gone.
///
/// Source: https://cloud.google.com/spanner/docs/sessions (`Session not found`); the emulator says
/// `Transaction not found` of the other.
pub(crate) fn is_lost(error: &CallError) -> bool {
    let of_transaction = match error {
        CallError::Status { status, .. } => {
            status.code() == Code::NotFound && status.message().contains("Transaction not found")
        }
        CallError::Oversize { .. } | CallError::Refused { .. } | CallError::Credentials(_) => false,
    };
    of_transaction || error.disposition() == Disposition::Reopen
}

fn selector(transaction: Bytes) -> TransactionSelector {
    TransactionSelector {
        selector: Some(Selector::Id(transaction)),
    }
}

fn of_config(bound: TimestampBound) -> Bound {
    match bound {
        TimestampBound::Strong => Bound::Strong(true),
        TimestampBound::ReadTimestamp(at) => Bound::ReadTimestamp(prost_types::Timestamp {
            seconds: at.as_second(),
            nanos: at.subsec_nanosecond(),
        }),
        TimestampBound::ExactStaleness(staleness) => {
            let of_now = prost_types::Duration {
                seconds: i64::try_from(staleness.as_secs()).unwrap_or(i64::MAX),
                nanos: i32::try_from(staleness.subsec_nanos()).unwrap_or_default(),
            };
            Bound::ExactStaleness(of_now)
        }
    }
}

fn instant(at: &prost_types::Timestamp) -> Option<Timestamp> {
    Timestamp::new(at.seconds, at.nanos).ok()
}

fn without_timestamp(method: &'static str) -> CallError {
    let said = "the transaction was begun without saying its read timestamp";
    CallError::Status {
        method,
        status: Box::new(Status::internal(said)),
        disposition: Disposition::Retry,
    }
}
