//! What INFORMATION_SCHEMA says about the tables of the database.
//!
//! Source: <https://cloud.google.com/spanner/docs/information-schema> and its PostgreSQL page,
//! `tables`, `columns` and `index_columns`.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use prost_types::Value;
use serde_json::Value as Json;

use super::catalog::Catalog;
use crate::spanner::{
    history::{Column, Table},
    script::Dialect,
    wire::{Rows, build::text},
};

const TABLE: [&str; 3] = ["TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME"];

impl Catalog {
    /// A view of tables. Every column of these views is a text here but the ordinal position.
    pub(super) fn table_view(&self, name: &str) -> Option<Rows> {
        let (own, rows): (&[&str], Vec<Vec<Value>>) = match name {
            "TABLES" => (&["TABLE_TYPE"], self.base_tables()),
            "COLUMNS" => (
                &[
                    "COLUMN_NAME",
                    "ORDINAL_POSITION",
                    "SPANNER_TYPE",
                    "IS_GENERATED",
                ],
                self.every_column(),
            ),
            "INDEX_COLUMNS" => (
                &[
                    "INDEX_NAME",
                    "INDEX_TYPE",
                    "COLUMN_NAME",
                    "ORDINAL_POSITION",
                ],
                self.key_columns(),
            ),
            _ => return None,
        };
        let columns = TABLE.iter().chain(own).map(|name| {
            let code = match *name {
                "ORDINAL_POSITION" => TypeCode::Int64,
                _ => TypeCode::String,
            };
            (self.cased(name), code)
        });
        Some(Rows {
            columns: columns.collect(),
            rows,
        })
    }

    fn base_tables(&self) -> Vec<Vec<Value>> {
        let row = |table| self.of_table(table, [text("BASE TABLE")]);
        self.tables.iter().map(row).collect()
    }

    fn every_column(&self) -> Vec<Vec<Value>> {
        let row = |table: &Table, column: &Column| {
            let own = [
                text(&column.name),
                text(column.ordinal_position.to_string()),
                text(spanner_type(&column.r#type, self.dialect)),
                text("NEVER"),
            ];
            self.of_table(table, own)
        };
        let of_table = |table: &Table| -> Vec<_> {
            table
                .columns
                .iter()
                .map(|column| row(table, column))
                .collect()
        };
        self.tables.iter().flat_map(of_table).collect()
    }

    /// The primary key is an index of that name.
    fn key_columns(&self) -> Vec<Vec<Value>> {
        let row = |table: &Table, (column, place): (&Column, i64)| {
            let own = [
                text("PRIMARY_KEY"),
                text("PRIMARY_KEY"),
                text(&column.name),
                text(place.to_string()),
            ];
            self.of_table(table, own)
        };
        let of_table = |table: &Table| -> Vec<_> {
            let keys = table.columns.iter().filter(|column| column.is_primary_key);
            keys.zip(1..).map(|key| row(table, key)).collect()
        };
        self.tables.iter().flat_map(of_table).collect()
    }

    fn of_table(&self, table: &Table, own: impl IntoIterator<Item = Value>) -> Vec<Value> {
        let table = [text(""), self.schema(), text(&table.name)];
        table.into_iter().chain(own).collect()
    }
}

/// A type as the dialect's DDL writes it; lengths are the largest.
fn spanner_type(r#type: &Json, dialect: Dialect) -> String {
    let code = r#type
        .get("code")
        .and_then(Json::as_str)
        .unwrap_or_default();
    if code == "ARRAY" {
        let element = r#type.get("array_element_type").unwrap_or(&Json::Null);
        let element = spanner_type(element, dialect);
        return match dialect {
            Dialect::GoogleSql => format!("ARRAY<{element}>"),
            Dialect::Postgres => format!("{element}[]"),
        };
    }
    let name = match (dialect, code) {
        (Dialect::GoogleSql, "STRING") => "STRING(MAX)",
        (Dialect::GoogleSql, "BYTES") => "BYTES(MAX)",
        (Dialect::Postgres, "INT64") => "bigint",
        (Dialect::Postgres, "STRING") => "character varying",
        (Dialect::Postgres, "BOOL") => "boolean",
        (Dialect::Postgres, "FLOAT64") => "double precision",
        (Dialect::Postgres, "FLOAT32") => "real",
        (Dialect::Postgres, "BYTES") => "bytea",
        (Dialect::Postgres, "JSON") => "jsonb",
        (Dialect::Postgres, "TIMESTAMP") => "timestamp with time zone",
        (Dialect::Postgres, other) => return other.to_lowercase(),
        (Dialect::GoogleSql, other) => other,
    };
    name.to_owned()
}
