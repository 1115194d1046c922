//! Batches into the lines of a recording.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use acequia_decode::Texts;
use acequia_decode::bigtable::MutationBatch;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{ChangeBatch, Objects};
use serde::Serialize;
use thiserror::Error;

use super::format::{
    Change, End, FORMAT, Gap, Header, Json, Line, Mod, SnapshotRestart, VERSION, word,
};
use super::mutation::Mutation;
use super::row::{self, Row};
use super::tables::{Described, DescribedColumn, TableNames};
use super::text::json_of;
use crate::batch::{Batch, Shape};
use crate::guest;

/// Why nothing more can be recorded.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The place refuses.
    #[error("the recording cannot be written")]
    Io(#[from] io::Error),
    /// A batch is of another shape than the recording.
    #[error("the recording is of {}, and the batch of {}", .recording.records(), .batch.records())]
    OtherShape {
        /// The shape of the records in the file.
        recording: Shape,
        /// The shape of the records in the batch.
        batch: Shape,
    },
    /// A record has no form in JSON. No record of a stream is of that kind.
    #[error("a record cannot be recorded")]
    Encode(#[from] serde_json::Error),
}

/// Writes a recording. Each call writes whole lines at once, so that what is there can be read even
/// after a crash.
pub struct Writer<W> {
    out: W,
    shape: Shape,
    names: TableNames,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a recording of a `source` of records of this shape, which a checkpoint would be bound to by these
    /// names.
    ///
    /// # Errors
    /// The place refuses.
    pub fn begin(
        out: W,
        shape: Shape,
        source: &BTreeMap<String, String>,
    ) -> Result<Self, WriteError> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            shape: word(shape).to_owned(),
            source: source.clone(),
        };
        let mut writer = Self {
            out,
            shape,
            names: TableNames::default(),
            bytes: 0,
        };
        let mut lines = Vec::new();
        push_line(&mut lines, &header)?;
        writer.put(&lines)?;
        Ok(writer)
    }

    /// Writes a batch, its end included. Tables that no record uses are left out.
    ///
    /// # Errors
    /// The place refuses, or the batch is of another shape.
    pub fn batch(&mut self, batch: &Batch) -> Result<(), WriteError> {
        if batch.shape() != self.shape {
            return Err(WriteError::OtherShape {
                recording: self.shape,
                batch: batch.shape(),
            });
        }
        match batch {
            Batch::Spanner(batch) => self.changes(batch),
            Batch::Bigtable(batch) => self.mutations(batch),
            Batch::Rows(batch) => self.rows(batch),
        }
    }

    fn rows(&mut self, batch: &RowBatch) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        let table = row::described(batch);
        let name = self.table(&mut lines, &table, &mut BTreeMap::new())?;
        for index in 0..batch.rows() {
            push_line(&mut lines, &Line::Row(Row::of(batch, index, &name)?))?;
        }
        push_line(&mut lines, &Line::End(End::Batch))?;
        self.put(&lines)
    }

    fn mutations(&mut self, batch: &MutationBatch) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        for index in 0..batch.mutations() {
            let mutation = Mutation::of(batch, index);
            push_line(&mut lines, &Line::Mutation(mutation))?;
        }
        push_line(&mut lines, &Line::End(End::Batch))?;
        self.put(&lines)
    }

    fn changes(&mut self, batch: &ChangeBatch) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        let mut repeats = BTreeMap::new();
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        for record in 0..batch.records() {
            let table = batch.table.get(record).map_or(usize::MAX, |at| index(*at));
            let name = match names.get(&table) {
                Some(name) => name.clone(),
                None => self.table(&mut lines, &describe(batch, table), &mut repeats)?,
            };
            push_line(
                &mut lines,
                &Line::Change(change(batch, record, name.clone())?),
            )?;
            names.insert(table, name);
        }
        push_line(&mut lines, &Line::End(End::Batch))?;
        self.put(&lines)
    }

    /// What a table is called, and its line if it is new. `repeats` counts the equal tables of the
    /// batch so far, so that each keeps an entry of its own.
    fn table(
        &mut self,
        lines: &mut Vec<u8>,
        table: &Described,
        repeats: &mut BTreeMap<Described, usize>,
    ) -> Result<String, WriteError> {
        let repeat = repeats.entry(table.clone()).or_default();
        let (name, is_new) = self.names.name(table, *repeat);
        *repeat += 1;
        if is_new {
            push_line(lines, &Line::Table(table.line(&name)?))?;
        }
        Ok(name)
    }

    /// Writes a control record.
    ///
    /// # Errors
    /// The place refuses.
    pub fn control(&mut self, event: &guest::Control) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        push_line(&mut lines, &control_line(event))?;
        self.put(&lines)
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn put(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.out.write_all(lines)?;
        self.out.flush()?;
        self.bytes += u64::try_from(lines.len()).unwrap_or(u64::MAX);
        Ok(())
    }
}

