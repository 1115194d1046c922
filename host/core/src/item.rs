//! What a partition stream says, in stream order.

use jiff::Timestamp;

use crate::id::PartitionId;

/// One thing that a stream said. Numbered when it is decoded, before batching and filtering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A data change record.
    Record {
        /// Commit timestamp.
        at: Timestamp,
        /// Server transaction id.
        transaction: Box<str>,
        /// Record sequence: unique and growing within the transaction, compared as text.
        sequence: Box<str>,
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
    /// The instant of the item in its stream.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Record { at, .. }
            | Self::Heartbeat { at }
            | Self::Children { start: at, .. }
            | Self::Started { at, .. }
            | Self::Finished { at }
            | Self::MoveIn { at, .. }
            | Self::MoveOut { at, .. } => *at,
        }
    }
}

/// A partition that follows others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Child {
    /// Its token.
    pub id: PartitionId,
    /// Whom it follows. Empty when the reporting partition is the only one.
    pub parents: Vec<PartitionId>,
}
