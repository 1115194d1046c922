//! What would be read, as its service describes it.

use serde::Serialize;

/// What is read. As JSON it is the object of its service.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum SourceSeen {
    /// A Spanner change stream.
    Spanner(SpannerSeen),
    /// The change stream of a Bigtable table.
    Bigtable(BigtableSeen),
    /// Rows of Spanner at one timestamp.
    Snapshot(SnapshotSeen),
}

/// A change stream as its database describes it.
#[derive(Debug, Serialize)]
pub struct SpannerSeen {
    /// The database's full name.
    pub database: String,
    /// The change stream.
    pub change_stream: String,
    /// `GOOGLE_STANDARD_SQL` or `POSTGRESQL`.
    pub dialect: &'static str,
    /// `IMMUTABLE_KEY_RANGE` or `MUTABLE_KEY_RANGE`.
    pub partition_mode: &'static str,
    /// Whether the whole database is watched; none where that could not be asked.
    pub watches_everything: Option<bool>,
}

/// A table with a change stream, and the way to it. What is none could not be asked.
#[derive(Debug, Serialize)]
pub struct BigtableSeen {
    /// The table's full name.
    pub table: String,
    /// The application profile that it is read through.
    pub app_profile: String,
    /// The cluster that the profile routes to.
    pub cluster: Option<String>,
    /// How many partitions the service names now.
    pub partitions: Option<usize>,
}

/// A table or a query of Spanner.
#[derive(Debug, Serialize)]
pub struct SnapshotSeen {
    /// The database's full name.
    pub database: String,
    /// `GOOGLE_STANDARD_SQL` or `POSTGRESQL`.
    pub dialect: &'static str,
    /// What is read: `the query`, or the table and its index by name.
    pub reads: String,
    /// How many partitions a plan has now; none where none was made.
    pub partitions: Option<usize>,
    /// Whether the ids of rows are made of the primary key, and not of where they stand in a plan.
    pub ids_by_key: bool,
}

/// A watched table.
#[derive(Debug, Serialize)]
pub struct TableSeen {
    /// Its name.
    pub name: String,
    /// Whether it passes the names filter; none where that could not be asked.
    pub passes: Option<bool>,
    /// Its watched columns.
    pub columns: Vec<ColumnSeen>,
}

/// A watched column.
#[derive(Debug, Serialize)]
pub struct ColumnSeen {
    /// Its name.
    pub name: String,
    /// Its type, as the DDL writes it.
    pub r#type: String,
    /// Whether it is part of the primary key, which passes with its table.
    pub is_key: bool,
    /// Whether it passes; none where that could not be asked.
    pub passes: Option<bool>,
}

/// A column family.
#[derive(Debug, Serialize)]
pub struct FamilySeen {
    /// Its name.
    pub name: String,
    /// Whether it passes the names filter; none where that could not be asked. Its qualifiers are
    /// asked for one by one, as they come.
    pub passes: Option<bool>,
}
