//! What a read or a statement names, found among the tables.

use std::sync::Arc;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::KeySet;
use jiff::Timestamp;
use prost_types::Struct;
use serde_json::Value as Json;
use tonic::Status;

use super::{
    cell::plain,
    contents::{Contents, Drawn, Index},
    key::Part,
    key_set::Keys,
    query::Query,
    selected::{Held, Named, Selected},
    state::{State, key_of, primary_key, state},
};
use crate::spanner::{
    history::{Column, Row, Table},
    script::{Dialect, Script},
    wire::annotated,
    world::World,
};

/// The database's tables, and the queries that are written down.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    dialect: Dialect,
    tables: Vec<Table>,
    contents: Vec<Contents>,
    indexes: Vec<Index>,
    queries: Vec<Arc<Query>>,
}

/// Columns and the rows that are wanted of them, before it is known at which instant.
#[derive(Clone, Debug)]
pub(crate) enum Chosen {
    Table(Of),
    Query(Arc<Query>),
}

#[derive(Clone, Debug)]
pub(crate) struct Of {
    table: Table,
    columns: Vec<Named>,
    /// The columns that order the rows and that keys name.
    order: Vec<Column>,
    keys: Keys,
    /// Rows with NULL in the key are left out.
    null_filtered: bool,
}

impl Chosen {
    /// The table's name; empty for a query that is written down.
    pub(crate) fn table(&self) -> &str {
        match self {
            Self::Table(of) => &of.table.name,
            Self::Query(_) => "",
        }
    }

    pub(crate) fn partitionable(&self) -> bool {
        match self {
            Self::Table(_) => true,
            Self::Query(query) => query.partitionable,
        }
    }
}

impl Tables {
    pub(crate) fn of(script: &Script) -> Self {
        Self {
            dialect: script.dialect,
            tables: script.tables.clone(),
            contents: script.batch.contents.clone(),
            indexes: script.batch.indexes.clone(),
            queries: script.batch.queries.iter().cloned().map(Arc::new).collect(),
        }
    }

    /// The query that is written down for a statement and its parameters.
    pub(crate) fn query(&self, sql: &str, params: Option<&Struct>) -> Option<Chosen> {
        let fits = |query: &&Arc<Query>| query.sql == sql && same(&query.params, params);
        let query = self.queries.iter().find(fits)?;
        Some(Chosen::Query(Arc::clone(query)))
    }

    /// `SELECT columns FROM table`; no columns stand for all.
    pub(crate) fn select(&self, name: &str, columns: &[String]) -> Result<Chosen, Status> {
        let same = |a: &str, b: &str| match self.dialect {
            Dialect::GoogleSql => a.eq_ignore_ascii_case(b),
            Dialect::Postgres => a == b,
        };
        let table = self.tables.iter().find(|table| same(&table.name, name));
        let table = table.ok_or_else(|| match self.dialect {
            Dialect::GoogleSql => Status::invalid_argument(format!("Table not found: {name}")),
            Dialect::Postgres => {
                Status::invalid_argument(format!("relation \"{name}\" does not exist"))
            }
        })?;
        let named = |name: &String| {
            let column = table.columns.iter().find(|column| same(&column.name, name));
            let column = column
                .ok_or_else(|| Status::invalid_argument(format!("Unrecognized name: {name}")))?;
            Ok::<_, Status>(Named {
                name: name.clone(),
                ..self.named(column)
            })
        };
        let columns = if columns.is_empty() {
            table
                .columns
                .iter()
                .map(|column| self.named(column))
                .collect()
        } else {
            columns.iter().map(named).collect::<Result<_, _>>()?
        };
        Ok(Chosen::Table(Of {
            columns,
            order: primary_key(table).into_iter().cloned().collect(),
            keys: Keys::All,
            null_filtered: false,
            table: table.clone(),
        }))
    }

