//! What INFORMATION_SCHEMA says, in both dialects.

use std::time::Duration;

use acequia_sandbox::spanner::{
    Dialect, History, Mode, Sandbox, Script, Watch, history::ValueCapture,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::ExecuteSqlRequest;
use prost_types::{Struct, value::Kind};
use serde_json::{Value as Json, json};
use tonic::Code;

use super::client::{Client, at, script, text};

fn empty() -> History {
    History::starting_at(at(0.0))
        .capture(ValueCapture::NewRow)
        .partition("a")
        .build()
        .unwrap()
}

async fn started(script: Script) -> (Sandbox, Client) {
    let dialect = script.dialect;
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::connect(&sandbox, dialect, Mode::Immutable).await;
    (sandbox, client)
}

fn request(client: &Client, sql: &str, parameters: &[(&str, &str)]) -> ExecuteSqlRequest {
    let fields = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), text(value)));
    ExecuteSqlRequest {
        session: client.session.clone(),
        sql: sql.to_owned(),
        params: Some(Struct {
            fields: fields.collect(),
        }),
        ..ExecuteSqlRequest::default()
    }
}

/// The rows of a query, the same by both calls.
async fn rows(client: &Client, sql: &str, parameters: &[(&str, &str)]) -> Vec<Json> {
    let request = request(client, sql, parameters);
    let plain = client
        .spanner
        .clone()
        .execute_sql(request.clone())
        .await
        .unwrap()
        .into_inner();
    let rows: Vec<Vec<Json>> = plain
        .rows
        .iter()
        .map(|row| row.values.iter().map(cell).collect())
        .collect();
    let frame = client
        .send(request)
        .await
        .unwrap()
        .message()
        .await
        .unwrap()
        .unwrap();
    let streamed: Vec<Json> = frame.values.iter().map(cell).collect();
    assert_eq!(streamed, rows.concat());
    let columns = plain.metadata.unwrap().row_type.unwrap().fields.len();
    assert!(rows.iter().all(|row| row.len() == columns));
    rows.into_iter().map(Json::Array).collect()
}

