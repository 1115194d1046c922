//! Which tables and columns a change stream watches, as INFORMATION_SCHEMA says it.
//!
//! Tables of named schemas are not among them: a stream that watches everything watches those too,
//! and their names are not asked for.
//!
//! Source: https://cloud.google.com/spanner/docs/information-schema (and the PostgreSQL page),
//! `change_streams`, `change_stream_tables`, `change_stream_columns`, `tables`, `columns` and
//! `index_columns`.

use std::collections::{BTreeMap, BTreeSet};

use super::client::Client;
use super::discovery::rows;
use super::request::{Dialect, Statement};
use crate::config::ChangeStreamName;
use crate::google::CallError;

/// What a change stream watches.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WatchList {
    /// The dialect that the columns' types are written in.
    pub dialect: Dialect,
    /// Whether it watches the whole database, tables that are made later too.
    pub everything: bool,
    /// The tables that it watches now, by name.
    pub tables: Vec<WatchedTable>,
}

/// A table that a change stream watches.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WatchedTable {
    /// Its name.
    pub name: String,
    /// Its columns whose values a change record may hold, in the order of the table: those of the
    /// key, which always are among them, and those that are watched.
    pub columns: Vec<WatchedColumn>,
}

/// A column whose values a change record may hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WatchedColumn {
    /// Its name.
    pub name: String,
    /// Its type as the dialect's DDL writes it, such as `STRING(MAX)` or `bigint`.
    pub type_text: String,
    /// Whether it is part of the primary key.
    pub is_key: bool,
}

/// Asks what a stream watches that is known to exist.
///
/// # Errors
///
/// A query failed.
pub async fn watch_list(
    client: &Client,
    dialect: Dialect,
    name: &ChangeStreamName,
) -> Result<WatchList, CallError> {
    let catalog = Catalog { client, dialect };
    let all = match dialect {
        Dialect::GoogleSql => "`ALL`",
        Dialect::PostgreSql => "\"all\"",
    };
    let streams = catalog.of_stream(all, "change_streams", name).await?;
    let everything = streams.into_iter().flatten().any(|all| all == YES);
    let explicit = if everything {
        None
    } else {
        Some(Explicit::ask(&catalog, name).await?)
    };
    let keys = catalog.keys().await?;
    let mut columns = catalog.columns().await?;
    let tables = catalog
        .base_tables()
        .await?
        .into_iter()
        .filter_map(|table| {
            let columns = columns.remove(&table).unwrap_or_default();
            let is_key = |column: &str| keys.contains(&(table.clone(), column.to_owned()));
            watched(&table, columns, is_key, explicit.as_ref())
        });
    Ok(WatchList {
        dialect,
        everything,
        tables: tables.collect(),
    })
}

const YES: &str = "YES";

/// A table as its stream watches it; none where it does not.
fn watched(
    table: &str,
    columns: Vec<Column>,
    is_key: impl Fn(&str) -> bool,
    explicit: Option<&Explicit>,
) -> Option<WatchedTable> {
    let whole = match explicit {
        None => true,
        Some(explicit) => *explicit.tables.get(table)?,
    };
    let named = |column: &str| {
        explicit.is_some_and(|explicit| {
            explicit
                .columns
                .contains(&(table.to_owned(), column.to_owned()))
        })
    };
    let columns = columns.into_iter().filter_map(|column| {
        let is_key = is_key(&column.name);
        // Generated columns outside the key are not watched.
        // Source: https://cloud.google.com/spanner/docs/change-streams (watching tables and columns)
        let is_watched = is_key || (whole && !column.is_generated) || named(&column.name);
        is_watched.then_some(WatchedColumn {
            name: column.name,
            type_text: column.type_text,
            is_key,
        })
    });
    Some(WatchedTable {
        name: table.to_owned(),
        columns: columns.collect(),
    })
}

/// What a stream that does not watch everything names.
struct Explicit {
    /// The tables, and whether each is watched whole.
    tables: BTreeMap<String, bool>,
    /// The columns of the others.
    columns: BTreeSet<(String, String)>,
}

impl Explicit {
    async fn ask(catalog: &Catalog<'_>, name: &ChangeStreamName) -> Result<Self, CallError> {
        let tables = catalog
            .of_stream("table_name, all_columns", "change_stream_tables", name)
            .await?;
        let columns = catalog
            .of_stream("table_name, column_name", "change_stream_columns", name)
            .await?;
        Ok(Self {
            tables: pairs(tables)
                .map(|(table, whole)| (table, whole == YES))
                .collect(),
            columns: pairs(columns).collect(),
        })
    }
}

/// A column of any table.
struct Column {
    name: String,
    type_text: String,
    is_generated: bool,
}

/// INFORMATION_SCHEMA, in the dialect of its database.
struct Catalog<'a> {
    client: &'a Client,
    dialect: Dialect,
}

