use std::io;
use std::path::Path;

use async_trait::async_trait;
use tokio::io::{AsyncWrite, AsyncWriteExt, Stdout};

use super::lengths::Lengths;
use super::line_file::{LineFile, Unstated};
use super::{OutputBatch, Sink, SinkError, SinkState, line};
use crate::files::{Files, blocking};

const NAME: &str = "standard output";

/// Values as lines of standard output.
///
/// A line that was printed stays printed, so after a restart lines may come again. A batch is printed when
/// it is accepted and flushed at a sync. Dead letters have no place here but a file, when one is given; the
/// state is of that file alone.
#[derive(Debug)]
pub struct StdoutSink<W = Stdout> {
    writer: W,
    lines: Vec<u8>,
    dead_letters: Option<LineFile>,
    failed: bool,
}

impl StdoutSink {
    /// Prints to the standard output of this process; `dead_letters` is a path and what to do with content
    /// that no state describes.
    ///
    /// # Errors
    /// As [`FileSink::open`](super::FileSink::open), for the dead letters.
    pub fn open(
        files: &dyn Files,
        dead_letters: Option<(&Path, Unstated)>,
        state: Option<&SinkState>,
    ) -> Result<Self, SinkError> {
        Self::over(tokio::io::stdout(), files, dead_letters, state)
    }
}

impl<W: AsyncWrite + Unpin + Send> StdoutSink<W> {
    /// Prints to a writer that stands for standard output.
    ///
    /// # Errors
    /// As [`open`](StdoutSink::open).
    pub fn over(
        writer: W,
        files: &dyn Files,
        dead_letters: Option<(&Path, Unstated)>,
        state: Option<&SinkState>,
    ) -> Result<Self, SinkError> {
        let lengths = Lengths::of_state(state)?;
        let dead_letters = match dead_letters {
            None => {
                let [] = lengths.cuts([])?;
                None
            }
            Some((path, unstated)) => {
                let [cut] = lengths.cuts([path])?;
                let mut file = LineFile::open(files, path, cut, unstated)?;
                file.start(files)?;
                Some(file)
            }
        };
        Ok(Self {
            writer,
            lines: Vec::new(),
            dead_letters,
            failed: false,
        })
    }

    fn begin(&mut self) -> Result<(), SinkError> {
        // Set until the call comes to its end: a future that is dropped half way may leave half a line.
        match std::mem::replace(&mut self.failed, true) {
            true => Err(SinkError::Broken {
                name: NAME.to_owned(),
            }),
            false => Ok(()),
        }
    }

    async fn print(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        match &mut self.dead_letters {
            Some(file) => {
                file.add_dead_letters(&batch.dead_letters)?;
                if file.is_full() {
                    blocking(|| file.write_out())?;
                }
            }
            None if batch.dead_letters.is_empty() => {}
            None => return Err(SinkError::NoDeadLetters),
        }
        self.lines.clear();
        line::append_outputs(&mut self.lines, &batch.outputs);
        self.writer
            .write_all(&self.lines)
            .await
            .map_err(failed("print"))
    }

    async fn flush(&mut self) -> Result<SinkState, SinkError> {
        self.writer.flush().await.map_err(failed("flush"))?;
        let mut lengths = Lengths::default();
        if let Some(file) = &mut self.dead_letters {
            let length = blocking(|| file.sync())?;
            lengths.add(file.path(), length)?;
        }
        lengths.to_state()
    }
}

#[async_trait]
impl<W: AsyncWrite + Unpin + Send> Sink for StdoutSink<W> {
    async fn write(&mut self, batch: &OutputBatch) -> Result<(), SinkError> {
        line::check(&batch.outputs)?;
        self.begin()?;
        self.print(batch).await?;
        self.failed = false;
        Ok(())
    }

    async fn sync(&mut self) -> Result<SinkState, SinkError> {
        self.begin()?;
        let state = self.flush().await?;
        self.failed = false;
        Ok(state)
    }

    /// What was printed stays printed.
    async fn cut_back(&mut self, state: &SinkState) -> Result<(), SinkError> {
        self.begin()?;
        if let Some(file) = &mut self.dead_letters {
            let [cut] = Lengths::of_state(Some(state))?.cuts([file.path()])?;
            blocking(|| file.cut_back(cut))?;
        }
        self.failed = false;
        Ok(())
    }
}

fn failed(action: &'static str) -> impl FnOnce(io::Error) -> SinkError {
    move |source| match source.kind() == io::ErrorKind::BrokenPipe {
        true => SinkError::Closed,
        false => SinkError::Io {
            name: NAME.to_owned(),
            action,
            source,
        },
    }
}
