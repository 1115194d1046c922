//! What the scheduler wants done.

use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::{Checkpoint, SinkState};
use crate::id::{Generation, PartitionId, ReaderId};
use crate::range::KeyRange;
use crate::resume::Resume;

/// One answer of [`Scheduler::poll_output`](crate::Scheduler::poll_output).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Do this, then poll again.
    Command(Command),
    /// Nothing to do. Send [`Event::Tick`](crate::Event::Tick) at this monotonic time, if any; the
    /// text says what for.
    Timeout(Option<(Duration, &'static str)>),
}

/// Something to do outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Open a stream. It is not held.
    Open {
        /// The new reader.
        reader: ReaderId,
        /// The row keys that it reads; none where a token names the partition.
        range: Option<KeyRange>,
        /// What the source needs to read it, where it is a part of a snapshot.
        ticket: Option<Box<str>>,
        /// Where it starts and what it drops.
        from: Resume,
    },
    /// Stop a reader. Nothing of it is accepted any more; what it delivered goes on to the sink.
    Close {
        /// Which.
        reader: ReaderId,
    },
    /// Take nothing more from this reader's stream until `Release`.
    Hold {
        /// Which.
        reader: ReaderId,
    },
    /// Go on reading.
    Release {
        /// Which.
        reader: ReaderId,
    },
    /// Store the checkpoint, then answer [`Event::Saved`](crate::Event::Saved) or
    /// [`Event::SaveFailed`](crate::Event::SaveFailed). One at a time.
    Save {
        /// Larger than that of every save before.
        generation: Generation,
        /// What to store.
        checkpoint: Checkpoint,
    },
    /// A position is older than the retention. All readers are closed and everything is
    /// acknowledged. Fail, or make a gap record durable and answer
    /// [`Event::Restarted`](crate::Event::Restarted).
    Expired {
        /// Whose position.
        partition: PartitionId,
        /// The first instant, over all partitions, that is not completely read.
        lost_from: Timestamp,
        /// What the server said.
        cause: String,
    },
    /// What the snapshot was planned with is gone. All readers are closed and everything is
    /// acknowledged. Fail, or answer [`Event::Restarted`](crate::Event::Restarted) with the sink as it
    /// was before the snapshot; when the plan is opened that is saved, and the sink may go back to it.
    Replan {
        /// The instant that was read.
        at: Timestamp,
        /// Whether it cannot be read any more, so that it takes another one.
        outdated: bool,
        /// The sink as it was before the snapshot.
        before: SinkState,
        /// What the server said.
        cause: String,
    },
    /// Nothing to do but to tell people: keys that nobody read are read again.
    Reconciled {
        /// Which.
        range: KeyRange,
        /// Where they go on.
        from: Resume,
        /// How long they still rest.
        after: Duration,
    },
    /// Everything is done and saved.
    Complete {
        /// Whether reading stopped early because of [`Event::Drain`](crate::Event::Drain).
        drained: bool,
    },
    /// Stop, with an error. Nothing follows.
    Abort {
        /// Why.
        cause: Abort,
    },
}

/// Why reading cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Abort {
    /// The server broke the order that a stream promises.
    #[error("partition {partition} sent {got} after {after}; its stream is not in order")]
    OutOfOrder {
        /// Whose stream.
        partition: PartitionId,
        /// The instant of the item.
        got: Timestamp,
        /// The instant that was already passed.
        after: Timestamp,
    },
    /// One token was announced with two start timestamps.
    #[error(
        "partition {partition} was announced to start at {first} and, by {reporter}, at {second}"
    )]
    ConflictingStart {
        /// The announced partition.
        partition: PartitionId,
        /// Who announced the second start.
        reporter: PartitionId,
        /// The first start.
        first: Timestamp,
        /// The second start.
        second: Timestamp,
    },
    /// Too many transactions have one commit timestamp.
    #[error(
        "partition {partition} has more than {limit} transactions at {at}; raise boundary-transactions-max"
    )]
    BoundaryFull {
        /// Whose.
        partition: PartitionId,
        /// The commit timestamp.
        at: Timestamp,
        /// The limit.
        limit: usize,
    },
    /// A stream failed for good.
    #[error("partition {partition} cannot be read: {cause}")]
    ReadFailed {
        /// Which.
        partition: PartitionId,
        /// What the server said.
        cause: String,
    },
    /// The server said OUT_OF_RANGE, and neither the end of the partition nor the retention
    /// explains it.
    #[error(
        "partition {partition} cannot be read at {position}, which is inside the retention, and announced nobody who goes on: {cause}"
    )]
    OutOfRange {
        /// Which.
        partition: PartitionId,
        /// Where it was opened.
        position: Timestamp,
        /// What the server said.
        cause: String,
    },
    /// The sink or a policy refused a record.
    #[error("delivery failed: {cause}")]
    Rejected {
        /// Why.
        cause: String,
    },
    /// The checkpoint cannot be stored.
    #[error("checkpoint {generation} cannot be saved: {cause}")]
    SaveFailed {
        /// Which.
        generation: Generation,
        /// Why.
        cause: String,
    },
}
