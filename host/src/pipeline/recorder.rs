//! Writes batches into a recording, as they would enter the record filter.

use std::fs::File;

use tokio::sync::watch;

use super::{Counts, Origin, Shaped, Work};
use crate::batch::Batch;
use crate::files::blocking;
use crate::recording::{WriteError, Writer};
use crate::sink::OutputBatch;

/// How far a recording is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Records in the file.
    pub records: u64,
    /// Batches in the file.
    pub batches: u64,
    /// Control records in the file.
    pub controls: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Whether it holds all the records that it may.
    pub is_full: bool,
}

/// A recording that is being written. What comes after it is full is let go.
pub(crate) struct Recorder {
    writer: Writer<File>,
    records_max: u64,
    progress: watch::Sender<Recording>,
}

impl Recorder {
    /// Records up to `records_max` records, and tells how far it is.
    pub(crate) fn new(
        writer: Writer<File>,
        records_max: u64,
    ) -> (Self, watch::Receiver<Recording>) {
        let (progress, watched) = watch::channel(Recording {
            bytes: writer.bytes(),
            ..Recording::default()
        });
        let recorder = Self {
            writer,
            records_max,
            progress,
        };
        (recorder, watched)
    }

    /// Takes one piece of work. It gives no output, so it counts as done.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn record(&mut self, work: &Work) -> Result<Shaped, WriteError> {
        let mut recording = *self.progress.borrow();
        if !recording.is_full {
            blocking(|| self.write(work, &mut recording))?;
            recording.bytes = self.writer.bytes();
            recording.is_full = recording.records >= self.records_max;
            self.progress.send_replace(recording);
        }
        Ok(Shaped {
            origin: match work {
                Work::Batch { reader, last, .. } => Origin::Records(reader.clone(), *last),
                Work::Control { .. } => Origin::Control { cut: None },
            },
            outputs: OutputBatch::default(),
            counts: Counts::default(),
        })
    }

    fn write(&mut self, work: &Work, recording: &mut Recording) -> Result<(), WriteError> {
        match work {
            Work::Batch { batch, .. } => {
                recording.records += self.write_batch(batch, recording.records)?;
                recording.batches += 1;
            }
            Work::Control { event, .. } => {
                self.writer.control(event)?;
                recording.controls += 1;
            }
        }
        Ok(())
    }

    /// Writes as much of a batch as there is room for, and says how many records that was.
    fn write_batch(&mut self, batch: &Batch, written: u64) -> Result<u64, WriteError> {
        let room = usize::try_from(self.records_max.saturating_sub(written)).unwrap_or(usize::MAX);
        let records = batch.records().min(room);
        if records == batch.records() {
            self.writer.batch(batch)?;
        } else {
            self.writer.batch(&batch.select(0..records))?;
        }
        Ok(u64::try_from(records).unwrap_or(u64::MAX))
    }
}
