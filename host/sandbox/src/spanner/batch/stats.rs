//! What calls of batch reads asked for.

use std::collections::BTreeMap;

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    DirectedReadOptions, RequestOptions, TransactionSelector,
    transaction_options::{Mode, read_only::TimestampBound},
    transaction_selector::Selector,
};

/// One call of a batch read: `BeginTransaction`, `PartitionQuery`, `PartitionRead`, `StreamingRead`,
/// or a statement with a partition token. What a call does not have is at its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenBatch {
    /// The RPC's name.
    pub method: String,
    /// The session's name.
    pub session: String,
    /// ASCII headers.
    pub headers: BTreeMap<String, String>,
    /// The bound of a transaction that begins with the call.
    pub bound: Option<Bound>,
    /// Whether the read timestamp was asked for.
    pub return_read_timestamp: bool,
    /// The id of the transaction that the call was made in; empty for others.
    pub transaction: Bytes,
    /// The statement.
    pub sql: String,
    /// The table of a read.
    pub table: String,
    /// The index of a read.
    pub index: String,
    /// The columns of a read.
    pub columns: Vec<String>,
    /// The hint `max_partitions`; 0 when not given.
    pub max_partitions: i64,
    /// The hint `partition_size_bytes`; 0 when not given.
    pub partition_size_bytes: i64,
    /// The partition token.
    pub partition_token: Bytes,
    /// The place of the partition in its plan, if the token is known.
    pub partition: Option<usize>,
    /// The resume token.
    pub resume_token: Bytes,
    /// Whether Data Boost was asked for.
    pub data_boost: bool,
    /// `request_options.priority`; 0 when not given.
    pub priority: i32,
    /// `request_options.request_tag`; empty when not given.
    pub request_tag: String,
    /// `directed_read_options`.
    pub directed_read: Option<DirectedReadOptions>,
}

/// A bound of a read-only transaction's timestamp, as it was asked for.
pub type Bound = TimestampBound;

impl SeenBatch {
    /// A call of that method on that session.
    pub(crate) fn of(method: &str, session: &str) -> Self {
        Self {
            method: method.to_owned(),
            session: session.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn options(mut self, options: Option<&RequestOptions>) -> Self {
        if let Some(options) = options {
            self.priority = options.priority;
            self.request_tag.clone_from(&options.request_tag);
        }
        self
    }

    pub(crate) fn selector(mut self, selector: Option<&TransactionSelector>) -> Self {
        match selector.and_then(|selector| selector.selector.as_ref()) {
            Some(Selector::Id(id)) => self.transaction = id.clone(),
            Some(Selector::Begin(options) | Selector::SingleUse(options)) => {
                return self.begins(options.mode.as_ref());
            }
            None => {}
        }
        self
    }

    pub(crate) fn begins(mut self, mode: Option<&Mode>) -> Self {
        if let Some(Mode::ReadOnly(read)) = mode {
            self.bound = read.timestamp_bound;
            self.return_read_timestamp = read.return_read_timestamp;
        }
        self
    }
}
