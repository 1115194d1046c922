//! What INFORMATION_SCHEMA says about the database and its stream.
//!
//! Source: <https://cloud.google.com/spanner/docs/information-schema> and its PostgreSQL page,
//! `database_options` and the `change_stream_*` views.

use std::time::Duration;

use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use prost_types::Value;

use super::parser::Select;
use crate::spanner::{
    history::Table,
    script::{Dialect, Mode, Watch},
    wire::{
        Rows,
        build::{text, truth},
    },
};

/// What the views are made of.
#[derive(Clone, Debug)]
pub(crate) struct Catalog {
    pub(crate) dialect: Dialect,
    pub(crate) stream: String,
    pub(crate) mode: Mode,
    pub(crate) retention: Option<Duration>,
    pub(crate) capture: Option<String>,
    pub(crate) watch: Watch,
    pub(crate) tables: Vec<Table>,
    pub(crate) version_retention: Option<Duration>,
}

/// The rows that `select` asks for; `value` gives what an operand stands for, as text.
pub(crate) fn answer(
    catalog: &Catalog,
    select: &Select,
    value: impl Fn(&super::Operand) -> Option<String>,
) -> Result<Rows, String> {
    let view = catalog
        .view(&select.view)
        .ok_or_else(|| format!("no view {}", select.view))?;
    let index = |column: &String| {
        let found = view
            .columns
            .iter()
            .position(|(name, _)| name.eq_ignore_ascii_case(column));
        found.ok_or_else(|| format!("no column {column} in {}", select.view))
    };
    let mut rows = view.rows;
    for filter in &select.filters {
        let column = index(&filter.column)?;
        let wanted: Vec<String> = filter.any_of.iter().filter_map(&value).collect();
        rows.retain(|row| {
            row.get(column)
                .is_some_and(|cell| wanted.contains(&plain(cell)))
        });
    }
    for column in select.order_by.iter().rev() {
        let column = index(column)?;
        rows.sort_by_key(|row| row.get(column).map(plain));
    }
    let all = || (0..view.columns.len()).collect();
    let chosen = select
        .columns
        .iter()
        .map(index)
        .collect::<Result<Vec<_>, _>>()?;
    let chosen: Vec<usize> = if chosen.is_empty() { all() } else { chosen };
    let pick = |row: &Vec<Value>| {
        chosen
            .iter()
            .filter_map(|&at| row.get(at).cloned())
            .collect()
    };
    let columns = chosen
        .iter()
        .filter_map(|&at| view.columns.get(at).cloned())
        .collect();
    Ok(Rows {
        columns,
        rows: rows.iter().map(pick).collect(),
    })
}

impl Catalog {
    fn view(&self, name: &str) -> Option<Rows> {
        let owner = [
            "CHANGE_STREAM_CATALOG",
            "CHANGE_STREAM_SCHEMA",
            "CHANGE_STREAM_NAME",
        ];
        let table = ["TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME"];
        let option = ["OPTION_NAME", "OPTION_TYPE", "OPTION_VALUE"];
        let (texts, flag, rows): (Vec<&str>, Option<&str>, Vec<Vec<Value>>) = match name {
            "DATABASE_OPTIONS" => {
                let columns = ["CATALOG_NAME", "SCHEMA_NAME"].into_iter().chain(option);
                (columns.collect(), None, self.database_options())
            }
            "CHANGE_STREAMS" => {
                let watches_all = self.flag(self.watch == Watch::Everything);
                (owner.to_vec(), Some("ALL"), vec![self.owned([watches_all])])
            }
            "CHANGE_STREAM_OPTIONS" => (
                owner.into_iter().chain(option).collect(),
                None,
                self.options(),
            ),
            "CHANGE_STREAM_TABLES" => (
                owner.into_iter().chain(table).collect(),
                Some("ALL_COLUMNS"),
                self.tables(),
            ),
            "CHANGE_STREAM_COLUMNS" => {
                let columns = owner.into_iter().chain(table).chain(["COLUMN_NAME"]);
                (columns.collect(), None, self.columns())
            }
            _ => return self.table_view(name),
        };
        let flag_type = match self.dialect {
            Dialect::GoogleSql => TypeCode::Bool,
            Dialect::Postgres => TypeCode::String,
        };
        let columns = texts.into_iter().map(|name| (name, TypeCode::String));
        let columns = columns.chain(flag.map(|name| (name, flag_type)));
        let columns = columns
            .map(|(name, code)| (self.cased(name), code))
            .collect();
        Some(Rows { columns, rows })
    }

