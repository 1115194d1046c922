use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Whether a failed operation of a store is worth trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The same call may succeed later.
    Retry,
    /// Somebody has to change something first.
    Fatal,
}

/// Why a checkpoint store failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The place itself failed.
    #[error("{}: cannot {action}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The answer of the operating system.
        source: io::Error,
    },
    /// Another process has the store open.
    #[error("{}: in use by {holder}; stop it or choose another directory", directory.display())]
    Locked {
        /// The directory of the store.
        directory: PathBuf,
        /// Who holds it, as far as the lock file says: owner and process id.
        holder: String,
    },
    /// Another process took the store over.
    #[error(
        "the checkpoint store was taken over by {owner} (epoch {theirs}, ours is {ours}); this process must stop"
    )]
    Fenced {
        /// The owner that has the store.
        owner: String,
        /// Its epoch.
        theirs: u64,
        /// The epoch of this store.
        ours: u64,
    },
    /// A save would put an older checkpoint over a newer one.
    #[error("checkpoint generation {given} is not later than the stored generation {stored}")]
    Stale {
        /// The generation of the save.
        given: u64,
        /// The generation that is stored.
        stored: u64,
    },
    /// The file is one of ours, but not as it was written.
    #[error(
        "{}: damaged ({reason}); restore it from a copy, or move it away and start with existing-state: new",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: &'static str,
    },
    /// The file was written by a later version of this program.
    #[error(
        "{}: has format {version}, this program reads up to {newest}; use the program that wrote it or a later one",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        version: u64,
        /// The latest format that this program reads.
        newest: u64,
    },
    /// The file is not one of ours.
    #[error("{}: not a file of this program; choose another directory or move it away", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
}

impl StoreError {
    /// What to do about the failure. Total: every variant has one answer.
    #[must_use]
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Io { source, .. } if !needs_a_person(source.kind()) => Disposition::Retry,
            Self::Io { .. }
            | Self::Locked { .. }
            | Self::Fenced { .. }
            | Self::Stale { .. }
            | Self::Damaged { .. }
            | Self::Newer { .. }
            | Self::Foreign { .. } => Disposition::Fatal,
        }
    }
}

/// A full or flaky disk may recover; a directory that is gone or closed to us does not by itself.
fn needs_a_person(kind: io::ErrorKind) -> bool {
    [
        io::ErrorKind::NotFound,
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::NotADirectory,
        io::ErrorKind::IsADirectory,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::Unsupported,
        io::ErrorKind::InvalidInput,
    ]
    .contains(&kind)
}
