//! The lines of a recording into batches.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use acequia_decode::spanner::{self as decode, ChangeBatch, Rebuild, TableSchema};

use super::format::{Change, End, Header, Json, Line, Table};
use super::lines::{header, next_line};
use super::read_error::{LineError, ReadError};
use super::text::text_of;
use crate::batch::Batch;
use crate::guest::Gap;

/// A part of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Recorded {
    /// A batch of records.
    Batch(Box<Batch>),
    /// An interval that was lost.
    Gap(Gap),
}

/// Reads a recording part by part. After an error nothing more comes.
pub struct Reader<R> {
    path: PathBuf,
    from: R,
    line: u64,
    header: Header,
    tables: BTreeMap<String, TableSchema>,
    rebuild: Rebuild,
    batch: ChangeBatch,
    /// Cuts batches at this many records; without it, as they were recorded.
    batch_records: Option<NonZeroUsize>,
    /// A gap that waits for the batch before it to be taken.
    gap: Option<Gap>,
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
        Ok(Self {
            header: header(&mut from, path)?,
            path: path.to_owned(),
            from,
            line: 1,
            tables: BTreeMap::new(),
            rebuild: Rebuild::default(),
            batch: ChangeBatch::default(),
            batch_records: None,
            gap: None,
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

    /// The tables that were described so far.
    pub fn tables(&self) -> impl Iterator<Item = &TableSchema> {
        self.tables.values()
    }

    /// The next part; none at the end.
    fn read(&mut self) -> Result<Option<Recorded>, ReadError> {
        loop {
            if let Some(gap) = self.gap.take() {
                return Ok(Some(Recorded::Gap(gap)));
            }
            self.line += 1;
            let Some(text) = next_line(&mut self.from, &self.path, self.line)? else {
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

    /// Takes a line, and says whether the batch is whole.
    fn take_line(&mut self, text: &str) -> Result<bool, LineError> {
        if text.trim().is_empty() {
            return Ok(false);
        }
        match serde_json::from_str(text).map_err(|error| LineError::of_json(&error))? {
            Line::Table(table) => self.table(table).map(|()| false),
            Line::Change(change) => {
                self.change(&change)?;
                let records = self.batch.records();
                Ok(self.batch_records.is_some_and(|max| records >= max.get()))
            }
            Line::Gap(gap) => {
                self.gap = Some(Gap {
                    id: gap.id,
                    lost_from: gap.lost_from,
                    resumed_at: gap.resumed_at,
                    reason: gap.reason,
                });
                Ok(true)
            }
            Line::End(End::Batch) => Ok(self.batch_records.is_none()),
        }
    }

    fn table(&mut self, table: Table<'_>) -> Result<(), LineError> {
        let columns = (1_i64..).zip(&table.columns).map(|(place, column)| {
            Ok(decode::Column {
                name: column.name.clone(),
                type_json: text(&column.r#type)?,
                is_key: column.is_primary_key,
                ordinal: column.ordinal_position.unwrap_or(place),
            })
        });
        let columns = columns.collect::<Result<_, LineError>>()?;
        let schema = TableSchema::new(&table.name, columns)?;
        let called = table.alias.unwrap_or(table.name);
        if self.tables.contains_key(&called) {
            return Err(LineError::TableTwice(called));
        }
        self.tables.insert(called, schema);
        Ok(())
    }

    fn change(&mut self, change: &Change<'_>) -> Result<(), LineError> {
        let table = self.tables.get(&change.table);
        let table = table.ok_or_else(|| LineError::UnknownTable(change.table.clone()))?;
        let mods = change.mods.iter().map(|one| {
            Ok([
                one.keys.as_ref().map(text).transpose()?,
                one.new_values.as_ref().map(text).transpose()?,
                one.old_values.as_ref().map(text).transpose()?,
            ])
        });
        let mods: Vec<[Option<String>; 3]> = mods.collect::<Result<_, LineError>>()?;
        let mods = mods
            .iter()
            .map(|[keys, new_values, old_values]| decode::Mod {
                keys: keys.as_deref(),
                new_values: new_values.as_deref(),
                old_values: old_values.as_deref(),
            });
        let mods: Vec<decode::Mod<'_>> = mods.collect();
        let change = decode::Change {
            commit_timestamp: &change.commit_timestamp,
            record_sequence: &change.record_sequence,
            transaction_id: &change.server_transaction_id,
            mod_type: &change.mod_type,
            value_capture_type: &change.value_capture_type,
            transaction_tag: &change.transaction_tag,
            is_last: change.is_last_record_in_transaction_in_partition,
            is_system: change.is_system_transaction,
            records_in_transaction: change.number_of_records_in_transaction,
            partitions_in_transaction: change.number_of_partitions_in_transaction,
            mods: &mods,
        };
        Ok(self.rebuild.append(&mut self.batch, table, &change)?)
    }

    fn take_batch(&mut self) -> Option<Recorded> {
        let batch = std::mem::take(&mut self.batch);
        (!batch.is_empty()).then(|| Recorded::Batch(Box::new(batch.into())))
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

fn text(json: &Json<'_>) -> Result<String, LineError> {
    let text = text_of(json).map_err(|error| LineError::of_json(&error))?;
    Ok(text.into_owned())
}
