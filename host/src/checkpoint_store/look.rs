use std::io;
use std::path::Path;

use super::file::{CHECKPOINT, EPOCH, LOCK, failed, held, holder, read};
use super::{StoreError, Stored};
use crate::files::{Files, Open};

/// What a [`FileCheckpointStore`](super::FileCheckpointStore) would find in its directory.
#[derive(Debug)]
pub struct Look {
    /// The process that has the store open, as far as its lock file says; `None` when none has.
    pub holder: Option<String>,
    /// Whether the directory, or the nearest one above it that is there, can be written in.
    pub writable: Result<(), StoreError>,
    /// The checkpoint that was saved last.
    pub stored: Result<Option<Stored>, StoreError>,
}

/// Looks at a directory as [`FileCheckpointStore::open`](super::FileCheckpointStore::open) would. Nothing
/// is changed; a lock that nobody holds is held for no longer than the look.
#[must_use]
pub fn look(files: &dyn Files, directory: &Path) -> Look {
    Look {
        holder: holder_of(files, &directory.join(LOCK)),
        writable: writable(files, directory),
        stored: stored(files, directory),
    }
}

/// A lock file that cannot be opened says nothing: whether the directory can be written in does.
fn holder_of(files: &dyn Files, lock: &Path) -> Option<String> {
    let file = files.open(lock, Open::Existing).ok()?;
    let is_free = file.try_lock().unwrap_or(true);
    (!is_free).then(|| holder(files, lock))
}

fn writable(files: &dyn Files, directory: &Path) -> Result<(), StoreError> {
    for path in directory.ancestors() {
        match files.may_write_in(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            may => return may.map_err(failed(path, "write in this directory")),
        }
    }
    let nothing = io::ErrorKind::NotFound.into();
    Err(failed(directory, "find a directory above it")(nothing))
}

fn stored(files: &dyn Files, directory: &Path) -> Result<Option<Stored>, StoreError> {
    // The epoch is of no interest here, and a store whose epoch cannot be read does not open.
    absent_without_directory(read(files, &directory.join(EPOCH)))?;
    let path = directory.join(CHECKPOINT);
    let file = absent_without_directory(read(files, &path))?;
    held(file.as_ref(), &path)?;
    Ok(file.and_then(|file| {
        Some(Stored {
            generation: file.generation?,
            bytes: file.bytes,
        })
    }))
}

/// Where the directory is none there is no file either; that it is none is told once.
fn absent_without_directory<T>(
    read: Result<Option<T>, StoreError>,
) -> Result<Option<T>, StoreError> {
    match read {
        Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotADirectory => {
            Ok(None)
        }
        read => read,
    }
}
