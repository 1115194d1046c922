//! The lines of a recording into batches.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use acequia_decode::bigtable::MutationBatch;

use super::changes::Changes;
use super::format::{End, Header, Line};
use super::lines::{header, next_line};
use super::read_error::{LineError, ReadError};
use super::rows::Rows;
use crate::batch::{Batch, Shape};
use crate::guest::{Control, Gap, SnapshotRestart};

/// A part of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Recorded {
    /// A batch of records.
    Batch(Box<Batch>),
    /// Something that happened to the stream itself.
    Control(Control),
}

/// Reads a recording part by part. After an error nothing more comes.
pub struct Reader<R> {
    path: PathBuf,
    from: R,
    line: u64,
    header: Header,
    pending: Pending,
    /// Cuts batches at this many records; without it, as they were recorded.
    batch_records: Option<NonZeroUsize>,
    /// A control record that waits for the batch before it to be taken.
    control: Option<Control>,
    /// A row of another partition, which waits for the batch before it to be taken.
    held: Option<String>,
    done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its first line.
    ///
    /// # Errors
    /// It cannot be read, is something else, or is of a newer version.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(|source| ReadError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::over(BufReader::new(file), path)
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the first line. `path` is what errors call the recording.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn over(mut from: R, path: &Path) -> Result<Self, ReadError> {
        let (header, shape) = header(&mut from, path)?;
        Ok(Self {
            header,
            path: path.to_owned(),
            from,
            line: 1,
            pending: Pending::of(shape),
            batch_records: None,
            control: None,
            held: None,
            done: false,
        })
    }

    /// Cuts batches anew, at this many records, whatever was recorded.
    #[must_use]
    pub fn with_batch_records(mut self, records: NonZeroUsize) -> Self {
        self.batch_records = Some(records);
        self
    }

    /// What was recorded, as a checkpoint would name it.
    pub fn source(&self) -> &BTreeMap<String, String> {
        &self.header.source
    }

    /// The shape of the records.
    pub fn shape(&self) -> Shape {
        self.pending.shape()
    }

    /// The tables that were described so far, each with the names of its columns that are not of the
    /// key. Mutations of Bigtable describe none.
    pub fn tables(&self) -> Vec<(&str, Vec<&str>)> {
        match &self.pending {
            Pending::Spanner(changes) => {
                let tables = changes.tables.values();
                let tables = tables.map(|table| {
                    let others = table.columns().iter().filter(|column| !column.is_key);
                    (table.name(), others.map(|column| column.name.as_str()))
                });
                tables
                    .map(|(name, names)| (name, names.collect()))
                    .collect()
            }
            Pending::Bigtable(_) => Vec::new(),
            Pending::Rows(rows) => {
                let tables = rows.tables.values().map(|table| {
                    let others = table.columns.iter().filter(|column| !column.is_key);
                    (
                        table.name.as_str(),
                        others.map(|column| column.name.as_str()),
                    )
                });
                tables
                    .map(|(name, names)| (name, names.collect()))
                    .collect()
            }
        }
    }

    /// The next part; none at the end.
    fn read(&mut self) -> Result<Option<Recorded>, ReadError> {
        loop {
            if let Some(event) = self.control.take() {
                return Ok(Some(Recorded::Control(event)));
            }
            let Some(text) = self.next_line()? else {
                return Ok(self.take_batch());
            };
            let is_whole = self.take_line(&text).map_err(|reason| ReadError::Line {
                path: self.path.clone(),
                line: self.line,
                reason,
            })?;
            if is_whole && let Some(batch) = self.take_batch() {
                return Ok(Some(batch));
            }
        }
    }

    /// The next line, or the one that was held back.
    fn next_line(&mut self) -> Result<Option<String>, ReadError> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        self.line += 1;
        next_line(&mut self.from, &self.path, self.line)
    }

    /// Takes a line, and says whether the batch is whole.
    fn take_line(&mut self, text: &str) -> Result<bool, LineError> {
        if text.trim().is_empty() {
            return Ok(false);
        }
        let line = serde_json::from_str(text).map_err(|error| LineError::of_json(&error))?;
        match (line, &mut self.pending) {
            (Line::Table(table), Pending::Spanner(changes)) => {
                changes.table(table)?;
                Ok(false)
            }
            (Line::Change(change), Pending::Spanner(changes)) => {
                changes.change(&change)?;
                Ok(self.is_cut())
            }
            (Line::Mutation(mutation), Pending::Bigtable(batch)) => {
                mutation.append_to(batch)?;
                Ok(self.is_cut())
            }
            (Line::Table(table), Pending::Rows(rows)) => {
                rows.table(table)?;
                Ok(false)
            }
            (Line::Row(row), Pending::Rows(rows)) => {
                // Batches that are cut anew go over the ends that were recorded, and still are of one
                // partition each.
                if self.batch_records.is_some() && rows.is_of_another(&row) {
                    self.held = Some(text.to_owned());
                    return Ok(true);
                }
                rows.row(&row)?;
                Ok(self.is_cut())
            }
            (Line::Table(_) | Line::Change(_) | Line::Mutation(_) | Line::Row(_), other) => {
                Err(LineError::OtherShape(other.shape()))
            }
            (Line::Gap(gap), _) => {
                self.control = Some(Control::Gap(Gap {
                    id: gap.id,
                    lost_from: gap.lost_from,
                    resumed_at: gap.resumed_at,
                    reason: gap.reason,
                }));
                Ok(true)
            }
            (Line::SnapshotRestart(restart), _) => {
                self.control = Some(Control::SnapshotRestart(SnapshotRestart {
                    id: restart.id,
                    abandoned_at: restart.abandoned_at,
                    restarted_at: restart.restarted_at,
                    reason: restart.reason,
                }));
                Ok(true)
            }
            (Line::End(End::Batch), _) => Ok(self.batch_records.is_none()),
        }
    }

    /// Whether a batch that is cut anew has all its records.
    fn is_cut(&self) -> bool {
        let records = self.pending.records();
        self.batch_records.is_some_and(|max| records >= max.get())
    }

    fn take_batch(&mut self) -> Option<Recorded> {
        let batch = self.pending.take();
        (!batch.is_empty()).then(|| Recorded::Batch(Box::new(batch)))
    }
}

/// The batch that is still read.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for a reader, and it does not move"
)]
enum Pending {
    Spanner(Changes),
    Bigtable(MutationBatch),
    Rows(Rows),
}

impl Pending {
    fn of(shape: Shape) -> Self {
        match shape {
            Shape::Spanner => Self::Spanner(Changes::default()),
            Shape::Bigtable => Self::Bigtable(MutationBatch::default()),
            Shape::Rows => Self::Rows(Rows::default()),
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Spanner(_) => Shape::Spanner,
            Self::Bigtable(_) => Shape::Bigtable,
            Self::Rows(_) => Shape::Rows,
        }
    }

    fn records(&self) -> usize {
        match self {
            Self::Spanner(changes) => changes.batch.records(),
            Self::Bigtable(batch) => batch.mutations(),
            Self::Rows(rows) => rows.batch.rows(),
        }
    }

    fn take(&mut self) -> Batch {
        match self {
            Self::Spanner(changes) => std::mem::take(&mut changes.batch).into(),
            Self::Bigtable(batch) => std::mem::take(batch).into(),
            Self::Rows(rows) => std::mem::take(&mut rows.batch).into(),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Recorded, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.read();
        self.done = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}
