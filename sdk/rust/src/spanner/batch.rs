//! A batch of change records, its columns checked once.

use super::change::DataChange;
use super::tables::TableColumns;
use crate::bindings::spanner_deserialize::acequia::connector::spanner::{Changes, Objects};
use crate::columns::{BadBatch, TextColumn, check_ends, check_length};

/// A batch of change records, to be read record by record.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub(crate) changes: &'a Changes,
    pub(crate) tables: TableColumns<'a>,
    pub(crate) ids: TextColumn<'a>,
    pub(crate) commit_timestamps: TextColumn<'a>,
    pub(crate) record_sequences: TextColumn<'a>,
    pub(crate) transaction_ids: TextColumn<'a>,
    pub(crate) mod_types: TextColumn<'a>,
    pub(crate) value_capture_types: TextColumn<'a>,
    pub(crate) transaction_tags: TextColumn<'a>,
    pub(crate) mod_ids: TextColumn<'a>,
}

impl<'a> Batch<'a> {
    /// Checks that the columns fit together.
    ///
    /// # Errors
    ///
    /// Names the first column that does not fit.
    pub fn open(changes: &'a Changes) -> Result<Self, BadBatch> {
        let records = changes.table.len();
        let mods = changes.mod_ids.ends.len();
        check_numbers(changes, records)?;
        check_ends(&changes.mod_ends, mods, "mod-ends", records)?;
        check_objects(&changes.keys, "keys", mods)?;
        check_objects(&changes.new_values, "new-values", mods)?;
        check_objects(&changes.old_values, "old-values", mods)?;
        let texts = |texts, name| TextColumn::open(texts, name, records);
        Ok(Self {
            changes,
            tables: open_tables(changes)?,
            ids: texts(&changes.ids, "ids")?,
            commit_timestamps: texts(&changes.commit_timestamps, "commit-timestamps")?,
            record_sequences: texts(&changes.record_sequences, "record-sequences")?,
            transaction_ids: texts(&changes.transaction_ids, "transaction-ids")?,
            mod_types: texts(&changes.mod_types, "mod-types")?,
            value_capture_types: texts(&changes.value_capture_types, "value-capture-types")?,
            transaction_tags: texts(&changes.transaction_tags, "transaction-tags")?,
            mod_ids: TextColumn::open(&changes.mod_ids, "mod-ids", mods)?,
        })
    }

    /// How many records the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.table.len()
    }

    /// Whether the batch has no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records, in commit order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DataChange<'_>> {
        (0..self.len()).map(|index| DataChange::new(self, index))
    }
}

fn open_tables(changes: &Changes) -> Result<TableColumns<'_>, BadBatch> {
    let tables = TableColumns::open(&changes.tables)?;
    let count = tables.count();
    if changes.table.iter().all(|&table| (table as usize) < count) {
        Ok(tables)
    } else {
        Err(BadBatch::new(
            "table",
            "names a table that the batch does not hold",
        ))
    }
}

fn check_numbers(changes: &Changes, records: usize) -> Result<(), BadBatch> {
    let lengths = [
        ("commit-times.seconds", changes.commit_times.seconds.len()),
        ("commit-times.nanos", changes.commit_times.nanos.len()),
        ("is-last", changes.is_last.len()),
        ("is-system", changes.is_system.len()),
        (
            "records-in-transaction",
            changes.records_in_transaction.len(),
        ),
        (
            "partitions-in-transaction",
            changes.partitions_in_transaction.len(),
        ),
    ];
    lengths
        .into_iter()
        .try_for_each(|(name, length)| check_length(length, name, records))
}

fn check_objects(objects: &Objects, name: &'static str, mods: usize) -> Result<(), BadBatch> {
    let cells = objects.cell_columns.len();
    check_ends(&objects.texts.ends, objects.texts.bytes.len(), name, mods)?;
    check_ends(&objects.cell_ends, cells, name, mods)?;
    check_length(objects.cell_starts.len(), name, cells)?;
    check_length(objects.cell_stops.len(), name, cells)
}
