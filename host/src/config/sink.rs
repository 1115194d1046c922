//! Where outputs go.

use std::path::PathBuf;

/// The place that outputs are written to. Default: [`Sink::Stdout`]. Relative paths are already
/// joined with the directory of the configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sink {
    /// Standard output, one value a line.
    Stdout {
        /// The file for dead letters. `None` unless the configuration names one: standard output
        /// has no place for them.
        dead_letter_path: Option<PathBuf>,
    },
    /// A file, one value a line.
    File {
        /// The file.
        path: PathBuf,
        /// The file for dead letters. Default: beside `path`, `<stem>.dead-letter.ndjson`.
        dead_letter_path: PathBuf,
    },
}
