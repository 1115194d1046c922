//! What a change stream holds: tables, changed rows, records and how partitions begin and end.

use std::{fmt, sync::Arc};

use jiff::Timestamp;
use serde_json::Value;

/// Column values as Spanner writes them in JSON (INT64 and NUMERIC as strings, BYTES in base64).
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, data change records.
pub type Row = serde_json::Map<String, Value>;

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type as the JSON form of `google.spanner.v1.Type`, passed on as it is.
    pub r#type: Value,
    /// Whether it is part of the primary key.
    pub is_primary_key: bool,
    /// Its place in the table, from 1.
    pub ordinal_position: i64,
}

/// A table that the stream watches.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns in schema order.
    pub columns: Vec<Column>,
}

/// What happened to a row. `Other` stands for a kind that readers have not met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModType {
    /// The row is new.
    Insert,
    /// The row's values changed.
    Update,
    /// The row is gone.
    Delete,
    /// A kind under another name.
    Other(String),
}

impl ModType {
    /// The name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for ModType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which values of a changed row the stream records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ValueCapture {
    /// `OLD_AND_NEW_VALUES`: the changed columns before and after.
    #[default]
    OldAndNewValues,
    /// `NEW_VALUES`: the changed columns after.
    NewValues,
    /// `NEW_ROW`: the whole row after.
    NewRow,
    /// `NEW_ROW_AND_OLD_VALUES`: the whole row after, the changed columns before.
    NewRowAndOldValues,
    /// A kind under another name; values are recorded as for `OLD_AND_NEW_VALUES`.
    Other(String),
}

impl ValueCapture {
    /// The name on the wire and in the stream's options.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::OldAndNewValues => "OLD_AND_NEW_VALUES",
            Self::NewValues => "NEW_VALUES",
            Self::NewRow => "NEW_ROW",
            Self::NewRowAndOldValues => "NEW_ROW_AND_OLD_VALUES",
            Self::Other(name) => name,
        }
    }
}

/// One changed row of a record. A member that is `None` is not sent at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Mod {
    /// The primary key.
    pub keys: Row,
    /// Values after the change.
    pub new_values: Option<Row>,
    /// Values before the change.
    pub old_values: Option<Row>,
}

/// A data change record, field by field as the service names them.
#[derive(Clone, Debug, PartialEq)]
pub struct DataChange {
    /// When the transaction was committed.
    pub commit_timestamp: Timestamp,
    /// Unique and growing within the transaction.
    pub record_sequence: String,
    /// The transaction.
    pub server_transaction_id: String,
    /// Whether the partition holds no later record of the transaction.
    pub is_last_record_in_transaction_in_partition: bool,
    /// The table.
    pub table_name: String,
    /// The key columns and those that occur in `mods`.
    pub column_types: Vec<Column>,
    /// The changed rows.
    pub mods: Vec<Mod>,
    /// What happened to them.
    pub mod_type: ModType,
    /// Which of their values are recorded.
    pub value_capture_type: ValueCapture,
    /// Records of the whole transaction.
    pub number_of_records_in_transaction: i64,
    /// Partitions of the whole transaction.
    pub number_of_partitions_in_transaction: i64,
    /// The tag that the writer gave.
    pub transaction_tag: String,
    /// Whether Spanner itself wrote it (TTL, backfill).
    pub is_system_transaction: bool,
}

/// A partition that another announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its token.
    pub token: String,
    /// The partitions that it follows.
    pub parents: Vec<String>,
}

/// One record of a partition.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A data change record.
    Change(Arc<DataChange>),
    /// A heartbeat record: everything up to the instant has been sent.
    Heartbeat(Timestamp),
    /// A child partitions record.
    Children {
        /// Where the children begin.
        start: Timestamp,
        /// The record's sequence.
        sequence: String,
        /// The children.
        children: Vec<Child>,
    },
    /// Mutable key ranges: partitions that begin.
    PartitionStart {
        /// Where they begin.
        start: Timestamp,
        /// The record's sequence.
        sequence: String,
        /// Their tokens.
        tokens: Vec<String>,
    },
    /// Mutable key ranges: key ranges that came or went.
    PartitionEvent {
        /// When.
        commit: Timestamp,
        /// The record's sequence.
        sequence: String,
        /// The partition that tells it.
        token: String,
        /// The partitions that key ranges came from.
        move_in: Vec<String>,
        /// The partitions that key ranges went to.
        move_out: Vec<String>,
    },
    /// Mutable key ranges: the partition's last record.
    PartitionEnd {
        /// When it ended.
        end: Timestamp,
        /// The record's sequence.
        sequence: String,
        /// The partition itself.
        token: String,
    },
}

impl Entry {
    /// The instant by which records of a partition are ordered.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Change(change) => change.commit_timestamp,
            Self::Heartbeat(at)
            | Self::Children { start: at, .. }
            | Self::PartitionStart { start: at, .. }
            | Self::PartitionEvent { commit: at, .. }
            | Self::PartitionEnd { end: at, .. } => *at,
        }
    }
}

/// How a partition's life ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its key range was divided among these.
    Split(Vec<String>),
    /// It and others became this one; `with` lists all parents, itself included.
    Merge {
        /// The partition that follows.
        into: String,
        /// All of its parents.
        with: Vec<String>,
    },
    /// Its key range went to this one as a whole.
    Move(String),
    /// Mutable key ranges: it ended, as its ranges had moved before.
    Closed,
}

/// The life of one token.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The token.
    pub token: String,
    /// The partitions that it follows; none for a first one.
    pub parents: Vec<String>,
    /// The first instant that it answers for.
    pub start: Timestamp,
    /// The last instant and what came then; `None` while it lives.
    pub end: Option<(Timestamp, End)>,
    /// Its records in order.
    pub entries: Vec<Entry>,
}
