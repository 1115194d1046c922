//! The lines of rows into a batch.

use std::collections::BTreeMap;

use acequia_decode::rows::RowBatch;
use jiff::Timestamp;

use super::format::Table;
use super::read_error::LineError;
use super::row::{Row, default_id};
use super::tables::{Described, DescribedColumn};
use super::text::text_of;

/// A batch of rows that is still read, and the tables that were described so far.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) tables: BTreeMap<String, Described>,
    /// What the rows of the batch call their table.
    called: String,
    pub(super) batch: RowBatch,
}

impl Rows {
    pub(super) fn table(&mut self, table: Table<'_>) -> Result<(), LineError> {
        let columns = table.columns.into_iter().map(|column| {
            if column.ordinal_position.is_some() {
                return Err(LineError::Ordinal);
            }
            let type_json = text_of(&column.r#type).map_err(|error| LineError::of_json(&error))?;
            Ok(DescribedColumn {
                name: column.name,
                type_json: type_json.into_owned(),
                is_key: column.is_primary_key,
                ordinal: None,
            })
        });
        let columns = columns.collect::<Result<_, LineError>>()?;
        let called = table.alias.unwrap_or_else(|| table.name.clone());
        if self.tables.contains_key(&called) {
            return Err(LineError::TableTwice(called));
        }
        let name = table.name;
        self.tables.insert(called, Described { name, columns });
        Ok(())
    }

    /// Whether a row cannot stand in one batch with those before it.
    pub(super) fn is_of_another(&self, row: &Row<'_>) -> bool {
        !self.batch.is_empty()
            && (self.called != row.table
                || self.batch.read_timestamp != row.read_timestamp
                || self.batch.partition != row.partition)
    }

    pub(super) fn row(&mut self, row: &Row<'_>) -> Result<(), LineError> {
        if self.is_of_another(row) {
            return Err(LineError::OtherRows);
        }
        let table = self.tables.get(&row.table);
        let table = table.ok_or_else(|| LineError::UnknownTable(row.table.clone()))?;
        if row.values.len() != table.columns.len() {
            return Err(LineError::Values {
                found: row.values.len(),
                columns: table.columns.len(),
            });
        }
        if !is_read_timestamp(&row.read_timestamp) {
            return Err(LineError::ReadTimestamp(row.read_timestamp.to_string()));
        }
        let key = row.key.as_ref().map(text_of).transpose();
        let key = key.map_err(|error| LineError::of_json(&error))?;
        let key = key.unwrap_or_default();
        let id = match &row.id {
            Some(id) => id.to_string(),
            None if key.is_empty() => return Err(LineError::NoId),
            None => default_id(&row.read_timestamp, &table.name, &key),
        };
        let values = row.values.iter().map(|value| value.get().len());
        let bytes = self.batch.cells.bytes().len() + values.sum::<usize>();
        if u32::try_from(bytes).is_err() {
            return Err(LineError::BatchTooLong);
        }
        if self.batch.is_empty() {
            begin(&mut self.batch, table, row);
            self.called.clone_from(&row.table);
        }
        self.batch.ids.push(id.as_bytes());
        self.batch.keys.push(key.as_bytes());
        for value in &row.values {
            self.batch.cells.push(value.get().as_bytes());
        }
        Ok(())
    }
}

fn begin(batch: &mut RowBatch, table: &Described, row: &Row<'_>) {
    batch.clear();
    batch.table.clone_from(&table.name);
    batch.read_timestamp.push_str(&row.read_timestamp);
    batch.partition.push_str(&row.partition);
    for column in &table.columns {
        batch.column_names.push(column.name.as_bytes());
        batch.column_types.push(column.type_json.as_bytes());
        batch.column_keys.push(u8::from(column.is_key));
    }
}

fn is_read_timestamp(text: &str) -> bool {
    text.ends_with('Z') && text.parse::<Timestamp>().is_ok()
}
