use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use super::lengths::Lengths;
use super::line_file::{LineFile, Unstated};
use super::{OutputBatch, Sink, SinkError, SinkState, line};
use crate::files::{Files, blocking};

/// Where a [`FileSink`] writes.
#[derive(Clone, Debug)]
pub struct FileSinkOptions {
    /// The file of the values, one a line. Its directory must exist.
    pub path: PathBuf,
    /// The file of the dead letters, one JSON object a line. Its last component differs from that of `path`.
    pub dead_letter_path: PathBuf,
    /// What to do with content that no state describes. Default: refuse.
    pub unstated: Unstated,
}

/// Values as lines of one file, dead letters as lines of another.
///
/// Both are created at the opening. The state is `{"files":{"<last component>":<durable length in bytes>}}`,
/// always at the end of a line. Keys are not written: the value of a deserializer holds what it wants kept.
#[derive(Debug)]
pub struct FileSink {
    output: LineFile,
    dead_letters: LineFile,
    failed: bool,
}

impl FileSink {
    /// Opens the files and goes back to the cut of the state; without a state, starts fresh.
    ///
    /// Everything is checked before anything is cut, so a refusal leaves the files as they are.
    ///
    /// # Errors
    /// A file that is locked, shorter than the state says, not the one that was written, or not empty on a
    /// fresh start; a state of another sink; a failure of the file system.
    pub fn open(
        files: &Arc<dyn Files>,
        options: &FileSinkOptions,
        state: Option<&SinkState>,
    ) -> Result<Self, SinkError> {
        let FileSinkOptions {
            path,
            dead_letter_path,
            unstated,
        } = options;
        let [output_cut, letters_cut] =
            Lengths::of_state(state)?.cuts([path, dead_letter_path].map(PathBuf::as_path))?;
        let mut output = LineFile::open(files.as_ref(), path, output_cut, *unstated)?;
        let mut dead_letters =
            LineFile::open(files.as_ref(), dead_letter_path, letters_cut, *unstated)?;
        output.start(files.as_ref())?;
        dead_letters.start(files.as_ref())?;
        Ok(Self {
            output,
            dead_letters,
            failed: false,
        })
    }

    fn accept(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        self.output.add_outputs(&batch.outputs);
        self.dead_letters.add_dead_letters(&batch.dead_letters)?;
        if self.output.is_full() || self.dead_letters.is_full() {
            blocking(|| {
                self.output.write_out()?;
                self.dead_letters.write_out()
            })?;
        }
        Ok(())
    }

    fn make_durable(&mut self) -> Result<SinkState, SinkError> {
        let mut lengths = Lengths::default();
        for file in [&mut self.output, &mut self.dead_letters] {
            let length = file.sync()?;
            lengths.add(file.path(), length)?;
        }
        lengths.to_state()
    }

    fn cut(&mut self, state: &SinkState) -> Result<(), SinkError> {
        let paths = [self.output.path(), self.dead_letters.path()];
        let [output, letters] = Lengths::of_state(Some(state))?.cuts(paths)?;
        self.output.cut_back(output)?;
        self.dead_letters.cut_back(letters)
    }

    fn usable(&self) -> Result<(), SinkError> {
        match self.failed {
            true => Err(SinkError::Broken {
                name: self.output.path().display().to_string(),
            }),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl Sink for FileSink {
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        self.usable()?;
        line::check(&batch.outputs)?;
        let accepted = self.accept(batch);
        self.failed = accepted.is_err();
        accepted
    }

    async fn sync(&mut self) -> Result<SinkState, SinkError> {
        self.usable()?;
        // After a failed sync the operating system may call lost pages clean, so a second one proves nothing.
        // Source: https://wiki.postgresql.org/wiki/Fsync_Errors
        let state = blocking(|| self.make_durable());
        self.failed = state.is_err();
        state
    }

    async fn cut_back(&mut self, state: &SinkState) -> Result<(), SinkError> {
        self.usable()?;
        let cut = blocking(|| self.cut(state));
        self.failed = cut.is_err();
        cut
    }
}