    /// A read: columns of a table, or of an index of it, at those keys.
    ///
    /// Source: `google/spanner/v1/spanner.proto`, `ReadRequest`.
    pub(crate) fn read(
        &self,
        table: &str,
        index: &str,
        columns: &[String],
        keys: Option<&KeySet>,
    ) -> Result<Chosen, Status> {
        let found = self
            .tables
            .iter()
            .find(|t| t.name.eq_ignore_ascii_case(table));
        let table = found.ok_or_else(|| Status::not_found(format!("Table not found: {table}")))?;
        if columns.is_empty() {
            return Err(Status::invalid_argument("Invalid StreamingRead request"));
        }
        let index = self.index(table, index)?;
        let columns = columns
            .iter()
            .map(|name| readable(table, index, name).map(|column| self.named(column)))
            .collect::<Result<Vec<_>, _>>()?;
        let key = match index {
            Some(index) => index
                .key
                .iter()
                .map(|name| column(table, name))
                .collect::<Result<Vec<_>, _>>()?,
            None => primary_key(table),
        };
        let types: Vec<Json> = key.iter().map(|column| column.r#type.clone()).collect();
        let of = index.map_or(&table.name, |index| &index.name);
        Ok(Chosen::Table(Of {
            columns,
            keys: Keys::of(keys, of, &types)?,
            null_filtered: index.is_some_and(|index| index.null_filtered),
            order: key.into_iter().cloned().collect(),
            table: table.clone(),
        }))
    }

    /// The rows at `at`, which has passed.
    pub(crate) fn rows(&self, chosen: &Chosen, world: &World, at: Timestamp) -> Selected {
        match chosen {
            Chosen::Table(of) => {
                let mut contents = self.contents.iter();
                let contents = contents.find(|contents| contents.table == of.table.name);
                Selected {
                    columns: of.columns.clone(),
                    rows: of.held(state(&of.table, contents, world, at)),
                }
            }
            Chosen::Query(query) => {
                let column = |(name, r#type): &(String, Json)| Named {
                    name: name.clone(),
                    of: String::new(),
                    r#type: r#type.clone(),
                };
                Selected {
                    columns: query.columns.iter().map(column).collect(),
                    rows: Held::Query(Arc::clone(query)),
                }
            }
        }
    }

    /// The column as results have it.
    fn named(&self, column: &Column) -> Named {
        Named {
            name: column.name.clone(),
            of: column.name.clone(),
            r#type: annotated(&column.r#type, self.dialect),
        }
    }

    fn index(&self, table: &Table, name: &str) -> Result<Option<&Index>, Status> {
        if name.is_empty() {
            return Ok(None);
        }
        let index = self
            .indexes
            .iter()
            .find(|index| index.name.eq_ignore_ascii_case(name));
        match index {
            Some(index) if index.table == table.name => Ok(Some(index)),
            Some(index) => Err(Status::failed_precondition(format!(
                "Index {} is not an index on {}.",
                index.name, table.name
            ))),
            None => Err(Status::not_found(format!(
                "Index not found on table {}: {name}",
                table.name
            ))),
        }
    }
}

impl Of {
    fn held(&self, state: State) -> Held {
        let order: Vec<&Column> = self.order.iter().collect();
        let wanted = |row: &Row| {
            let key = key_of(row, &order);
            self.keys.has(&key) && !(self.null_filtered && key.contains(&Part::Null))
        };
        let takes_all = self.keys == Keys::All && !self.null_filtered;
        match state {
            State::Drawn(drawn) if takes_all => Held::Drawn(drawn),
            State::Drawn(drawn) => {
                let numbers = numbers(&drawn, wanted);
                Held::Some(drawn, numbers)
            }
            State::Rows(mut rows) => {
                rows.retain(wanted);
                // Stable: where the index says nothing, the primary key does.
                rows.sort_by_cached_key(|row| key_of(row, &order));
                Held::Rows(rows)
            }
        }
    }
}

fn numbers(drawn: &Drawn, wanted: impl Fn(&Row) -> bool) -> Vec<usize> {
    let wanted = |number: &usize| wanted(&(drawn.row)(*number));
    (0..drawn.count).filter(wanted).collect()
}

fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, Status> {
    let mut columns = table.columns.iter();
    let found = columns.find(|column| column.name.eq_ignore_ascii_case(name));
    // Source: Cloud Spanner emulator, `common/errors.cc`, `ColumnNotFound`.
    found.ok_or_else(|| {
        Status::not_found(format!("Column not found in table {}: {name}", table.name))
    })
}

fn readable<'a>(table: &'a Table, index: Option<&Index>, name: &str) -> Result<&'a Column, Status> {
    let column = column(table, name)?;
    let is_in = index.is_none_or(|index| {
        let mut stored = index.key.iter().chain(&index.storing);
        column.is_primary_key || stored.any(|stored| *stored == column.name)
    });
    if is_in {
        return Ok(column);
    }
    // Source: Cloud Spanner, as quoted in googleapis/google-cloud-go, `spannertest`.
    Err(Status::unimplemented(format!(
        "Reading non-indexed columns using an index is not supported. Consider adding {name} to \
         the index using a STORING clause."
    )))
}

fn same(wanted: &Row, given: Option<&Struct>) -> bool {
    let empty = Struct::default();
    let given = &given.unwrap_or(&empty).fields;
    let is_given = |(name, value): (&String, &Json)| given.get(name) == Some(&plain(value));
    wanted.len() == given.len() && wanted.iter().all(is_given)
}
