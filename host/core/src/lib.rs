//! Sans-io scheduler of partitioned change streams.
//!
//! The scheduler decides which partitions are read, in what order, from where, and what may be
//! saved. It has no clock, no network, no files and no payloads: it sees positions, counts and
//! bytes, and time comes in with every call.
//!
//! ```text
//!   reader: items decoded -> Event::Delivered --+                  +-> Command::Open / Close / Hold / Release
//!   sink:   outputs durable -> Event::Durable --+--> Scheduler ----+-> Command::Save
//!   store:  written -> Event::Saved ------------+                  +-> Command::Complete / Abort
//! ```
//!
//! A caller hands in one [`Event`] with [`Scheduler::handle`], then takes [`Output`]s with
//! [`Scheduler::poll_output`] until a timeout comes out: the instant at which to send
//! [`Event::Tick`] if nothing happens before.
//!
//! Everything that a stream says is an [`Item`] and gets a number, in stream order. Position,
//! watermark, children, moves and the end of a partition follow the contiguous prefix of items
//! that are acknowledged, and nothing else, so a checkpoint never claims more than the sink has.
//!
//! A partition is known by a name that the service gives it, and follows others that it names; or it is
//! a range of row keys, and goes on from the tokens of those that had the keys before it. A snapshot is
//! planned first; its parts are read in any order, and a stream that follows it waits for all of them.
//!
//! The rules that must always hold are the numbered checks in [`invariant`].
#![forbid(unsafe_code)]

pub mod invariant;

mod checkpoint;
mod command;
mod credit;
mod event;
mod history;
mod id;
mod item;
mod ledger;
mod limits;
mod links;
mod partition;
mod queue;
mod range;
mod reading;
mod resume;
#[cfg(any(test, feature = "sabotage"))]
mod sabotage;
mod scheduler;
mod view;
mod watermark;

pub use checkpoint::{
    Checkpoint, CheckpointError, Dependencies, Move, RewindError, SavedPartition, SinkState,
    Tombstone, Until,
};
pub use command::{Abort, Command, Output};
pub use event::{Event, Now, ReadFailure, SaveFailure};
pub use history::Past;
pub use id::{Attempt, Generation, PartitionId, ReaderId, Seq};
pub use item::{Child, Item, Mark, Part, Successor};
pub use jiff::Timestamp;
pub use limits::{Backoff, CleanEnd, Limits};
pub use range::{EmptyRange, KeyRange, NotARange};
pub use resume::{Boundary, Covered, RangeToken, Resume, RowToken, RowsRead};
#[cfg(any(test, feature = "sabotage"))]
pub use sabotage::Sabotage;
pub use scheduler::{First, Scheduler, Start};
pub use view::{PartitionState, PartitionView, Stats, Wait};
