use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use super::envelope::{self, Envelope};
use super::generation::{Admission, Held};
use super::{CheckpointStore, StoreError, Stored};
use crate::files::{Files, Open, OpenFile, blocking};

pub(super) const LOCK: &str = "LOCK";
pub(super) const EPOCH: &str = "epoch";
pub(super) const CHECKPOINT: &str = "checkpoint";

/// A directory that holds one checkpoint.
///
/// | file | what it is |
/// |---|---|
/// | `LOCK` | locked for as long as the store is open; names the owner and its process |
/// | `epoch` | the owner and the epoch of the last opening |
/// | `checkpoint` | the checkpoint, with owner, epoch, generation and checksum |
/// | `*.tmp` | a file that was being written when its process died; removed at the next opening |
///
/// A file is replaced by writing another one, syncing it, renaming it and syncing the directory. The lock
/// keeps a second process out; the epoch does so where locks are lost, as on some network file systems.
#[derive(Debug)]
pub struct FileCheckpointStore {
    files: Arc<dyn Files>,
    directory: PathBuf,
    owner: String,
    epoch: u64,
    held: Held,
    /// Held for its lock.
    _lock: Box<dyn OpenFile>,
}

impl FileCheckpointStore {
    /// Opens the store, and creates its directory when it is missing. `owner` is the name of the connector.
    ///
    /// Files that cannot be read are refused before anything is written, and nothing is deleted.
    ///
    /// # Errors
    /// A directory that another process has open; a file that is damaged, newer or not ours; a failure of
    /// the file system.
    pub fn open(files: Arc<dyn Files>, directory: &Path, owner: &str) -> Result<Self, StoreError> {
        files
            .create_dir(directory)
            .map_err(failed(directory, "create the directory"))?;
        let lock = lock(files.as_ref(), directory, owner)?;
        let last = read(files.as_ref(), &directory.join(EPOCH))?.map_or(0, |file| file.epoch);
        let stored = read(files.as_ref(), &directory.join(CHECKPOINT))?;
        // A checkpoint may outlive an epoch file that somebody removed.
        let epoch = stored.as_ref().map_or(last, |file| last.max(file.epoch)) + 1;
        let held = held(stored.as_ref(), &directory.join(CHECKPOINT))?;
        let store = Self {
            files,
            directory: directory.to_path_buf(),
            owner: owner.to_owned(),
            epoch,
            held,
            _lock: lock,
        };
        store.remove_leftovers()?;
        store.replace(EPOCH, None)?;
        Ok(store)
    }

