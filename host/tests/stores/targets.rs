//! What the conformance suite needs to know of each store.

use std::path::Path;
use std::sync::Arc;

use acequia_host::checkpoint_store::{
    CheckpointStore, FileCheckpointStore, MemoryCheckpointStore, MemoryDirectory, StoreError,
};
use acequia_host::files::{Lossy, RealFiles};

use crate::faults::{Fault, Faulty};

pub(crate) const DIRECTORY: &str = "/state";

/// A place that outlives the stores that use it.
pub(crate) trait Target {
    fn open(&self, owner: &str) -> Result<Box<dyn CheckpointStore>, StoreError>;
    /// Lets another process in while a store is open, as a lost lock does.
    fn lose_locks(&self);
    /// Loses what is not durable, as far as this place can lose it. No store is open.
    fn crash(&self);
}

/// A directory of the operating system; a crash is the death of the process.
pub(crate) struct RealTarget(pub(crate) tempfile::TempDir);

impl RealTarget {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn directory(&self) -> std::path::PathBuf {
        self.0.path().join("state")
    }
}

impl Target for RealTarget {
    fn open(&self, owner: &str) -> Result<Box<dyn CheckpointStore>, StoreError> {
        Ok(Box::new(FileCheckpointStore::open(
            Arc::new(RealFiles),
            &self.directory(),
            owner,
        )?))
    }

    fn lose_locks(&self) {
        std::fs::remove_file(self.directory().join("LOCK")).unwrap();
    }

    fn crash(&self) {}
}

/// A directory that forgets what was not synced.
#[derive(Default)]
pub(crate) struct LossyTarget(pub(crate) Lossy);

impl Target for LossyTarget {
    fn open(&self, owner: &str) -> Result<Box<dyn CheckpointStore>, StoreError> {
        Ok(Box::new(FileCheckpointStore::open(
            Arc::new(self.0.clone()),
            Path::new(DIRECTORY),
            owner,
        )?))
    }

    fn lose_locks(&self) {
        self.0.lose_locks();
    }

    fn crash(&self) {
        self.0.crash(11);
    }
}

impl Target for MemoryDirectory {
    fn open(&self, owner: &str) -> Result<Box<dyn CheckpointStore>, StoreError> {
        Ok(Box::new(MemoryCheckpointStore::open(self, owner)))
    }

    fn lose_locks(&self) {}

    fn crash(&self) {}
}

/// Any of them behind a fault that may delay but breaks nothing.
pub(crate) struct Delayed<T>(pub(crate) T, pub(crate) fn() -> Fault);

impl<T: Target> Target for Delayed<T> {
    fn open(&self, owner: &str) -> Result<Box<dyn CheckpointStore>, StoreError> {
        Ok(Box::new(Faulty::new(self.0.open(owner)?, self.1())))
    }

    fn lose_locks(&self) {
        self.0.lose_locks();
    }

    fn crash(&self) {
        self.0.crash();
    }
}
