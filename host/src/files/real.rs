use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{Files, Open, OpenFile};

/// The file system of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFiles;

impl Files for RealFiles {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn OpenFile>> {
        // A device or a pipe is looked at before it is opened: opening a pipe would wait for its reader.
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(not_regular()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(how != Open::Existing)
            .open(path)?;
        if how == Open::Replace {
            file.set_len(0)?;
        }
        Ok(Box::new(RealFile(file)))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(directory)?
            .map(|entry| Ok(entry?.file_name()))
            .collect()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        let missing: Vec<PathBuf> = directory
            .ancestors()
            .take_while(|path| !is_directory(path))
            .map(Path::to_path_buf)
            .collect();
        for path in missing.iter().rev() {
            match fs::create_dir(path) {
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && is_directory(path) => {}
                made => made?,
            }
        }
        for path in &missing {
            self.sync_dir(parent(path))?;
        }
        // Synced even when it was there: the process that made it may have died before it could. Where we
        // may not look into the directory above, somebody else made it.
        match self.sync_dir(parent(directory)) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && missing.is_empty() => {
                Ok(())
            }
            synced => synced,
        }
    }

    fn may_write_in(&self, directory: &Path) -> io::Result<()> {
        let directory = or_here(directory);
        if !fs::metadata(directory)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(access(directory, Access::WRITE_OK | Access::EXEC_OK)?)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        File::open(or_here(directory))?.sync_all()
    }
}

#[derive(Debug)]
struct RealFile(File);

impl OpenFile for RealFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn byte_at(&self, offset: u64) -> io::Result<Option<u8>> {
        let mut byte = [0];
        Ok((self.0.read_at(&mut byte, offset)? == 1).then_some(byte[0]))
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.0.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file")
}

fn is_directory(path: &Path) -> bool {
    or_here(path).is_dir()
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// The parent of a bare file name is the empty path, which the operating system does not take for a name.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}
