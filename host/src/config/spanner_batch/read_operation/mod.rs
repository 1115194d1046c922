//! What is read: a query, or a table with its columns and keys.

mod keys;
mod names;
pub(in crate::config) mod options;
mod read;

pub(super) use read::read;

use super::{SqlType, SqlValue};

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOperation {
    /// The rows of a query that can be partitioned.
    Query(QueryOperation),
    /// Rows of a table, or of an index of it.
    Table(TableOperation),
}

/// A query.
///
/// Source: google.spanner.v1.PartitionQueryRequest
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryOperation {
    /// The text, without white space around it.
    pub sql: String,
    /// Its parameters, in the order of their names.
    pub params: Vec<Parameter>,
}

/// A parameter of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name, without `@`; of a query in PostgreSQL's dialect `p1` for `$1`.
    pub name: String,
    /// The type.
    pub r#type: SqlType,
    /// The value, of that type.
    pub value: SqlValue,
}

/// Rows of a table.
///
/// Source: google.spanner.v1.PartitionReadRequest
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableOperation {
    /// The table.
    pub table: String,
    /// The index that is read, whose keys `key_set` names. Default: none, the table itself.
    pub index: Option<String>,
    /// The columns, at least one, each once.
    pub columns: Vec<String>,
    /// Which rows. Default: [`KeySet::All`].
    pub key_set: KeySet,
}

/// Which rows of a table are read, by their keys.
///
/// Source: google.spanner.v1.KeySet
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySet {
    /// Every row.
    All,
    /// The rows of these keys and of these ranges, at least one of either.
    Some {
        /// Whole keys, all of as many parts, at least one.
        keys: Vec<Vec<SqlValue>>,
        /// Ranges of keys.
        ranges: Vec<KeyRange>,
    },
}

/// A range of keys, in the order in which the key is declared.
///
/// Source: google.spanner.v1.KeyRange
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// Where it begins.
    pub start: KeyBound,
    /// Where it ends.
    pub end: KeyBound,
}

/// An end of a range: the first parts of a key. No parts at all are the beginning of every key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyBound {
    /// Keys that begin with these parts belong to the range.
    Closed(Vec<SqlValue>),
    /// They do not.
    Open(Vec<SqlValue>),
}
