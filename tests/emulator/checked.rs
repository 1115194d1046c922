//! `acequia check` of a real database: what its INFORMATION_SCHEMA says of a stream.

use serde_json::Value as Json;

use super::admin;
use super::connector::Place;
use super::service::Emulator;
use super::shop::Dialect;

/// A table with a generated column, an index and a view over it, and three ways to watch it. Two
/// streams are quoted in PostgreSQL, so that their names are the same in both dialects.
fn statements(dialect: Dialect) -> [&'static str; 6] {
    match dialect {
        Dialect::GoogleSql => [
            "CREATE TABLE items (id INT64 NOT NULL, name STRING(64), tags ARRAY<STRING(MAX)>, \
             folded STRING(64) AS (LOWER(name)) STORED) PRIMARY KEY (id)",
            "CREATE INDEX items_by_name ON items (name)",
            "CREATE VIEW names SQL SECURITY INVOKER AS SELECT items.name FROM items",
            "CREATE CHANGE STREAM whole FOR ALL",
            "CREATE CHANGE STREAM named FOR items(tags)",
            "CREATE CHANGE STREAM keys FOR items()",
        ],
        Dialect::PostgreSql => [
            "CREATE TABLE items (id bigint NOT NULL PRIMARY KEY, name varchar(64), \
             tags varchar[], folded varchar(64) GENERATED ALWAYS AS (lower(name)) STORED)",
            "CREATE INDEX items_by_name ON items (name)",
            "CREATE VIEW names SQL SECURITY INVOKER AS SELECT items.name FROM items",
            "CREATE CHANGE STREAM whole FOR ALL",
            "CREATE CHANGE STREAM named FOR items(tags)",
            "CREATE CHANGE STREAM keys FOR items()",
        ],
    }
}

/// The columns that are told of the one table.
fn columns(report: &Json) -> Vec<(&str, bool)> {
    let tables = report["would_read"]["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 1, "{report:#}");
    assert_eq!(tables[0]["name"], "items");
    let columns = tables[0]["columns"].as_array().expect("columns");
    let column = |column: &Json| column["is_key"].as_bool().expect("a flag");
    columns
        .iter()
        .map(|seen| (seen["name"].as_str().expect("a name"), column(seen)))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_watch_list_is_what_the_database_says_in_both_dialects() {
    for (dialect, told) in [
        (Dialect::GoogleSql, "GOOGLE_STANDARD_SQL"),
        (Dialect::PostgreSql, "POSTGRESQL"),
    ] {
        let Some(emulator) = Emulator::start("a check").await else {
            return;
        };
        let channel = emulator.connect().await;
        let database =
            admin::create_database(&channel, "checked", dialect, &statements(dialect)).await;
        for (stream, everything, watched) in [
            (
                "whole",
                true,
                &[("id", true), ("name", false), ("tags", false)][..],
            ),
            ("named", false, &[("id", true), ("tags", false)]),
            ("keys", false, &[("id", true)]),
        ] {
            let place = Place::new(&emulator, &database, stream);
            let (code, report) = place.check("");
            assert_eq!(code, Some(0), "{report:#}");
            let source = &report["would_read"]["source"];
            assert_eq!(source["dialect"], told, "{report:#}");
            assert_eq!(source["watches_everything"], everything, "{report:#}");
            assert_eq!(columns(&report), watched, "{stream}");
        }
    }
}