    /// The number of this opening.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    fn read_checkpoint(&mut self) -> Result<Option<Stored>, StoreError> {
        let path = self.directory.join(CHECKPOINT);
        let file = read(self.files.as_ref(), &path)?;
        self.held = held(file.as_ref(), &path)?;
        Ok(file.and_then(|file| {
            Some(Stored {
                generation: file.generation?,
                bytes: file.bytes,
            })
        }))
    }

    fn replace_checkpoint(&mut self, generation: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.check_epoch()?;
        if self.held.admit(generation, bytes)? == Admission::Store {
            self.replace(CHECKPOINT, Some((generation, bytes)))?;
            self.held = Held::of(generation, bytes);
        }
        Ok(())
    }

    fn remove_checkpoint(&mut self) -> Result<(), StoreError> {
        self.check_epoch()?;
        let path = self.directory.join(CHECKPOINT);
        match self.files.remove(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(failed(&path, "remove the file")(source))
            }
            Ok(()) | Err(_) => self.sync_directory(),
        }?;
        self.held = Held::nothing();
        Ok(())
    }

    fn check_epoch(&self) -> Result<(), StoreError> {
        let path = self.directory.join(EPOCH);
        let file = self
            .files
            .read(&path)
            .map_err(failed(&path, "read the file"))?;
        let Envelope {
            owner,
            epoch: theirs,
            ..
        } = envelope::decode(&path, &file)?;
        let ours = self.epoch;
        if theirs == ours {
            Ok(())
        } else {
            Err(StoreError::Fenced {
                owner,
                theirs,
                ours,
            })
        }
    }

    /// Puts a file in the place of another, so that a reader finds the one or the other, whole.
    fn replace(&self, name: &str, content: Option<(u64, &[u8])>) -> Result<(), StoreError> {
        let path = self.directory.join(name);
        // Two processes that both believe to own the store must not write into one file.
        let written =
            self.directory
                .join(format!("{name}.{}-{}.tmp", self.epoch, std::process::id()));
        let bytes = envelope::encode(&self.owner, self.epoch, content)
            .map_err(|error| failed(&path, "write its header")(error.into()))?;
        let mut file = self
            .files
            .open(&written, Open::Replace)
            .map_err(failed(&written, "create the file"))?;
        file.append(&bytes)
            .map_err(failed(&written, "write the file"))?;
        file.sync().map_err(failed(&written, "sync the file"))?;
        self.files
            .rename(&written, &path)
            .map_err(failed(&path, "replace the file"))?;
        self.sync_directory()
    }

    fn remove_leftovers(&self) -> Result<(), StoreError> {
        let names = self
            .files
            .list(&self.directory)
            .map_err(failed(&self.directory, "list the directory"))?;
        for name in names {
            let text = name.to_string_lossy();
            let ours = [CHECKPOINT, EPOCH]
                .iter()
                .any(|prefix| text.starts_with(&format!("{prefix}.")));
            if ours && text.ends_with(".tmp") {
                let path = self.directory.join(&name);
                self.files
                    .remove(&path)
                    .map_err(failed(&path, "remove the file"))?;
            }
        }
        Ok(())
    }

    fn sync_directory(&self) -> Result<(), StoreError> {
        self.files
            .sync_dir(&self.directory)
            .map_err(failed(&self.directory, "sync the directory"))
    }
}

#[async_trait]
impl CheckpointStore for FileCheckpointStore {
    async fn load(&mut self) -> Result<Option<Stored>, StoreError> {
        blocking(|| self.read_checkpoint())
    }

    async fn save(&mut self, generation: u64, bytes: &[u8]) -> Result<(), StoreError> {
        blocking(|| self.replace_checkpoint(generation, bytes))
    }

    async fn clear(&mut self) -> Result<(), StoreError> {
        blocking(|| self.remove_checkpoint())
    }
}

fn lock(files: &dyn Files, directory: &Path, owner: &str) -> Result<Box<dyn OpenFile>, StoreError> {
    let path = directory.join(LOCK);
    let mut file = files
        .open(&path, Open::OrCreate)
        .map_err(failed(&path, "open the lock file"))?;
    if !file.try_lock().map_err(failed(&path, "lock the file"))? {
        return Err(StoreError::Locked {
            directory: directory.to_path_buf(),
            holder: holder(files, &path),
        });
    }
    let holder = format!("{owner} (process {})\n", std::process::id());
    file.truncate(0)
        .and_then(|()| file.append(holder.as_bytes()))
        .map_err(failed(&path, "write the lock file"))?;
    Ok(file)
}

/// Who holds a lock, as far as its file says.
pub(super) fn holder(files: &dyn Files, lock: &Path) -> String {
    let text = files.read(lock).unwrap_or_default();
    match String::from_utf8_lossy(&text).trim() {
        "" => "another process".to_owned(),
        holder => holder.to_owned(),
    }
}

pub(super) fn read(files: &dyn Files, path: &Path) -> Result<Option<Envelope>, StoreError> {
    match files.read(path) {
        Ok(file) => envelope::decode(path, &file).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(failed(path, "read the file")(source)),
    }
}

pub(super) fn held(file: Option<&Envelope>, path: &Path) -> Result<Held, StoreError> {
    let Some(file) = file else {
        return Ok(Held::nothing());
    };
    let generation = file.generation.ok_or(StoreError::Damaged {
        path: path.to_path_buf(),
        reason: "it is an epoch without a checkpoint",
    })?;
    Ok(Held::of(generation, &file.bytes))
}

pub(super) fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    move |source| StoreError::Io {
        path: path.to_path_buf(),
        action,
        source,
    }
}
