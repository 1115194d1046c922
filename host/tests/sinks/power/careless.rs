use std::ffi::OsString;
use std::io;
use std::path::Path;

use acequia_host::files::{Files, Lossy, Open, OpenFile};

/// A step that a careless sink or store would leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    Sync,
    SyncDir,
    Truncate,
}

/// A file system that says it did the step, and did not.
#[derive(Debug)]
pub(super) struct Careless(pub(super) Lossy, pub(super) Skip);

#[derive(Debug)]
struct CarelessFile(Box<dyn OpenFile>, Skip);

impl Files for Careless {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(CarelessFile(self.0.open(path, how)?, self.1)))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.0.list(directory)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.remove(path)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.0.create_dir(directory)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        if self.1 == Skip::SyncDir {
            Ok(())
        } else {
            self.0.sync_dir(directory)
        }
    }
}

impl OpenFile for CarelessFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.append(bytes)
    }

    fn byte_at(&self, offset: u64) -> io::Result<Option<u8>> {
        self.0.byte_at(offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        if self.1 == Skip::Truncate {
            Ok(())
        } else {
            self.0.truncate(length)
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.1 == Skip::Sync {
            Ok(())
        } else {
            self.0.sync()
        }
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.0.try_lock()
    }
}
