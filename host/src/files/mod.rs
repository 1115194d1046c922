//! The part of a file system that sinks and checkpoint stores rely on, as a trait.
//!
//! [`RealFiles`] is the operating system's. [`Lossy`] lives in memory and forgets, at a crash, whatever was
//! not synced: the one way to see in a test what power loss does, since `kill -9` keeps the page cache.
//!
//! Every call blocks. [`blocking()`] runs such calls from async code without holding up other tasks.

mod blocking;
mod lossy;
mod real;

pub use blocking::blocking;
pub use lossy::Lossy;
pub use real::RealFiles;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The file must exist.
    Existing,
    /// The file is created when it is missing. Its name is durable only after a [`Files::sync_dir`].
    OrCreate,
    /// The file is created, and emptied when it exists.
    Replace,
}

/// A file system.
pub trait Files: Send + Sync + fmt::Debug {
    /// Opens a regular file to append, read, cut and lock.
    ///
    /// # Errors
    /// What the file system answers; `InvalidInput` for something that is not a regular file.
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn OpenFile>>;

    /// The whole content of a file.
    ///
    /// # Errors
    /// What the file system answers; `NotFound` when there is none.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names in a directory, in no particular order.
    ///
    /// # Errors
    /// What the file system answers.
    fn list(&self, directory: &Path) -> io::Result<Vec<OsString>>;

    /// Gives a file another name in the same directory, in one step, replacing what has that name.
    ///
    /// # Errors
    /// What the file system answers.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a name.
    ///
    /// # Errors
    /// What the file system answers; `NotFound` when there is none.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory and those above it durably. One that exists is fine.
    ///
    /// # Errors
    /// What the file system answers.
    fn create_dir(&self, directory: &Path) -> io::Result<()>;

    /// Whether names could be made and removed in a directory. Nothing is changed.
    ///
    /// # Errors
    /// Why not: `NotFound` when there is no such directory, `NotADirectory` when it is none.
    fn may_write_in(&self, directory: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable: those created, renamed and removed.
    ///
    /// # Errors
    /// What the file system answers.
    fn sync_dir(&self, directory: &Path) -> io::Result<()>;
}

/// An open file. Dropping it gives its lock back.
pub trait OpenFile: Send + fmt::Debug {
    /// Writes after the last byte. After an error any part of the bytes may have been written.
    ///
    /// # Errors
    /// What the file system answers.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The byte at an offset, or `None` past the end.
    ///
    /// # Errors
    /// What the file system answers.
    fn byte_at(&self, offset: u64) -> io::Result<Option<u8>>;

    /// The length in bytes.
    ///
    /// # Errors
    /// What the file system answers.
    fn length(&self) -> io::Result<u64>;

    /// Cuts the file to a length in bytes.
    ///
    /// # Errors
    /// What the file system answers.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Makes content and length durable, but not the file's name.
    ///
    /// # Errors
    /// What the file system answers. Nothing is known then about what was not durable before.
    fn sync(&mut self) -> io::Result<()>;

    /// Takes the exclusive lock for as long as the file is open; `false` when somebody else holds it.
    ///
    /// # Errors
    /// What the file system answers.
    fn try_lock(&self) -> io::Result<bool>;
}
