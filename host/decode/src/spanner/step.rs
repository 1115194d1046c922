//! What an assembler hands out, one thing at a time.

use jiff::Timestamp;

use crate::spanner::TableId;

/// One thing read from a partition's stream, in the order of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// All that was pushed is read. Push the next frame.
    Empty,
    /// A record speaks of a table, with these columns, that no plan was given for. Answer with
    /// [`crate::spanner::Assembler::plan`] and ask again: the record stands first.
    Unplanned(Described),
    /// A data change record; unless it was dropped, its columns were appended to the batch.
    Record(RecordMark),
    /// A data change record that the caller knows already. The batch is as it was.
    Covered,
    /// Every change of this partition up to the instant has been returned.
    Heartbeat(Timestamp),
    /// Partitions that follow this one. A stream may have several such records.
    Children {
        /// Where the children begin, inclusive.
        start: Timestamp,
        /// `record_sequence`; empty for none.
        sequence: String,
        /// The children. An empty list is legal.
        partitions: Vec<ChildPartition>,
    },
    /// Mutable key ranges: partitions to read from an instant on.
    PartitionStart {
        /// Where they begin, inclusive.
        at: Timestamp,
        /// `record_sequence`.
        sequence: String,
        /// Their tokens.
        tokens: Vec<String>,
    },
    /// Mutable key ranges: the last record of a partition.
    PartitionEnd {
        /// When the partition ended.
        at: Timestamp,
        /// `record_sequence`.
        sequence: String,
        /// The partition that ended: the one being read.
        token: String,
    },
    /// Mutable key ranges: key ranges moved between partitions.
    PartitionEvent {
        /// When they moved.
        at: Timestamp,
        /// `record_sequence`.
        sequence: String,
        /// The partition that this stream reads.
        token: String,
        /// The partitions that key ranges came from.
        move_in: Vec<String>,
        /// The partitions that key ranges went to.
        move_out: Vec<String>,
    },
}

/// A table and its columns, as a record describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// What the answer names.
    pub id: TableId,
    /// The table's name.
    pub table: String,
    /// The columns outside the primary key, in the order that a plan answers them.
    pub columns: Vec<String>,
    /// The columns of the primary key, which are always kept.
    pub keys: Vec<String>,
}

/// One data change record, as far as bookkeeping needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMark {
    /// The commit timestamp.
    pub at: Timestamp,
    /// `server_transaction_id`.
    pub transaction: Box<str>,
    /// `record_sequence`.
    pub sequence: Box<str>,
    /// Bytes of the record as it was sent.
    pub bytes: u64,
    /// Whether it is in the batch.
    pub kept: Kept,
    /// How many values the plan removed from it.
    pub cells_dropped: u32,
}

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is the last record of the batch.
    Appended,
    /// It is not in the batch.
    Dropped(DropReason),
}

/// Why a record is not in the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// The plan leaves its table out.
    Table,
    /// The plan removed values from it, and no modification has a value left.
    WithoutChange,
}

/// A partition that follows others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildPartition {
    /// Its token.
    pub token: String,
    /// The partitions that it follows; empty for a child of the root query.
    pub parents: Vec<String>,
}
