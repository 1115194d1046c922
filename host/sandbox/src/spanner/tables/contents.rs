//! The rows that tables hold before the history's first change.

use std::{fmt, sync::Arc};

use serde_json::Value as Json;

use crate::spanner::history::Row;

/// The rows of one table before the history's first change.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The table: one of [`crate::spanner::Script::tables`].
    pub table: String,
    /// Its rows.
    pub rows: BaseRows,
}

/// Where a table's first rows come from.
#[derive(Clone, Debug)]
pub enum BaseRows {
    /// These, in any order. A column that a row does not name is NULL.
    Written(Vec<Row>),
    /// Made when they are read, for tables that do not fit into memory. The history does not change
    /// them.
    Drawn(Drawn),
}

/// Rows that are made when they are read.
#[derive(Clone)]
pub struct Drawn {
    /// How many there are.
    pub count: usize,
    /// The row of each number below `count`; growing numbers have growing keys.
    pub row: Arc<dyn Fn(usize) -> Row + Send + Sync>,
}

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawn")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl Contents {
    /// Rows from JSON objects of values by column; anything else is a row of NULL.
    #[must_use]
    pub fn of(table: &str, rows: impl IntoIterator<Item = Json>) -> Self {
        let row = |row| match row {
            Json::Object(row) => row,
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                Row::new()
            }
        };
        Self {
            table: table.to_owned(),
            rows: BaseRows::Written(rows.into_iter().map(row).collect()),
        }
    }

    /// `count` rows that are made when they are read; growing numbers must have growing keys.
    #[must_use]
    pub fn drawn(
        table: &str,
        count: usize,
        row: impl Fn(usize) -> Row + Send + Sync + 'static,
    ) -> Self {
        let row = Arc::new(row);
        Self {
            table: table.to_owned(),
            rows: BaseRows::Drawn(Drawn { count, row }),
        }
    }
}

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// The table that it is of.
    pub table: String,
    /// Its key columns in order, without the table's own key, which follows them.
    pub key: Vec<String>,
    /// What else can be read from it, beside its key and the table's.
    pub storing: Vec<String>,
    /// Whether rows with NULL in a column of `key` are left out.
    pub null_filtered: bool,
}
