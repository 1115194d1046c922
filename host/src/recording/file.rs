//! The file of a recording.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why there is no file to record into.
#[derive(Debug, Error)]
pub enum CreateError {
    /// Something has that name. It may have been edited by hand, so it is never overwritten.
    #[error("{} is there already; name another file, or remove it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file system refuses.
    #[error("{} cannot be created", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

/// Creates the file of a recording, for its owner alone: it holds row values.
///
/// # Errors
/// There is one already, or the file system refuses.
pub fn create(path: &Path) -> Result<File, CreateError> {
    let created = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(OWNER_ONLY)
        .open(path);
    created.map_err(|source| {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::AlreadyExists {
            CreateError::Exists { path }
        } else {
            CreateError::Io { path, source }
        }
    })
}

/// Read and write for the owner, nothing for others.
const OWNER_ONLY: u32 = 0o600;
