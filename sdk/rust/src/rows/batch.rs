//! A batch of rows, its columns checked once.

use super::row::{Column, Row};
use crate::bindings::rows_deserialize::acequia::connector::rows::Rows;
use crate::columns::{BadBatch, TextColumn};

/// A batch of rows, to be read row by row.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub(super) rows: &'a Rows,
    pub(super) column_names: TextColumn<'a>,
    pub(super) column_types: TextColumn<'a>,
    pub(super) ids: TextColumn<'a>,
    pub(super) keys: TextColumn<'a>,
    pub(super) cells: TextColumn<'a>,
}

impl<'a> Batch<'a> {
    /// Checks that the columns fit together.
    ///
    /// # Errors
    ///
    /// Names the first column that does not fit.
    pub fn open(rows: &'a Rows) -> Result<Self, BadBatch> {
        let count = rows.ids.ends.len();
        let columns = rows.column_keys.len();
        let cells = count.checked_mul(columns);
        let cells = cells.ok_or_else(|| BadBatch::new("cells", "cannot be counted"))?;
        Ok(Self {
            rows,
            column_names: TextColumn::open(&rows.column_names, "column-names", columns)?,
            column_types: TextColumn::open(&rows.column_types, "column-types", columns)?,
            ids: TextColumn::open(&rows.ids, "ids", count)?,
            keys: TextColumn::open(&rows.keys, "keys", count)?,
            cells: TextColumn::open(&rows.cells, "cells", cells)?,
        })
    }

    /// How many rows the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.ids.ends.len()
    }

    /// Whether the batch has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of the table that all rows are of; empty for a query.
    #[must_use]
    pub fn table(&self) -> &'a str {
        &self.rows.table
    }

    /// The timestamp at which all rows were read, RFC 3339 with a `Z`.
    #[must_use]
    pub fn read_timestamp(&self) -> &'a str {
        &self.rows.read_timestamp
    }

    /// The short id of the partition that all rows were read from.
    #[must_use]
    pub fn partition(&self) -> &'a str {
        &self.rows.partition
    }

    /// The columns that all rows have, in their order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Column<'a>> + use<'a> {
        let batch = *self;
        (0..self.rows.column_keys.len()).map(move |index| batch.column(index))
    }

    /// The rows, in the order in which they were read.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.len()).map(|index| Row::new(self, index))
    }

    pub(super) fn column(&self, index: usize) -> Column<'a> {
        Column {
            index,
            name: self.column_names.get(index),
            type_json: self.column_types.get(index),
            is_primary_key: self.rows.column_keys.get(index) == Some(&1),
        }
    }
}
