//! A file of lines that can be cut back to a durable length.

use std::io;
use std::path::{Path, PathBuf};

use super::look::{self, FileLook};
use super::{DeadLetter, Outputs, SinkError, line};
use crate::files::{Files, Open, OpenFile};

/// Lines are handed to the operating system in pieces of this many bytes. For each one the thread's
/// other tasks move to another thread, so pieces are larger than what a busy sink makes durable
/// together; still larger ones cost memory and gain nothing.
const PIECE_BYTES: usize = 1 << 20;

/// What to do with content that no state describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unstated {
    /// A file with content is refused. The default: the content may be what a lost checkpoint stood for.
    #[default]
    Refuse,
    /// New lines come after the content, once the user wrote `existing-state` out.
    Append,
}

/// An open, locked file of lines.
#[derive(Debug)]
pub(super) struct LineFile {
    path: PathBuf,
    name: String,
    file: Box<dyn OpenFile>,
    cut: Option<u64>,
    /// Lines on their way to the file.
    buffer: Vec<u8>,
    /// The length that the file has, without the buffer, if nobody else writes it.
    length: u64,
    /// The length that is durable.
    durable: u64,
}

impl LineFile {
    /// Opens and locks a file whose first `cut` bytes are described by a state; `None` when no state names
    /// it. Nothing is changed yet but a missing file that may be empty is created.
    pub(super) fn open(
        files: &dyn Files,
        path: &Path,
        cut: Option<u64>,
        unstated: Unstated,
    ) -> Result<Self, SinkError> {
        let how = if may_be_missing(cut) {
            Open::OrCreate
        } else {
            Open::Existing
        };
        Self::checked(files.open(path, how), path, cut, unstated)
    }

    /// What [`open`](Self::open) would find. Nothing is changed, and the file is locked for no longer than
    /// the look.
    pub(super) fn look(
        files: &dyn Files,
        path: &Path,
        cut: Option<u64>,
        unstated: Unstated,
    ) -> Result<FileLook, SinkError> {
        let opened = files.open(path, Open::Existing);
        let is_missing = matches!(&opened, Err(error) if error.kind() == io::ErrorKind::NotFound);
        if is_missing && may_be_missing(cut) {
            look::may_create(files, path)?;
            return Ok(FileLook::Missing);
        }
        let file = Self::checked(opened, path, cut, unstated)?;
        Ok(FileLook::There {
            length: file.length,
            cut: file.cut.unwrap_or(file.length),
        })
    }

