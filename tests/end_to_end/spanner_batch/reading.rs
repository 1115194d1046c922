//! What comes out of a read that nothing disturbs.

use acequia_sandbox::spanner::batch::RowWire;
use acequia_sandbox::spanner::tables::{Contents, Query, value};
use acequia_sandbox::spanner::{Batch, Dialect, History, Sandbox, Script};
use serde_json::{Value, json};

use super::{expected, place, serve, serve_customers, sorted};
use crate::end_to_end::place::Place;
use crate::end_to_end::shop::{after, an_hour_ago, customer};

#[tokio::test]
async fn a_table_comes_out_row_by_row_and_the_run_ends_by_itself() {
    let sandbox = serve_customers(1000, RowWire::default());
    let place = place(&sandbox);
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(1000));
}

#[tokio::test]
async fn an_empty_table_ends_at_once() {
    let sandbox = serve_customers(0, RowWire::default());
    let place = place(&sandbox);
    place.run().await.unwrap();
    assert!(place.lines().is_empty());
}

#[tokio::test]
async fn a_run_that_is_done_reads_nothing_when_it_is_started_again() {
    let sandbox = serve_customers(100, RowWire::default());
    let place = place(&sandbox);
    place.run().await.unwrap();
    let asked = sandbox.stats().batch.len();
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(100));
    let again = sandbox.stats().batch.split_off(asked);
    assert!(
        again.iter().all(|call| call.partition_token.is_empty()),
        "{again:?}"
    );
}

#[tokio::test]
async fn keys_and_ranges_choose_rows() {
    let sandbox = serve_customers(100, RowWire::default());
    let mut place = place(&sandbox);
    place.set(
        "read-operation",
        json!({ "table": {
            "name": "Customers",
            "columns": ["CustomerId"],
            "key-set": {
                "keys": [[1_000_007]],
                "ranges": [{ "start-closed": [1_000_020], "end-open": [1_000_023] }],
            },
        } }),
    );
    place.run().await.unwrap();
    let ids =
        [7, 20, 21, 22].map(|n| json!({ "CustomerId": value::int64(1_000_000 + n) }).to_string());
    assert_eq!(sorted(&place), ids);
}

/// Values of every type, each as change records write it, and NULL.
#[tokio::test]
async fn each_type_is_written_as_in_change_records() {
    let row = json!({
        "CustomerId": "1",
        "OrderId": "-9223372036854775808",
        "Status": "\u{e9} \"quoted\" \\ \u{1f600}\n",
        "Total": "-99999999999999999999999999999.999999999",
        "Tags": ["a", null, ""],
        "Note": value::json_column(&json!({ "a": [1, null] })),
        "Rating": value::float(f64::NEG_INFINITY),
        "Secret": null,
        "UpdatedAt": "2026-01-02T03:04:05.123456789Z",
        "Photo": value::bytes(&[0, 255, 62]),
    });
    let sandbox = serve(Batch {
        contents: vec![Contents::of("Orders", [row.clone()])],
        ..Batch::default()
    });
    let mut place = place(&sandbox);
    let columns: Vec<&String> = row.as_object().unwrap().keys().collect();
    place.set(
        "read-operation",
        json!({ "table": { "name": "Orders", "columns": columns } }),
    );
    place.run().await.unwrap();
    assert_eq!(place.values(), [row]);
}

/// A query may name a column twice, and leave one without a name.
#[tokio::test]
async fn the_columns_of_a_query_keep_their_order_and_get_names() {
    let int64 = json!({ "code": "INT64" });
    let sql = "SELECT a, b AS a, 1 FROM t WHERE a > @least";
    let mut query = Query::new(
        sql,
        [("a", int64.clone()), ("a", int64.clone()), ("", int64)],
    );
    query.params = json!({ "least": "0" }).as_object().unwrap().clone();
    query.rows = vec![vec![json!("1"), json!("2"), json!("3")]];
    let sandbox = serve(Batch {
        queries: vec![query],
        ..Batch::default()
    });
    let mut place = place(&sandbox);
    place.set(
        "read-operation",
        json!({ "query": { "sql": sql, "params": { "least": 0 } } }),
    );
    place.run().await.unwrap();
    assert_eq!(place.lines(), [r#"{"a":"1","a_2":"2","_3":"3"}"#]);
}

#[tokio::test]
async fn metadata_tells_the_id_the_timestamp_and_the_partition() {
    let sandbox = serve_customers(1, RowWire::default());
    let mut place = place(&sandbox);
    place.set(
        "deserializer",
        json!({ "builtin": "json", "config": { "metadata": true } }),
    );
    place.set("timestamp-bound", json!({ "exact-staleness": "1s" }));
    place.run().await.unwrap();
    let [row] = place.values().try_into().unwrap();
    let at = row["_read_timestamp"].as_str().unwrap();
    assert!(at.parse::<jiff::Timestamp>().is_ok(), "{at}");
    assert_eq!(
        row["_id"],
        format!(r#"{at}/Customers/{{"CustomerId":"1000000"}}"#)
    );
    assert!(
        row["_partition"]
            .as_str()
            .unwrap()
            .starts_with("Customers/"),
        "{row}"
    );
}

/// What was committed after the instant is not in the snapshot, and what was before is.
#[tokio::test]
async fn a_read_timestamp_shows_the_table_as_it_was() {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("p0")
        .commit(after(start, 1000), "p0", [customer(1)])
        .commit(after(start, 3000), "p0", [customer(2)])
        .build()
        .unwrap();
    let sandbox = Sandbox::start(Script::new(history)).unwrap();
    let mut place = place(&sandbox);
    place.set(
        "timestamp-bound",
        json!({ "read-timestamp": after(start, 2000).to_string() }),
    );
    place.run().await.unwrap();
    let ids: Vec<Value> = place
        .values()
        .iter()
        .map(|row| row["CustomerId"].clone())
        .collect();
    assert_eq!(ids, [json!("1")]);
}

#[tokio::test]
async fn a_postgresql_database_is_read_in_the_same_way() {
    let history = History::starting_at(an_hour_ago())
        .partition("p0")
        .build()
        .unwrap();
    let sandbox = Sandbox::start(Script {
        dialect: Dialect::Postgres,
        batch: Batch {
            contents: vec![super::customers(50)],
            ..Batch::default()
        },
        ..Script::new(history)
    })
    .unwrap();
    let place = place(&sandbox);
    place.run().await.unwrap();
    assert_eq!(sorted(&place), expected(50));
}

#[tokio::test]
async fn a_query_that_cannot_be_partitioned_ends_with_the_services_reason() {
    let sandbox = serve_customers(1, RowWire::default());
    let mut place: Place = place(&sandbox);
    let sql = "SELECT CustomerId FROM Customers ORDER BY CustomerId";
    place.set("read-operation", json!({ "query": { "sql": sql } }));
    let failure = place.run().await.unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    let text = failure.text();
    assert!(text.contains("not root partitionable"), "{text}");
}
