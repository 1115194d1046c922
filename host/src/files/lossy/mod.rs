//! A file system in memory that forgets what was not synced.
//!
//! It keeps two pictures of everything: what a running process sees, and what is on the disk. Between them
//! lie the writes of each file and the names of each directory, in order. At a crash some beginning of each
//! arrives, chosen by the seed; the write it stops in is torn, or arrives as zeros. Files and directories
//! are independent of each other, so a new name may outlive the content it stands for.
//!
//! Directories themselves always exist: only names of files are modelled.

mod content;
mod disk;
mod names;
mod random;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::disk::{Disk, FileId};
use super::{Files, Open, OpenFile};

/// The file system of a machine that can lose power. Clones share one disk.
#[derive(Clone, Debug, Default)]
pub struct Lossy(Arc<Mutex<Disk>>);

impl Lossy {
    /// An empty disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The machine loses power and comes back. Files that are open are dead from here on.
    pub fn crash(&self, seed: u64) {
        self.disk().crash(seed);
    }

    /// The process dies; the machine does not, so nothing is lost. Files that are open are dead from here on.
    pub fn kill(&self) {
        self.disk().kill();
    }

    /// Lets this many changing calls succeed. The next one does a part of its work, and from then on every
    /// call fails until the [`crash`](Self::crash).
    pub fn cut_power_after(&self, calls: u64) {
        self.disk().cut_power_after(calls);
    }

    /// Gives all locks back while their files stay open, as a lock that a network file system lost.
    pub fn lose_locks(&self) {
        self.disk().lose_locks();
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Lossy {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn OpenFile>> {
        let mut disk = self.disk();
        let id = disk.open(path, how)?;
        Ok(Box::new(LossyFile {
            files: self.clone(),
            id,
            life: disk.life(),
        }))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.disk().read(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.disk().list(directory)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk().rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk().remove(path)
    }

    fn create_dir(&self, _directory: &Path) -> io::Result<()> {
        self.disk().powered()
    }

    fn may_write_in(&self, _directory: &Path) -> io::Result<()> {
        self.disk().powered()
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.disk().sync_dir(directory)
    }
}

#[derive(Debug)]
struct LossyFile {
    files: Lossy,
    id: FileId,
    life: u64,
}

impl LossyFile {
    fn disk(&self) -> io::Result<MutexGuard<'_, Disk>> {
        let disk = self.files.disk();
        if disk.life() == self.life {
            Ok(disk)
        } else {
            Err(io::Error::other("the process that opened this file died"))
        }
    }
}

impl OpenFile for LossyFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk()?.append(self.id, bytes)
    }

    fn byte_at(&self, offset: u64) -> io::Result<Option<u8>> {
        self.disk()?.byte_at(self.id, offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.disk()?.length(self.id)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.disk()?.truncate(self.id, length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk()?.sync(self.id)
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.disk()?.try_lock(self.id)
    }
}

impl Drop for LossyFile {
    fn drop(&mut self) {
        let mut disk = self.files.disk();
        if disk.life() == self.life {
            disk.unlock(self.id);
        }
    }
}
