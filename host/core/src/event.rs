//! What happens outside.

use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::SinkState;
use crate::id::{Generation, ReaderId, Seq};
use crate::item::Item;

/// The time of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Since the start of the process; never goes back.
    pub monotonic: Duration,
    /// By the wall clock. May jump; decides only about retention, the bound and catching up.
    pub wall: Timestamp,
}

/// Something that happened outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A reader decoded a run of records, then at most one other item, as the last.
    Delivered {
        /// Who. A stale reader's delivery is ignored.
        reader: ReaderId,
        /// What, in stream order. They get the next numbers of the reader.
        items: Vec<Item>,
    },
    /// The stream ended with status OK.
    Ended {
        /// Whose.
        reader: ReaderId,
    },
    /// The stream ended otherwise.
    ReadFailed {
        /// Whose.
        reader: ReaderId,
        /// How.
        failure: ReadFailure,
    },
    /// The sink made outputs durable.
    Durable {
        /// Per reader, a number up to and including which every record is durable. Repeats are
        /// harmless.
        acknowledged: Vec<(ReaderId, Seq)>,
        /// The state of the sink with exactly what is durable by this event.
        sink_state: SinkState,
    },
    /// A record failed under the policy `fail`, or the sink failed for good.
    Rejected {
        /// Why, without row values.
        cause: String,
    },
    /// The checkpoint of this generation is stored.
    Saved {
        /// Which.
        generation: Generation,
    },
    /// The store did not say that the checkpoint is stored. It may be all the same.
    SaveFailed {
        /// Which.
        generation: Generation,
        /// How.
        failure: SaveFailure,
    },
    /// Answers [`Command::Expired`](crate::Command::Expired) and
    /// [`Command::Replan`](crate::Command::Replan): what tells of it is durable and reading begins
    /// again.
    Restarted {
        /// Where the new root query starts, or the instant of the new plan.
        at: Timestamp,
        /// The state of the sink with what tells of it.
        sink_state: SinkState,
    },
    /// The source says anew how far back it can be read.
    Retention {
        /// How far.
        retention: Duration,
    },
    /// Stop reading, let what is in flight resolve, save, complete.
    Drain,
    /// Time passed.
    Tick,
}

/// Why a stream ended without status OK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFailure {
    /// Opening again may help.
    Retry {
        /// What the server asked to wait at least.
        after: Option<Duration>,
        /// Text for people.
        cause: String,
    },
    /// The server said OUT_OF_RANGE, which has several meanings.
    OutOfRange {
        /// Text for people.
        cause: String,
    },
    /// What a snapshot was planned with is gone, a session or a transaction. Another plan reads the
    /// same instant.
    Lost {
        /// Text for people.
        cause: String,
    },
    /// The instant of a snapshot cannot be read any more.
    Outdated {
        /// Text for people.
        cause: String,
    },
    /// Nothing helps.
    Fatal {
        /// Text for people.
        cause: String,
    },
}

/// Why a save was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveFailure {
    /// Saving again may help.
    Retry {
        /// Text for people.
        cause: String,
    },
    /// Nothing helps: for example another owner has the checkpoint.
    Fatal {
        /// Text for people.
        cause: String,
    },
}
