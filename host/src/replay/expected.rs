//! The lines of a replay that was looked at and found right.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::difference::Difference;
use super::lines::Lines;
use crate::chain::chain;

/// The file of what came out.
const OUTPUTS: &str = "outputs.ndjson";
/// The file of what failed.
const FAILURES: &str = "failures.ndjson";

/// A directory with the expected lines: `outputs.ndjson` and `failures.ndjson`.
#[derive(Clone, Debug)]
pub struct Expected {
    directory: PathBuf,
}

/// Why lines cannot be compared with, or kept as, the expected ones.
#[derive(Debug, Error)]
pub enum ExpectedError {
    /// There are none.
    #[error("{} is not there; --bless writes it", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file system refuses.
    #[error("{} cannot be {done}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Read or written.
        done: &'static str,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

impl ExpectedError {
    /// The error and its cause, on one line.
    pub fn text(&self) -> String {
        chain(self)
    }
}

impl Expected {
    /// The expected lines in a directory.
    pub fn of(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
        }
    }

    /// Keeps these lines as the expected ones. The directory is made if it is missing.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn bless(&self, lines: &Lines) -> Result<(), ExpectedError> {
        std::fs::create_dir_all(&self.directory).map_err(failed(&self.directory, "written"))?;
        for (path, lines) in self.files(lines) {
            let mut text = lines.join("\n");
            if !text.is_empty() {
                text.push('\n');
            }
            std::fs::write(&path, text).map_err(failed(&path, "written"))?;
        }
        Ok(())
    }

    /// Where these lines differ from the expected ones; nothing where they do not.
    ///
    /// # Errors
    /// There are none, or the file system refuses.
    pub fn compare(&self, found: &Lines) -> Result<Vec<Difference>, ExpectedError> {
        let mut differences = Vec::new();
        for (path, found) in self.files(found) {
            let expected = std::fs::read_to_string(&path).map_err(failed(&path, "read"))?;
            let expected: Vec<&str> = expected.lines().collect();
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            differences.extend(Difference::of(&path, &expected, &found));
        }
        Ok(differences)
    }

    fn files<'a>(&self, lines: &'a Lines) -> [(PathBuf, &'a [String]); 2] {
        [
            (self.directory.join(OUTPUTS), lines.outputs.as_slice()),
            (self.directory.join(FAILURES), lines.failures.as_slice()),
        ]
    }
}

fn failed(path: &Path, done: &'static str) -> impl FnOnce(io::Error) -> ExpectedError {
    let path = path.to_owned();
    move |source| {
        if done == "read" && source.kind() == io::ErrorKind::NotFound {
            ExpectedError::Missing { path }
        } else {
            ExpectedError::Io { path, done, source }
        }
    }
}
