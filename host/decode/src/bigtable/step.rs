//! What an assembler hands out, one thing at a time.

use jiff::Timestamp;

use super::{Names, RowRange};

/// One thing read from a partition's stream, in the order of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// All that was pushed is read. Push the next frame.
    Empty,
    /// A mutation speaks of names that no plan was given for. Answer with
    /// [`Assembler::plan`](super::Assembler::plan) and ask again: the mutation stands first.
    Unplanned(Names),
    /// A mutation; unless it was dropped, its columns were appended to the batch.
    Mutation(MutationMark),
    /// Nothing happened, or nothing that passes; the stream can be read on from here.
    Heartbeat {
        /// Where the stream can be opened again.
        token: Box<str>,
        /// Later mutations are most probably not before this instant.
        low_watermark: Timestamp,
    },
    /// The last thing that a stream sends.
    Close {
        /// The number of a `google.rpc.Code`: 0 for a stream that reached its end time, another one
        /// for a partition that others follow.
        code: i32,
        /// The service's own words.
        message: String,
        /// What to read instead. None for 0, at least one for another code.
        successors: Vec<Successor>,
    },
}

/// A mutation, as far as bookkeeping needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationMark {
    /// The commit timestamp.
    pub at: Timestamp,
    /// Where the stream can be opened again to go on after it.
    pub token: Box<str>,
    /// Later mutations are most probably not before this instant.
    pub low_watermark: Timestamp,
    /// Bytes of its frames.
    pub bytes: u64,
    /// Whether it is in the batch.
    pub kept: Kept,
    /// How many entries the plan removed from it.
    pub entries_dropped: u32,
}

/// What became of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is the last mutation of the batch.
    Appended,
    /// It is not in the batch.
    Dropped(DropReason),
}

/// Why a mutation is not in the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// Garbage collection wrote it.
    GarbageCollection,
    /// It was written at a cluster that does not pass.
    SourceCluster,
    /// The plan removed entries from it, and none is left.
    WithoutChange,
}

/// A token that a closed stream leaves, and where to use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The partition that is to be read. Tokens of other streams may be needed to cover it.
    pub target: RowRange,
    /// The rows that the token stands for.
    pub range: RowRange,
    /// The token.
    pub token: Box<str>,
}