impl Catalog<'_> {
    /// Some columns of the rows of a view that belong to one change stream.
    async fn of_stream(
        &self,
        columns: &str,
        view: &str,
        name: &ChangeStreamName,
    ) -> Result<Vec<Vec<String>>, CallError> {
        let (schema, placeholder) = (self.dialect.default_schema(), self.dialect.placeholder());
        let statement = Statement::new(format!(
            "SELECT {columns} FROM information_schema.{view} \
             WHERE change_stream_schema = '{schema}' AND change_stream_name = {placeholder}"
        ));
        let statement = statement.bind_name(self.dialect, name);
        Ok(rows(&self.client.query(statement).await?))
    }

    /// Some columns of the rows of a view that belong to the default schema.
    async fn of_tables(
        &self,
        columns: &str,
        view: &str,
        rest: &str,
    ) -> Result<Vec<Vec<String>>, CallError> {
        let schema = self.dialect.default_schema();
        let statement = Statement::new(format!(
            "SELECT {columns} FROM information_schema.{view} WHERE table_schema = '{schema}'{rest}"
        ));
        Ok(rows(&self.client.query(statement).await?))
    }

    async fn base_tables(&self) -> Result<BTreeSet<String>, CallError> {
        let base = " AND table_type = 'BASE TABLE'";
        let tables = self.of_tables("table_name", "tables", base).await?;
        Ok(tables.into_iter().flatten().collect())
    }

    async fn keys(&self) -> Result<BTreeSet<(String, String)>, CallError> {
        let primary = " AND index_type = 'PRIMARY_KEY'";
        let columns = "table_name, column_name";
        let keys = self.of_tables(columns, "index_columns", primary).await?;
        Ok(pairs(keys).collect())
    }

    /// The columns of every table, in its order.
    async fn columns(&self) -> Result<BTreeMap<String, Vec<Column>>, CallError> {
        let columns = "table_name, ordinal_position, column_name, spanner_type, is_generated";
        let mut ordered: BTreeMap<String, BTreeMap<u64, Column>> = BTreeMap::new();
        for row in self.of_tables(columns, "columns", "").await? {
            let Ok([table, place, name, type_text, generated]) = <[String; 5]>::try_from(row)
            else {
                continue;
            };
            let column = Column {
                name,
                type_text,
                is_generated: generated == "ALWAYS",
            };
            let place = place.parse().unwrap_or(u64::MAX);
            ordered.entry(table).or_default().insert(place, column);
        }
        let in_order = |(table, columns): (String, BTreeMap<u64, Column>)| {
            (table, columns.into_values().collect())
        };
        Ok(ordered.into_iter().map(in_order).collect())
    }
}

/// Rows of two columns.
fn pairs(rows: Vec<Vec<String>>) -> impl Iterator<Item = (String, String)> {
    rows.into_iter()
        .filter_map(|row| match <[String; 2]>::try_from(row) {
            Ok([first, second]) => Some((first, second)),
            Err(_other_width) => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        [("Id", false), ("Name", false), ("Lower", true)]
            .map(|(name, is_generated)| Column {
                name: name.to_owned(),
                type_text: "INT64".to_owned(),
                is_generated,
            })
            .into()
    }

    fn names(explicit: Option<&Explicit>) -> Option<Vec<String>> {
        let table = watched("T", columns(), |column| column == "Id", explicit)?;
        Some(
            table
                .columns
                .into_iter()
                .map(|column| column.name)
                .collect(),
        )
    }

    fn explicit(tables: &[(&str, bool)], columns: &[(&str, &str)]) -> Explicit {
        Explicit {
            tables: tables
                .iter()
                .map(|(t, whole)| ((*t).to_owned(), *whole))
                .collect(),
            columns: columns
                .iter()
                .map(|(t, c)| ((*t).to_owned(), (*c).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn a_whole_table_is_watched_without_its_generated_columns() {
        let whole = Some(vec!["Id".to_owned(), "Name".to_owned()]);
        assert_eq!(names(None), whole);
        assert_eq!(names(Some(&explicit(&[("T", true)], &[]))), whole);
    }

    #[test]
    fn of_a_table_with_named_columns_those_and_the_key_are_watched() {
        let key_only = explicit(&[("T", false)], &[]);
        assert_eq!(names(Some(&key_only)), Some(vec!["Id".to_owned()]));
        let named = explicit(&[("T", false)], &[("T", "Name"), ("U", "Lower")]);
        let wanted = vec!["Id".to_owned(), "Name".to_owned()];
        assert_eq!(names(Some(&named)), Some(wanted));
    }

    #[test]
    fn a_table_that_is_not_named_is_not_watched() {
        assert_eq!(names(Some(&explicit(&[("U", true)], &[]))), None);
    }
}
