//! Row views over a batch.

use core::ops::Range;

use super::batch::Batch;

/// A row of a table or of a query.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    batch: &'a Batch<'a>,
    index: usize,
}

/// A column of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// Its place among the columns, from 0.
    pub index: usize,
    /// Its name. Columns of a query may be unnamed (empty), and several may have one name.
    pub name: &'a str,
    /// Its type as JSON text, such as `{"code":"INT64"}`.
    pub type_json: &'a str,
    /// Whether it is part of the primary key.
    pub is_primary_key: bool,
}

/// A value of a row and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The place of its column, from 0.
    pub index: usize,
    /// The name of its column. Columns of a query may be unnamed (empty), and several may have one
    /// name.
    pub name: &'a str,
    /// The type of its column as JSON text, such as `{"code":"INT64"}`.
    pub type_json: &'a str,
    /// The value as JSON text; a null is `null`.
    pub json: &'a str,
}

impl<'a> Row<'a> {
    pub(super) fn new(batch: &'a Batch<'a>, index: usize) -> Self {
        Self { batch, index }
    }

    /// The index of the row in its batch.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The id: `read timestamp/table/key` where the row has a key, else
    /// `read timestamp/hash of the partition/number of the row`. The host computes it; it is the same
    /// whenever the row comes again.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.batch.ids.get(self.index)
    }

    /// The primary key as the JSON text of an object, byte for byte as the keys of the row's change
    /// records; none where the columns do not hold the whole primary key.
    #[must_use]
    pub fn key(&self) -> Option<&'a str> {
        let key = self.batch.keys.get(self.index);
        (!key.is_empty()).then_some(key)
    }

    /// The name of the table; empty for a query.
    #[must_use]
    pub fn table(&self) -> &'a str {
        self.batch.table()
    }

    /// The timestamp at which the row was read, RFC 3339 with a `Z`.
    #[must_use]
    pub fn read_timestamp(&self) -> &'a str {
        self.batch.read_timestamp()
    }

    /// The short id of the partition that the row was read from, such as `Singers/3`.
    #[must_use]
    pub fn partition(&self) -> &'a str {
        self.batch.partition()
    }

    /// The columns, in their order. All rows of a batch have the same.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Column<'a>> + use<'a> {
        self.batch.columns()
    }

    /// The values, one per column and in the order of the columns.
    #[must_use]
    pub fn cells(&self) -> Cells<'a> {
        Cells {
            row: *self,
            columns: 0..self.batch.rows.column_keys.len(),
        }
    }

    /// The value of the first column of a name; none if there is no such column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<Cell<'a>> {
        self.cells().find(|cell| cell.name == name)
    }

    fn cell(&self, column: usize) -> Cell<'a> {
        let columns = self.batch.rows.column_keys.len();
        let Column {
            index,
            name,
            type_json,
            ..
        } = self.batch.column(column);
        Cell {
            index,
            name,
            type_json,
            json: self.batch.cells.get(self.index * columns + column),
        }
    }
}

/// The values of a row, in the order of the columns.
#[derive(Clone)]
pub struct Cells<'a> {
    row: Row<'a>,
    columns: Range<usize>,
}

impl<'a> Iterator for Cells<'a> {
    type Item = Cell<'a>;

    fn next(&mut self) -> Option<Cell<'a>> {
        let column = self.columns.next()?;
        Some(self.row.cell(column))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.columns.size_hint()
    }
}

impl ExactSizeIterator for Cells<'_> {}
