//! Batches into the lines of a recording.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::Range;

use acequia_decode::Texts;
use acequia_decode::bigtable::MutationBatch;
use acequia_decode::spanner::{ChangeBatch, Objects};
use serde::Serialize;
use thiserror::Error;

use super::format::{
    Change, Column, End, FORMAT, Gap, Header, Json, Line, Mod, Table, VERSION, shape,
};
use super::mutation::Mutation;
use super::text::json_of;
use crate::batch::{Batch, Service};
use crate::guest;

/// Why nothing more can be recorded.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The place refuses.
    #[error("the recording cannot be written")]
    Io(#[from] io::Error),
    /// A batch is of another service than the recording.
    #[error("the recording is of {}, and the batch of {}", .recording.name(), .batch.name())]
    OtherService {
        /// Whose records the file has.
        recording: Service,
        /// Whose records the batch has.
        batch: Service,
    },
    /// A record has no form in JSON. No record of a stream is of that kind.
    #[error("a record cannot be recorded")]
    Encode(#[from] serde_json::Error),
}

/// Writes a recording. Each call writes whole lines at once, so that what is there can be read even
/// after a crash.
pub struct Writer<W> {
    out: W,
    service: Service,
    names: TableNames,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a recording of a service's `source`, which a checkpoint would be bound to by these
    /// names.
    ///
    /// # Errors
    /// The place refuses.
    pub fn begin(
        out: W,
        service: Service,
        source: &BTreeMap<String, String>,
    ) -> Result<Self, WriteError> {
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            shape: shape(service).to_owned(),
            source: source.clone(),
        };
        let mut writer = Self {
            out,
            service,
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
    /// The place refuses, or the batch is of another service.
    pub fn batch(&mut self, batch: &Batch) -> Result<(), WriteError> {
        if batch.service() != self.service {
            return Err(WriteError::OtherService {
                recording: self.service,
                batch: batch.service(),
            });
        }
        match batch {
            Batch::Spanner(batch) => self.changes(batch),
            Batch::Bigtable(batch) => self.mutations(batch),
        }
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
                None => self.table(&mut lines, describe(batch, table), &mut repeats)?,
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
        table: Described,
        repeats: &mut BTreeMap<Described, usize>,
    ) -> Result<String, WriteError> {
        let repeat = repeats.entry(table.clone()).or_default();
        let (name, is_new) = self.names.name(&table, *repeat);
        *repeat += 1;
        if is_new {
            push_line(lines, &Line::Table(table_line(&table, &name)?))?;
        }
        Ok(name)
    }

    /// Writes a gap.
    ///
    /// # Errors
    /// The place refuses.
    pub fn gap(&mut self, gap: &guest::Gap) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        let gap = Gap {
            id: gap.id.clone(),
            lost_from: gap.lost_from.clone(),
            resumed_at: gap.resumed_at.clone(),
            reason: gap.reason.clone(),
        };
        push_line(&mut lines, &Line::Gap(gap))?;
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

/// A table as records describe it, to tell whether it stands in the file already.
type Described = (String, Vec<(String, String, bool, i64)>);

/// What tables are called in a file.
#[derive(Default)]
struct TableNames {
    by_table: BTreeMap<(Described, usize), String>,
    taken: BTreeSet<String>,
}

impl TableNames {
    /// The name of a table, and whether it is new.
    fn name(&mut self, described: &Described, repeat: usize) -> (String, bool) {
        let table = (described.clone(), repeat);
        if let Some(name) = self.by_table.get(&table) {
            return (name.clone(), false);
        }
        let plain = &described.0;
        let numbered = (2_u64..).map(|number| format!("{plain}#{number}"));
        let name = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(name))
            .unwrap_or_default();
        self.taken.insert(name.clone());
        self.by_table.insert(table, name.clone());
        (name, true)
    }
}

fn describe(batch: &ChangeBatch, table: usize) -> Described {
    let tables = &batch.tables;
    let columns = span(&tables.column_ends, table).map(|column| {
        (
            text(&tables.column_names, column).to_owned(),
            text(&tables.column_types, column).to_owned(),
            tables.column_keys.get(column) == Some(&1),
            tables
                .column_ordinals
                .get(column)
                .copied()
                .unwrap_or_default(),
        )
    });
    (text(&tables.names, table).to_owned(), columns.collect())
}

fn table_line<'a>((name, columns): &'a Described, called: &str) -> Result<Table<'a>, WriteError> {
    let columns = columns
        .iter()
        .map(|(name, r#type, is_primary_key, ordinal)| {
            Ok(Column {
                name: name.clone(),
                r#type: json_of(r#type)?,
                is_primary_key: *is_primary_key,
                ordinal_position: Some(*ordinal),
            })
        });
    Ok(Table {
        alias: (called != name).then(|| called.to_owned()),
        name: name.clone(),
        columns: columns.collect::<Result<_, serde_json::Error>>()?,
    })
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