fn describe(batch: &ChangeBatch, table: usize) -> Described {
    let tables = &batch.tables;
    let columns = span(&tables.column_ends, table).map(|column| DescribedColumn {
        name: text(&tables.column_names, column).to_owned(),
        type_json: text(&tables.column_types, column).to_owned(),
        is_key: tables.column_keys.get(column) == Some(&1),
        ordinal: tables.column_ordinals.get(column).copied(),
    });
    Described {
        name: text(&tables.names, table).to_owned(),
        columns: columns.collect(),
    }
}

fn change(batch: &ChangeBatch, record: usize, table: String) -> Result<Change<'_>, WriteError> {
    let owned = |texts| text(texts, record).to_owned();
    let number = |numbers: &[i64]| numbers.get(record).copied().unwrap_or_default();
    let mods = span(&batch.mod_ends, record).map(|index| {
        Ok(Mod {
            keys: object(&batch.keys, index)?,
            new_values: object(&batch.new_values, index)?,
            old_values: object(&batch.old_values, index)?,
        })
    });
    Ok(Change {
        table,
        mod_type: owned(&batch.mod_types),
        mods: mods.collect::<Result<_, serde_json::Error>>()?,
        commit_timestamp: owned(&batch.commit_timestamps),
        record_sequence: owned(&batch.record_sequences),
        server_transaction_id: owned(&batch.transaction_ids),
        value_capture_type: owned(&batch.value_capture_types),
        transaction_tag: owned(&batch.transaction_tags),
        is_last_record_in_transaction_in_partition: batch.is_last.get(record) == Some(&1),
        is_system_transaction: batch.is_system.get(record) == Some(&1),
        number_of_records_in_transaction: number(&batch.records_in_transaction),
        number_of_partitions_in_transaction: number(&batch.partitions_in_transaction),
    })
}

/// An object that was sent, null included.
fn object(objects: &Objects, index: usize) -> Result<Option<Json<'_>>, serde_json::Error> {
    match text(&objects.texts, index) {
        "" => Ok(None),
        sent => json_of(sent).map(Some),
    }
}

fn push_line(lines: &mut Vec<u8>, line: &impl Serialize) -> Result<(), serde_json::Error> {
    serde_json::to_writer(&mut *lines, line)?;
    lines.push(b'\n');
    Ok(())
}

/// Every text of a batch is UTF-8.
fn text(texts: &Texts, index: usize) -> &str {
    let bytes = texts.get(index).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The items of list `place`, where lists end at `ends`.
fn span(ends: &[u32], place: usize) -> Range<usize> {
    let end = |place: usize| ends.get(place).map_or(0, |end| index(*end));
    place.checked_sub(1).map_or(0, end)..end(place)
}

fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn control_line(event: &guest::Control) -> Line<'static> {
    match event.clone() {
        guest::Control::Gap(gap) => Line::Gap(Gap {
            id: gap.id,
            lost_from: gap.lost_from,
            resumed_at: gap.resumed_at,
            reason: gap.reason,
        }),
        guest::Control::SnapshotRestart(restart) => Line::SnapshotRestart(SnapshotRestart {
            id: restart.id,
            abandoned_at: restart.abandoned_at,
            restarted_at: restart.restarted_at,
            reason: restart.reason,
        }),
    }
}