    pub(super) fn cased(&self, column: &str) -> String {
        match self.dialect {
            Dialect::GoogleSql => column.to_owned(),
            Dialect::Postgres => column.to_lowercase(),
        }
    }

    pub(super) fn schema(&self) -> Value {
        match self.dialect {
            Dialect::GoogleSql => text(""),
            Dialect::Postgres => text("public"),
        }
    }

    fn flag(&self, flag: bool) -> Value {
        match self.dialect {
            Dialect::GoogleSql => truth(flag),
            Dialect::Postgres => text(if flag { "YES" } else { "NO" }),
        }
    }

    fn owned(&self, rest: impl IntoIterator<Item = Value>) -> Vec<Value> {
        let owner = [text(""), self.schema(), text(&self.stream)];
        owner.into_iter().chain(rest).collect()
    }

    /// The dialect, and the options that were set.
    fn database_options(&self) -> Vec<Vec<Value>> {
        let (r#type, dialect) = match self.dialect {
            Dialect::GoogleSql => ("STRING", "GOOGLE_STANDARD_SQL"),
            Dialect::Postgres => ("character varying", "POSTGRESQL"),
        };
        let row = |name: &str, value: &str| {
            vec![
                text(""),
                self.schema(),
                text(name),
                text(r#type),
                text(value),
            ]
        };
        let versions = self.version_retention.map(period);
        let versions = versions.map(|period| row("version_retention_period", &period));
        let dialect = row("database_dialect", dialect);
        std::iter::once(dialect).chain(versions).collect()
    }

    /// Options that were set; the others have no row.
    fn options(&self) -> Vec<Vec<Value>> {
        let mode = (self.mode == Mode::Mutable).then(|| "MUTABLE_KEY_RANGE".to_owned());
        let set = [
            ("partition_mode", mode),
            ("retention_period", self.retention.map(period)),
            ("value_capture_type", self.capture.clone()),
        ];
        let row = |(name, value): (&str, Option<String>)| {
            Some(self.owned([text(name), text("STRING"), text(value?)]))
        };
        set.into_iter().filter_map(row).collect()
    }

    fn tables(&self) -> Vec<Vec<Value>> {
        let Watch::Tables(tables) = &self.watch else {
            return Vec::new();
        };
        let row = |(table, columns): &(String, Option<Vec<String>>)| {
            self.owned([
                text(""),
                self.schema(),
                text(table),
                self.flag(columns.is_none()),
            ])
        };
        tables.iter().map(row).collect()
    }

    fn columns(&self) -> Vec<Vec<Value>> {
        let Watch::Tables(tables) = &self.watch else {
            return Vec::new();
        };
        let of_table = |(table, columns): &(String, Option<Vec<String>>)| -> Vec<Vec<Value>> {
            let columns = columns.iter().flatten();
            let row =
                |column: &String| self.owned([text(""), self.schema(), text(table), text(column)]);
            columns.map(row).collect()
        };
        tables.iter().flat_map(of_table).collect()
    }
}

/// A retention as the option spells it: whole days, hours, minutes or seconds.
fn period(retention: Duration) -> String {
    let seconds = retention.as_secs();
    [(86_400, "d"), (3_600, "h"), (60, "m")]
        .into_iter()
        .find(|(unit, _)| seconds > 0 && seconds.is_multiple_of(*unit))
        .map_or_else(
            || format!("{seconds}s"),
            |(unit, name)| format!("{}{name}", seconds / unit),
        )
}

/// A cell as text, for comparison.
fn plain(cell: &Value) -> String {
    match &cell.kind {
        Some(prost_types::value::Kind::StringValue(text)) => text.clone(),
        Some(prost_types::value::Kind::BoolValue(flag)) => flag.to_string(),
        _ => String::new(),
    }
}
