use std::path::Path;

use super::lengths::Lengths;
use super::line_file::{LineFile, failed};
use super::{SinkError, SinkState, Unstated};
use crate::files::{Files, Open};

/// What the opening of a file of lines would find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLook {
    /// There is no file; it would be created.
    Missing,
    /// A file with content, or an empty one.
    There {
        /// Its length in bytes.
        length: u64,
        /// The length in bytes that it would be cut to; `length` when nothing would be cut.
        cut: u64,
    },
}

/// Looks at the files of a sink as its opening at a state would. Nothing is changed, and a file is locked
/// for no longer than the look.
///
/// # Errors
/// A state that is not one of these files. What is wrong with one of them stands in its place.
pub fn look<const N: usize>(
    files: &dyn Files,
    paths: [&Path; N],
    state: Option<&SinkState>,
    unstated: Unstated,
) -> Result<[Result<FileLook, SinkError>; N], SinkError> {
    let cuts = Lengths::of_state(state)?.cuts(paths)?;
    let mut cuts = cuts.into_iter();
    Ok(paths.map(|path| LineFile::look(files, path, cuts.next().flatten(), unstated)))
}

/// Whether a file could be written, when what it should hold is not known.
///
/// # Errors
/// A file that another process writes, or that cannot be written or created.
pub fn reach(files: &dyn Files, path: &Path) -> Result<(), SinkError> {
    let name = path.display().to_string();
    match files.open(path, Open::Existing) {
        Ok(file) if file.try_lock().map_err(failed(&name, "lock the file"))? => Ok(()),
        Ok(_locked) => Err(SinkError::Locked { name }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => may_create(files, path),
        Err(source) => Err(failed(&name, "open the file")(source)),
    }
}

pub(super) fn may_create(files: &dyn Files, path: &Path) -> Result<(), SinkError> {
    let name = path.display().to_string();
    let directory = path.parent().unwrap_or(Path::new(""));
    files
        .may_write_in(directory)
        .map_err(failed(&name, "create the file"))
}
