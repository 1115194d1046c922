//! Where progress is kept, and what is done with progress that is already there.

use std::path::PathBuf;

/// The place that checkpoints are kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckpointStore {
    /// A directory. Default: `<meta.name>.checkpoint` beside the configuration file. A relative
    /// path is already joined with the directory of that file.
    File {
        /// The directory.
        directory: PathBuf,
    },
    /// No checkpoint: every run begins at the start position. It has to be asked for.
    None,
}

/// What to do with a checkpoint that is there, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingState {
    /// Goes on from it; begins anew where there is none. The default.
    ResumeOrNew,
    /// Goes on from it; fails where there is none.
    ResumeOrFail,
    /// Fails where there is one.
    FailIfExists,
    /// Begins anew, whatever is there.
    New,
}
