//! Checkpoint stores: where the scheduler's checkpoints survive the process.
//!
//! A store holds one checkpoint: bytes that it does not read, and their generation. It is compare-and-set
//! by *(owner, epoch, generation)*: each opening takes the next epoch, and a save is refused when the store
//! has seen a later epoch or a later generation. So a process that was replaced and does not know it yet
//! cannot put an old checkpoint over a new one.
//!
//! A save that succeeded but whose answer was lost may be repeated: the same generation with the same bytes
//! is accepted again.
//!
//! [`FileCheckpointStore`] is a locked directory; [`MemoryCheckpointStore`] is its twin for tests.

mod envelope;
mod error;
mod file;
mod generation;
mod look;
mod memory;

pub use error::{Disposition, StoreError};
pub use file::FileCheckpointStore;
pub use look::{Look, look};
pub use memory::{MemoryCheckpointStore, MemoryDirectory};

use async_trait::async_trait;

/// A checkpoint as it lies in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The generation that it was saved as.
    pub generation: u64,
    /// The checkpoint, as it was given.
    pub bytes: Vec<u8>,
}

/// A place for one checkpoint.
#[async_trait]
pub trait CheckpointStore: Send {
    /// The checkpoint that was saved last, or `None` when there is none.
    ///
    /// # Errors
    /// A checkpoint that cannot be read as it was written, or a failure of the place.
    async fn load(&mut self) -> Result<Option<Stored>, StoreError>;

    /// Replaces the checkpoint as a whole; it is durable when this returns.
    ///
    /// # Errors
    /// A generation that is not later than the stored one, a store that another process took over, or a
    /// failure of the place. After a failure either the earlier checkpoint or this one is stored.
    async fn save(&mut self, generation: u64, bytes: &[u8]) -> Result<(), StoreError>;

    /// Removes the checkpoint, so that the next run starts fresh.
    ///
    /// # Errors
    /// A store that another process took over, or a failure of the place.
    async fn clear(&mut self) -> Result<(), StoreError>;
}
