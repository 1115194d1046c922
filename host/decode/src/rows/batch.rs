//! A batch of rows in columns: `rows` of `wit/rows.wit`, field by field.

use std::ops::Range;
use std::sync::Arc;

use crate::Texts;
use crate::room::same;
use crate::rows::Head;

/// Rows of one partition and one read timestamp, in the order in which they were read. One entry
/// per column of a row in each list up to `column_keys`, one per row in the two after it, and one
/// per value in the last.
///
/// Source: `rows` in `wit/rows.wit`, which documents each column.
#[derive(Clone, Default)]
pub struct RowBatch {
    /// The table; empty for a query.
    pub table: String,
    /// The timestamp that all rows were read at, RFC 3339 with a `Z`.
    pub read_timestamp: String,
    /// The partition's short id.
    pub partition: String,
    /// The name of each column. A query may leave columns unnamed (empty), or name two alike.
    pub column_names: Texts,
    /// The type of each column, as the JSON text that change records use, such as
    /// `{"code":"INT64"}`.
    pub column_types: Texts,
    /// 1 for a column of the primary key, 0 for another.
    pub column_keys: Vec<u8>,
    /// Per row: `read timestamp/table/primary key` for a table whose whole primary key is among the
    /// columns, else `read timestamp/hash of the partition/number of the row`.
    pub ids: Texts,
    /// Per row: the primary key, byte for byte as `keys` of a change record has it; empty where
    /// not the whole key is among the columns.
    pub keys: Texts,
    /// The JSON value of column `j` of row `i` stands at `i * columns + j`.
    pub cells: Texts,
    /// What the fields up to `column_keys` were filled from, to know it again by identity.
    head: Option<Arc<Head>>,
}

impl RowBatch {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.ids.len()
    }

    /// How many records there are: a record is a row.
    #[must_use]
    pub fn records(&self) -> usize {
        self.rows()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// How many columns a row has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.column_keys.len()
    }

    /// Where the values of a row stand in `cells`; nowhere for a row that is not there.
    #[must_use]
    pub fn row(&self, row: usize) -> Range<usize> {
        let columns = self.columns();
        if row < self.rows() {
            row * columns..(row + 1) * columns
        } else {
            0..0
        }
    }

    /// The JSON value of a column of a row.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<&[u8]> {
        let place = self.row(row).nth(column)?;
        self.cells.get(place)
    }

    /// Bytes that the columns take. Allocated and unused memory is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let names = [&self.table, &self.read_timestamp, &self.partition];
        let texts = [
            &self.column_names,
            &self.column_types,
            &self.ids,
            &self.keys,
            &self.cells,
        ];
        names.iter().map(|name| name.len()).sum::<usize>()
            + self.column_keys.len()
            + texts.iter().map(|texts| texts.size()).sum::<usize>()
    }

    /// Copies the rows at these places, in that order; a place past the batch is left out.
    #[must_use]
    pub fn select(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let mut selected = self.without_rows();
        for place in places {
            let (Some(id), Some(key)) = (self.ids.get(place), self.keys.get(place)) else {
                continue;
            };
            selected.ids.push(id);
            selected.keys.push(key);
            for cell in self.row(place) {
                selected
                    .cells
                    .push(self.cells.get(cell).unwrap_or_default());
            }
        }
        selected
    }

    /// Hands the batch over and leaves an empty one, with room for as much again: batches of one
    /// stream are alike, and growing step by step copies all of it several times.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let next = Self {
            ids: self.ids.room(),
            keys: self.keys.room(),
            cells: self.cells.room(),
            column_keys: same(&self.column_keys),
            ..Self::default()
        };
        std::mem::replace(self, next)
    }

    /// Removes all rows and what they have in common, and keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.read_timestamp.clear();
        self.partition.clear();
        self.column_names.clear();
        self.column_types.clear();
        self.column_keys.clear();
        self.truncate(0);
        self.head = None;
    }

    /// Says that rows of this head follow; says no if the batch has rows of another.
    pub(crate) fn begin(&mut self, head: &Arc<Head>) -> bool {
        if self.head.as_ref().is_some_and(|own| Arc::ptr_eq(own, head)) {
            return true;
        }
        if !self.is_empty() {
            return self.head.as_ref() == Some(head);
        }
        self.clear();
        self.table.clone_from(&head.table);
        self.read_timestamp.clone_from(&head.read_timestamp);
        self.partition.clone_from(&head.partition);
        for column in &head.columns {
            self.column_names.push(column.name.as_bytes());
            self.column_types.push(column.type_json.as_bytes());
            self.column_keys.push(u8::from(column.is_key));
        }
        self.head = Some(Arc::clone(head));
        true
    }

    /// Keeps the first `rows` rows and drops one under construction.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.ids.truncate(rows);
        self.keys.truncate(rows);
        let cells = rows * self.columns();
        self.cells.truncate(cells);
    }

    fn without_rows(&self) -> Self {
        Self {
            table: self.table.clone(),
            read_timestamp: self.read_timestamp.clone(),
            partition: self.partition.clone(),
            column_names: self.column_names.clone(),
            column_types: self.column_types.clone(),
            column_keys: self.column_keys.clone(),
            ids: Texts::default(),
            keys: Texts::default(),
            cells: Texts::default(),
            head: self.head.clone(),
        }
    }
}

/// Equal in every column, that is, in all that a guest sees.
impl PartialEq for RowBatch {
    fn eq(&self, other: &Self) -> bool {
        // Without `..`, so that a new column is not forgotten.
        let Self {
            table,
            read_timestamp,
            partition,
            column_names,
            column_types,
            column_keys,
            ids,
            keys,
            cells,
            head: _,
        } = self;
        *table == other.table
            && *read_timestamp == other.read_timestamp
            && *partition == other.partition
            && *column_names == other.column_names
            && *column_types == other.column_types
            && *column_keys == other.column_keys
            && *ids == other.ids
            && *keys == other.keys
            && *cells == other.cells
    }
}

impl std::fmt::Debug for RowBatch {
    /// Sizes only: the columns hold row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowBatch")
            .field("rows", &self.rows())
            .field("columns", &self.columns())
            .field("bytes", &self.bytes())
            .finish()
    }
}
