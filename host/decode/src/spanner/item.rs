//! The records of a row that are not read yet.

use std::collections::VecDeque;

use bytes::Bytes;

/// One record, in the encoding of its shape.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) bytes: Bytes,
}

/// Records in the order of the stream.
pub(crate) type Items = VecDeque<Item>;

/// What kind of record it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Data,
    Heartbeat,
    Children,
    PartitionStart,
    PartitionEnd,
    PartitionEvent,
}

impl Kind {
    /// The field that holds such a record in its row.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Data => "data_change_record",
            Self::Heartbeat => "heartbeat_record",
            Self::Children => "child_partitions_record",
            Self::PartitionStart => "partition_start_record",
            Self::PartitionEnd => "partition_end_record",
            Self::PartitionEvent => "partition_event_record",
        }
    }
}