fn cell(value: &prost_types::Value) -> Json {
    match value.kind.as_ref().unwrap() {
        Kind::StringValue(text) => json!(text),
        Kind::BoolValue(flag) => json!(flag),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_dialect_is_found_by_one_statement_in_both() {
    let sql = "SELECT option_value FROM information_schema.database_options WHERE option_name = 'database_dialect'";
    for (dialect, name) in [
        (Dialect::GoogleSql, "GOOGLE_STANDARD_SQL"),
        (Dialect::Postgres, "POSTGRESQL"),
    ] {
        let (_sandbox, client) = started(Script {
            dialect,
            ..script(empty())
        })
        .await;
        assert_eq!(rows(&client, sql, &[]).await, [json!([name])]);
    }
}

#[tokio::test]
async fn options_have_a_row_only_when_they_were_set() {
    let sql = "SELECT OPTION_NAME, OPTION_VALUE FROM INFORMATION_SCHEMA.CHANGE_STREAM_OPTIONS \
               WHERE CHANGE_STREAM_CATALOG='' AND CHANGE_STREAM_SCHEMA='' AND CHANGE_STREAM_NAME=@n";
    let (_sandbox, client) = started(script(empty())).await;
    let stream = [("n", "ShopStream")];
    assert_eq!(
        rows(&client, sql, &stream).await,
        [json!(["value_capture_type", "NEW_ROW"])]
    );
    assert_eq!(rows(&client, sql, &[("n", "Other")]).await, [] as [Json; 0]);
    for (retention, text) in [(36 * 3600, "36h"), (3 * 86_400, "3d"), (90, "90s")] {
        let retention = Some(Duration::from_secs(retention));
        let (_sandbox, client) = started(Script {
            retention,
            ..script(empty())
        })
        .await;
        let found = rows(&client, sql, &stream).await;
        assert_eq!(found[0], json!(["retention_period", text]));
    }
}

#[tokio::test]
async fn postgres_names_the_schema_public_and_binds_by_place() {
    let sql = "SELECT option_name, option_value FROM information_schema.change_stream_options \
               WHERE change_stream_schema='public' AND change_stream_name=$1";
    let (_sandbox, client) = started(Script {
        dialect: Dialect::Postgres,
        ..script(empty())
    })
    .await;
    let found = rows(&client, sql, &[("p1", "ShopStream")]).await;
    assert_eq!(found, [json!(["value_capture_type", "NEW_ROW"])]);
}

#[tokio::test]
async fn the_mode_of_mutable_key_ranges_is_an_option() {
    let history = History::starting_at(at(0.0)).partition("a").partition("b");
    let history = history.moves_range(at(1.0), "a", "b").build().unwrap();
    let (_sandbox, client) = started(Script {
        mode: Mode::Mutable,
        ..script(history)
    })
    .await;
    let sql = "SELECT option_value FROM information_schema.change_stream_options WHERE option_name = 'partition_mode'";
    assert_eq!(
        rows(&client, sql, &[]).await,
        [json!(["MUTABLE_KEY_RANGE"])]
    );
}

#[tokio::test]
async fn a_stream_for_all_says_so_and_lists_no_table() {
    let sql = "SELECT CHANGE_STREAM_NAME, `ALL` FROM INFORMATION_SCHEMA.CHANGE_STREAMS";
    let (_sandbox, client) = started(script(empty())).await;
    assert_eq!(rows(&client, sql, &[]).await, [json!(["ShopStream", true])]);
    let tables = "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.CHANGE_STREAM_TABLES";
    assert_eq!(rows(&client, tables, &[]).await, [] as [Json; 0]);
    let sql = r#"SELECT change_stream_name, "all" FROM information_schema.change_streams"#;
    let (_sandbox, client) = started(Script {
        dialect: Dialect::Postgres,
        ..script(empty())
    })
    .await;
    assert_eq!(
        rows(&client, sql, &[]).await,
        [json!(["ShopStream", "YES"])]
    );
}

#[tokio::test]
async fn a_stream_of_named_tables_lists_them_and_named_columns() {
    let columns = Some(vec!["Total".to_owned(), "Status".to_owned()]);
    let tables = vec![
        ("Orders".to_owned(), columns),
        ("Customers".to_owned(), None),
    ];
    let watch = Watch::Tables(tables);
    let (_sandbox, client) = started(Script {
        watch,
        ..script(empty())
    })
    .await;
    let sql = "SELECT TABLE_NAME, ALL_COLUMNS FROM INFORMATION_SCHEMA.CHANGE_STREAM_TABLES ORDER BY TABLE_NAME";
    let wanted = [json!(["Customers", true]), json!(["Orders", false])];
    assert_eq!(rows(&client, sql, &[]).await, wanted);
    let sql = "SELECT TABLE_NAME, COLUMN_NAME FROM INFORMATION_SCHEMA.CHANGE_STREAM_COLUMNS \
               WHERE TABLE_NAME IN ('Orders', 'Customers') ORDER BY COLUMN_NAME";
    let wanted = [json!(["Orders", "Status"]), json!(["Orders", "Total"])];
    assert_eq!(rows(&client, sql, &[]).await, wanted);
}

#[tokio::test]
async fn tables_are_described_with_their_columns_types_and_keys() {
    let columns = "SELECT column_name, spanner_type FROM information_schema.columns \
                   WHERE table_name = 'Orders' AND is_generated = 'NEVER'";
    let keys = "SELECT column_name, ordinal_position FROM information_schema.index_columns \
                WHERE table_name = 'Orders' AND index_type = 'PRIMARY_KEY'";
    for (dialect, tags, key) in [
        (Dialect::GoogleSql, "ARRAY<STRING(MAX)>", "INT64"),
        (Dialect::Postgres, "character varying[]", "bigint"),
    ] {
        let (_sandbox, client) = started(Script {
            dialect,
            ..script(empty())
        })
        .await;
        let found = rows(&client, columns, &[]).await;
        assert_eq!(found.len(), 10);
        assert_eq!(found[0], json!(["CustomerId", key]));
        assert_eq!(found[4], json!(["Tags", tags]));
        let wanted = [json!(["CustomerId", "1"]), json!(["OrderId", "2"])];
        assert_eq!(rows(&client, keys, &[]).await, wanted);
        let tables = "SELECT table_name FROM information_schema.tables \
                      WHERE table_type = 'BASE TABLE' ORDER BY table_name";
        let wanted = [json!(["Customers"]), json!(["Orders"])];
        assert_eq!(rows(&client, tables, &[]).await, wanted);
    }
}

#[tokio::test]
async fn views_and_columns_that_do_not_exist_are_invalid_arguments() {
    let (_sandbox, client) = started(script(empty())).await;
    for sql in [
        "SELECT 1 FROM INFORMATION_SCHEMA.ROUTINES",
        "SELECT NOPE FROM INFORMATION_SCHEMA.CHANGE_STREAMS",
    ] {
        let status = client.refusal_of(request(&client, sql, &[])).await;
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().ends_with(sql), "{}", status.message());
    }
}
