//! The tables that a batch speaks of.

use core::ops::Range;

use crate::bindings::spanner_deserialize::acequia::connector::spanner::Tables;
use crate::columns::{BadBatch, TextColumn, check_ends, check_length, range};

/// The tables of a batch, checked.
#[derive(Clone, Copy)]
pub(crate) struct TableColumns<'a> {
    names: TextColumn<'a>,
    column_ends: &'a [u32],
    column_names: TextColumn<'a>,
    column_types: TextColumn<'a>,
    column_keys: &'a [u8],
    column_ordinals: &'a [i64],
}

impl<'a> TableColumns<'a> {
    pub(crate) fn open(tables: &'a Tables) -> Result<Self, BadBatch> {
        let columns = tables.column_keys.len();
        let count = tables.column_ends.len();
        check_ends(&tables.column_ends, columns, "tables.column-ends", count)?;
        check_length(
            tables.column_ordinals.len(),
            "tables.column-ordinals",
            columns,
        )?;
        Ok(Self {
            names: TextColumn::open(&tables.names, "tables.names", count)?,
            column_ends: &tables.column_ends,
            column_names: TextColumn::open(&tables.column_names, "tables.column-names", columns)?,
            column_types: TextColumn::open(&tables.column_types, "tables.column-types", columns)?,
            column_keys: &tables.column_keys,
            column_ordinals: &tables.column_ordinals,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.column_ends.len()
    }

    pub(crate) fn name(&self, table: usize) -> &'a str {
        self.names.get(table)
    }

    pub(crate) fn columns(self, table: usize) -> Columns<'a> {
        let (start, end) = range(self.column_ends, table);
        Columns {
            tables: self,
            indexes: start..end,
        }
    }

    fn column(&self, index: usize) -> Column<'a> {
        Column {
            name: self.column_names.get(index),
            type_json: self.column_types.get(index),
            is_primary_key: self.column_keys.get(index) == Some(&1),
            ordinal_position: self.column_ordinals.get(index).copied().unwrap_or_default(),
        }
    }
}

/// One column of a table, as the record described it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// The name.
    pub name: &'a str,
    /// The type, as the JSON text that Spanner sent, such as `{"code":"INT64"}`.
    pub type_json: &'a str,
    /// Whether it is part of the primary key.
    pub is_primary_key: bool,
    /// The ordinal position. It shifts when a column is dropped.
    pub ordinal_position: i64,
}

/// The columns of a record's table, in the order the source sent them.
#[derive(Clone)]
pub struct Columns<'a> {
    tables: TableColumns<'a>,
    indexes: Range<usize>,
}

impl<'a> Columns<'a> {
    /// The column at a place in this order, if there is one.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Column<'a>> {
        let index = self.indexes.start.checked_add(place)?;
        self.indexes
            .contains(&index)
            .then(|| self.tables.column(index))
    }
}

impl<'a> Iterator for Columns<'a> {
    type Item = Column<'a>;

    fn next(&mut self) -> Option<Column<'a>> {
        self.indexes.next().map(|index| self.tables.column(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indexes.size_hint()
    }
}

impl ExactSizeIterator for Columns<'_> {}
