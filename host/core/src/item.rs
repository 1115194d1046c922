//! What a partition stream says, in stream order.

use jiff::Timestamp;

use crate::id::PartitionId;
use crate::range::KeyRange;
use crate::resume::{RangeToken, RowToken};

/// One thing that a stream said. Numbered when it is decoded, before batching and filtering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A data change record.
    Record {
        /// Commit timestamp.
        at: Timestamp,
        /// What it is called when reading goes on from it.
        mark: Mark,
        /// Size of what waits for the sink, in bytes.
        bytes: u64,
        /// Whether anything of it goes to the sink. Without outputs it is acknowledged on entry.
        outputs: bool,
    },
    /// Every change up to and including `at` was returned; later ones are above it.
    Heartbeat {
        /// The instant that is covered.
        at: Timestamp,
    },
    /// Snapshots: the only item of the plan. These parts are what is read at the instant.
    Planned {
        /// The instant.
        at: Timestamp,
        /// Its parts.
        parts: Vec<Part>,
        /// Where the root query starts that follows all of them, inclusive; none if nothing does.
        then: Option<Timestamp>,
    },
    /// Snapshots: the stream can go on from here.
    Resumable(RowToken),
    /// Row ranges: everything before the token was returned, and there is nothing more yet.
    Continuation {
        /// Where reading can go on.
        token: Box<str>,
        /// Later changes are most probably not before it.
        low_watermark: Timestamp,
    },
    /// Row ranges: the only item of the root query. These are the first partitions.
    Ranges {
        /// Where all of them start, inclusive.
        start: Timestamp,
        /// Who they are.
        ranges: Vec<KeyRange>,
    },
    /// Row ranges: the last item of a partition.
    Closed {
        /// Who goes on with its keys; nobody when the bound is reached.
        successors: Vec<Successor>,
    },
    /// The partition ends in these; there may be several such items before the end.
    Children {
        /// Where all of them start, inclusive.
        start: Timestamp,
        /// Who they are.
        partitions: Vec<Child>,
    },
    /// Mutable key ranges: these partitions exist from `at` on.
    Started {
        /// Where all of them start, inclusive.
        at: Timestamp,
        /// Who they are.
        partitions: Vec<PartitionId>,
    },
    /// Mutable key ranges: the last item of a partition.
    Finished {
        /// Nothing of the partition is later.
        at: Timestamp,
    },
    /// Mutable key ranges: keys came from these partitions at `at`.
    MoveIn {
        /// When.
        at: Timestamp,
        /// From where.
        sources: Vec<PartitionId>,
    },
    /// Mutable key ranges: keys went to these partitions at `at`.
    MoveOut {
        /// When.
        at: Timestamp,
        /// To where.
        destinations: Vec<PartitionId>,
    },
}

impl Item {
    /// The instant of the item; none for the end of a row range and for a place among rows, which have
    /// no instant.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Record { at, .. }
            | Self::Heartbeat { at }
            | Self::Continuation {
                low_watermark: at, ..
            }
            | Self::Planned { at, .. }
            | Self::Ranges { start: at, .. }
            | Self::Children { start: at, .. }
            | Self::Started { at, .. }
            | Self::Finished { at }
            | Self::MoveIn { at, .. }
            | Self::MoveOut { at, .. } => Some(*at),
            Self::Closed { .. } | Self::Resumable(_) => None,
        }
    }
}

/// What a record is called when reading goes on from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The stream is in the order of commit timestamps, and starts at one.
    Sequence {
        /// Server transaction id.
        transaction: Box<str>,
        /// Record sequence: unique and growing within the transaction, compared as text.
        sequence: Box<str>,
    },
    /// The stream is of rows, which are counted.
    Row {
        /// How many rows of the partition are before it.
        number: u64,
    },
    /// The stream is in an order of its own, and starts after a token.
    Token {
        /// Reading goes on after the record.
        token: Box<str>,
        /// Later changes are most probably not before it.
        low_watermark: Timestamp,
    },
}

impl Mark {
    /// The mark of a record in the order of commit timestamps.
    pub fn sequence(transaction: impl Into<Box<str>>, sequence: impl Into<Box<str>>) -> Self {
        Self::Sequence {
            transaction: transaction.into(),
            sequence: sequence.into(),
        }
    }
}

/// A range that takes over keys of a closed one.
///
/// Source: `google.bigtable.v2.ReadChangeStreamResponse.CloseStream`, whose tokens and new partitions
/// are pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The range that is read next. It may hold keys of other partitions, too.
    pub target: KeyRange,
    /// Where the keys of the closed one go on.
    pub token: RangeToken,
}

/// A part of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name. It begins with `#`, as no token does.
    pub id: PartitionId,
    /// What the source needs to read it. Opaque, and saved.
    pub ticket: Box<str>,
}

/// A partition that follows others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Child {
    /// Its token.
    pub id: PartitionId,
    /// Whom it follows. Empty when the reporting partition is the only one.
    pub parents: Vec<PartitionId>,
}
