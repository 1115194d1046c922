use std::ffi::OsString;
use std::io;
use std::path::Path;

use acequia_host::files::{Files, Lossy, Open, OpenFile};

/// A step that a careless sink or store would leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Sync,
    SyncDir,
    Truncate,
}

/// A file system that says it did the step in one directory, and did not.
#[derive(Debug)]
pub(super) struct Careless {
    pub(super) files: Lossy,
    pub(super) directory: &'static str,
    pub(super) left_out: Step,
}

#[derive(Debug)]
struct CarelessFile {
    file: Box<dyn OpenFile>,
    left_out: Option<Step>,
}

impl Files for Careless {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn OpenFile>> {
        let left_out = path.starts_with(self.directory).then_some(self.left_out);
        let file = self.files.open(path, how)?;
        Ok(Box::new(CarelessFile { file, left_out }))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.files.list(directory)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files.remove(path)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.files.create_dir(directory)
    }

    fn may_write_in(&self, directory: &Path) -> io::Result<()> {
        self.files.may_write_in(directory)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        if self.left_out == Step::SyncDir && directory.starts_with(self.directory) {
            Ok(())
        } else {
            self.files.sync_dir(directory)
        }
    }
}

impl OpenFile for CarelessFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn byte_at(&self, offset: u64) -> io::Result<Option<u8>> {
        self.file.byte_at(offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        if self.left_out == Some(Step::Truncate) {
            Ok(())
        } else {
            self.file.truncate(length)
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.left_out == Some(Step::Sync) {
            Ok(())
        } else {
            self.file.sync()
        }
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.file.try_lock()
    }
}
