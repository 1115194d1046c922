//! What a row assembler is told, and what it hands out.

use bytes::Bytes;

use crate::spanner::KeyJson;

/// Where the rows of a stream come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowOrigin {
    /// The table; empty for a query.
    pub table: String,
    /// The timestamp that the snapshot is read at, RFC 3339. An offset becomes a `Z`.
    pub read_timestamp: String,
    /// The partition's short id.
    pub partition: String,
    /// What stands for the partition in the ids of rows without a key.
    pub hash: String,
    /// The columns of the primary key in its order. Empty for none: for a query, and for a table
    /// whose key has no columns.
    pub key: Vec<String>,
    /// How the change records of the database write the primary key. Default: [`KeyJson::Json`].
    pub key_json: KeyJson,
}

/// Where a stream goes on: nowhere yet by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowStart {
    /// What was pending at the resume token that the stream was opened with, as
    /// [`RowStep::Token`] gave it. Empty for nothing.
    pub carry: Vec<u8>,
    /// The number of the first row that comes; the rows of a partition count from 0.
    pub row: u64,
    /// How many rows from there on are known already.
    pub skip: u64,
}

/// One thing read from a partition's stream, in the order of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowStep {
    /// All that was pushed is read. Push the next frame.
    Empty,
    /// A row stands first, and no plan was given for its columns. Answer with
    /// [`crate::spanner::RowAssembler::plan`] and ask again. It is asked once, and not at all where
    /// every column is one of the primary key.
    Unplanned {
        /// The columns outside the primary key, in the order that a plan answers them. Those of a
        /// query may be empty or stand here twice.
        columns: Vec<String>,
    },
    /// A row that was to be skipped. The batch is as it was.
    Covered,
    /// A row, which is the last of the batch.
    Row {
        /// Bytes of its values as they were sent.
        bytes: u64,
        /// How many values the plan removed from it.
        cells_dropped: u64,
    },
    /// A resume token. All rows that were complete at it have been handed out.
    ///
    /// A token that is empty, that repeats the one before it, or that has more than 64 KiB pending
    /// gives no step: the position stays at the token before, and rows are counted from there.
    Token {
        /// The token, for a request that is otherwise the same.
        token: Bytes,
        /// What was pending at it, for [`RowStart::carry`]; empty for nothing.
        carry: Vec<u8>,
    },
}
