//! From a batch of records to durable outputs.
//!
//! A partition's batches go through one [`Lane`] in their order, partitions side by side; all
//! shaped batches go through one [`writer`], which makes what it has durable as a group and says
//! so. Queues here are unbounded: the scheduler's credit bounds what is in flight.

pub(crate) mod dead_letter;
pub(crate) mod flow;
mod lane;
mod recorder;
pub(crate) mod shaper;
pub(crate) mod writer;

use acequia_core::{ReaderId, Seq};

use crate::batch::Batch;
use crate::guest::Control;
use crate::sink::{OutputBatch, SinkState};

pub(crate) use flow::Flow;
pub(crate) use lane::Lane;
pub(crate) use recorder::Recorder;
pub use recorder::Recording;
pub(crate) use shaper::Shaper;

/// Something to shape.
pub(crate) enum Work {
    /// Records of one reader.
    Batch {
        /// Whose records.
        reader: ReaderId,
        /// The last item that is done with when these are durable.
        last: Seq,
        /// The records.
        batch: Box<Batch>,
    },
    /// Something happened to the stream itself.
    Control {
        /// What.
        event: Control,
        /// Where the sink goes back to before it takes the outputs.
        cut: Option<SinkState>,
    },
}

impl Work {
    /// How many records it has.
    pub(crate) fn records(&self) -> usize {
        match self {
            Self::Batch { batch, .. } => batch.records(),
            Self::Control { .. } => 0,
        }
    }
}

/// What outputs belong to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// Records of a reader, up to and including an item.
    Records(ReaderId, Seq),
    /// A control record.
    Control {
        /// Where the sink goes back to before it takes the outputs.
        cut: Option<SinkState>,
    },
}

/// Shaped and ready to be written.
pub(crate) struct Shaped {
    pub(crate) origin: Origin,
    pub(crate) outputs: OutputBatch,
    pub(crate) counts: Counts,
}

/// What shaping made of records.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Counts {
    /// Outputs.
    pub(crate) outputs: u64,
    /// Records that a record filter removed.
    pub(crate) filtered: u64,
    /// Records that failed and were skipped.
    pub(crate) skipped: u64,
    /// Records that failed and were kept as dead letters.
    pub(crate) dead_letters: u64,
}

impl Counts {
    /// Adds another count to this one.
    pub(crate) fn add(&mut self, other: Self) {
        self.outputs += other.outputs;
        self.filtered += other.filtered;
        self.skipped += other.skipped;
        self.dead_letters += other.dead_letters;
    }
}