    fn checked(
        opened: io::Result<Box<dyn OpenFile>>,
        path: &Path,
        cut: Option<u64>,
        unstated: Unstated,
    ) -> Result<Self, SinkError> {
        let name = path.display().to_string();
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !may_be_missing(cut) => {
                return Err(SinkError::Shorter {
                    name,
                    length: 0,
                    cut: cut.unwrap_or(0),
                });
            }
            Err(source) => {
                return Err(SinkError::Io {
                    name,
                    action: "open the file",
                    source,
                });
            }
        };
        if !file.try_lock().map_err(failed(&name, "lock the file"))? {
            return Err(SinkError::Locked { name });
        }
        let length = file.length().map_err(failed(&name, "read its length"))?;
        let line = Self {
            path: path.to_path_buf(),
            name,
            file,
            cut,
            buffer: Vec::new(),
            length,
            durable: 0,
        };
        match cut {
            Some(cut) => line.check_cut(cut)?,
            None => line.check_unstated(unstated)?,
        }
        Ok(line)
    }

    /// Removes what is past the cut, and makes the file with its name durable.
    pub(super) fn start(&mut self, files: &dyn Files) -> Result<(), SinkError> {
        let cut = self.cut.unwrap_or(self.length);
        if cut < self.length {
            self.file
                .truncate(cut)
                .map_err(failed(&self.name, "cut the file"))?;
            self.length = cut;
        }
        self.file
            .sync()
            .map_err(failed(&self.name, "sync the file"))?;
        self.durable = cut;
        // The name is synced even when the file was there: the process that made it may have died before.
        let directory = self.path.parent().unwrap_or(Path::new(""));
        files
            .sync_dir(directory)
            .map_err(failed(&self.name, "sync its directory"))
    }

    /// Removes what is past a length that was durable once. A state that does not name the file is one of
    /// before it was there.
    pub(super) fn cut_back(&mut self, cut: Option<u64>) -> Result<(), SinkError> {
        self.sync()?;
        let cut = cut.unwrap_or(0);
        self.check_cut(cut)?;
        self.file
            .truncate(cut)
            .map_err(failed(&self.name, "cut the file"))?;
        self.file
            .sync()
            .map_err(failed(&self.name, "sync the file"))?;
        (self.length, self.durable) = (cut, cut);
        Ok(())
    }

    /// Takes the values, one a line. They reach the file in [`write_out`](Self::write_out).
    pub(super) fn add_outputs(&mut self, outputs: &Outputs) {
        line::append_outputs(&mut self.buffer, outputs);
    }

    /// Takes dead letters, one a line.
    pub(super) fn add_dead_letters(&mut self, letters: &[DeadLetter]) -> Result<(), SinkError> {
        line::append_dead_letters(&mut self.buffer, letters)
            .map_err(|error| failed(&self.name, "write a dead letter as JSON")(error.into()))
    }

    /// Whether a piece is complete.
    pub(super) fn is_full(&self) -> bool {
        self.buffer.len() >= PIECE_BYTES
    }

    /// Hands the buffer to the operating system. After an error the end of the file is not known.
    pub(super) fn write_out(&mut self) -> Result<(), SinkError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.file
            .append(&self.buffer)
            .map_err(failed(&self.name, "write the file"))?;
        self.length += u64::try_from(self.buffer.len()).unwrap_or(u64::MAX);
        self.buffer.clear();
        Ok(())
    }

    /// Makes all lines durable and gives the length in bytes.
    pub(super) fn sync(&mut self) -> Result<u64, SinkError> {
        self.write_out()?;
        let length = self
            .file
            .length()
            .map_err(failed(&self.name, "read its length"))?;
        if length != self.length {
            return Err(SinkError::Changed {
                name: self.name.clone(),
                length,
                expected: self.length,
            });
        }
        if self.durable != self.length {
            self.file
                .sync()
                .map_err(failed(&self.name, "sync the file"))?;
            self.durable = self.length;
        }
        Ok(self.durable)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn check_cut(&self, cut: u64) -> Result<(), SinkError> {
        let (name, length) = (self.name.clone(), self.length);
        if length < cut {
            return Err(SinkError::Shorter { name, length, cut });
        }
        if self.ends_a_line(cut)? {
            Ok(())
        } else {
            Err(SinkError::NotALineEnd { name, cut })
        }
    }

    fn check_unstated(&self, unstated: Unstated) -> Result<(), SinkError> {
        let (name, length) = (self.name.clone(), self.length);
        match unstated {
            Unstated::Refuse if length > 0 => Err(SinkError::NotEmpty { name, length }),
            // Ending the line for the user would turn half a record into a line that no reader understands.
            Unstated::Append if !self.ends_a_line(length)? => Err(SinkError::PartialLine { name }),
            Unstated::Refuse | Unstated::Append => Ok(()),
        }
    }

    fn ends_a_line(&self, length: u64) -> Result<bool, SinkError> {
        let Some(last) = length.checked_sub(1) else {
            return Ok(true);
        };
        let byte = self
            .file
            .byte_at(last)
            .map_err(failed(&self.name, "read the file"))?;
        Ok(byte == Some(b'\n'))
    }
}

/// Whether a file of which so much is durable need not be there.
fn may_be_missing(cut: Option<u64>) -> bool {
    cut.unwrap_or(0) == 0
}

pub(super) fn failed(name: &str, action: &'static str) -> impl FnOnce(io::Error) -> SinkError {
    move |source| SinkError::Io {
        name: name.to_owned(),
        action,
        source,
    }
}
