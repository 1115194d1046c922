use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::generation::{Admission, Held};
use super::{CheckpointStore, StoreError, Stored};

/// What a [`MemoryCheckpointStore`] holds. It outlives the store, as a directory does. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryDirectory(Arc<Mutex<Content>>);

#[derive(Debug, Default)]
struct Content {
    owner: String,
    epoch: u64,
    stored: Option<Stored>,
}

impl MemoryDirectory {
    /// An empty directory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The checkpoint that is held, for tests.
    #[must_use]
    pub fn stored(&self) -> Option<Stored> {
        self.content().stored.clone()
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A checkpoint in memory: the twin of [`FileCheckpointStore`](super::FileCheckpointStore) for tests. There
/// is no lock; a later opening fences the earlier ones.
#[derive(Debug)]
pub struct MemoryCheckpointStore {
    directory: MemoryDirectory,
    epoch: u64,
}

impl MemoryCheckpointStore {
    /// Opens the directory with the next epoch.
    #[must_use]
    pub fn open(directory: &MemoryDirectory, owner: &str) -> Self {
        let mut content = directory.content();
        content.epoch += 1;
        content.owner = owner.to_owned();
        Self {
            directory: directory.clone(),
            epoch: content.epoch,
        }
    }

    fn owned(&self) -> Result<MutexGuard<'_, Content>, StoreError> {
        let content = self.directory.content();
        if content.epoch == self.epoch {
            return Ok(content);
        }
        Err(StoreError::Fenced {
            owner: content.owner.clone(),
            theirs: content.epoch,
            ours: self.epoch,
        })
    }
}

#[async_trait]
impl CheckpointStore for MemoryCheckpointStore {
    async fn load(&mut self) -> Result<Option<Stored>, StoreError> {
        Ok(self.directory.stored())
    }

    async fn save(&mut self, generation: u64, bytes: &[u8]) -> Result<(), StoreError> {
        let mut content = self.owned()?;
        let held = content
            .stored
            .as_ref()
            .map_or_else(Held::nothing, |stored| {
                Held::of(stored.generation, &stored.bytes)
            });
        if held.admit(generation, bytes)? == Admission::Store {
            content.stored = Some(Stored {
                generation,
                bytes: bytes.to_vec(),
            });
        }
        Ok(())
    }

    async fn clear(&mut self) -> Result<(), StoreError> {
        self.owned()?.stored = None;
        Ok(())
    }
}
