//! What is chosen by name: tables and columns, by lists of Java patterns.

use acequia_host::run::Report;
use acequia_sandbox::spanner::history::{Committed, RowChange, shop};
use acequia_sandbox::spanner::{History, Sandbox};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::place::Place;
use super::shop::{after, an_hour_ago, serve};
use super::{process, truth};

/// An order and a customer are added, the order is paid, and its secret alone is changed.
fn history(start: Timestamp) -> History {
    let (orders, customers) = (shop::orders(), shop::customers());
    let order = json!({ "CustomerId": "7", "OrderId": "1", "Status": "NEW", "Secret": "s3cret" });
    let customer = json!({ "CustomerId": "7", "Name": "Ada", "City": "Lyon" });
    let paid = json!({ "Status": "PAID" });
    let secret = json!({ "Secret": "other" });
    History::starting_at(start)
        .partition("a")
        .commit(
            after(start, 1),
            "a",
            [RowChange::insert(&orders, order.clone())],
        )
        .commit(
            after(start, 2),
            "a",
            [RowChange::insert(&customers, customer)],
        )
        .commit(
            after(start, 3),
            "a",
            [RowChange::update(&orders, order.clone(), paid)],
        )
        .commit(
            after(start, 4),
            "a",
            [RowChange::update(&orders, order, secret)],
        )
        .build()
        .unwrap()
}

struct Filtered {
    sandbox: Sandbox,
    report: Report,
    values: Vec<Value>,
}

async fn filtered(options: &[(&str, Value)]) -> Filtered {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    for (option, value) in options {
        place.set(option, value.clone());
    }
    let report = place.run().await.unwrap();
    Filtered {
        sandbox,
        report,
        values: place.values(),
    }
}

impl Filtered {
    /// What was committed to one table.
    fn committed_to(&self, table: &str) -> Vec<Committed> {
        let committed = self.sandbox.committed();
        committed
            .into_iter()
            .filter(|row| row.table == table)
            .collect()
    }
}

#[tokio::test]
async fn only_tables_of_the_include_list_come_out() {
    let filtered = filtered(&[("table-include-list", json!(["Cust\\w+|Nobody"]))]).await;
    truth::compare(&filtered.values, &filtered.committed_to("Customers"));
    assert_eq!(filtered.report.tally.dropped.by_table, 3);
}

#[tokio::test]
async fn tables_of_the_exclude_list_stay_away() {
    let filtered = filtered(&[("table-exclude-list", json!(["Customers"]))]).await;
    truth::compare(&filtered.values, &filtered.committed_to("Orders"));
    assert_eq!(filtered.report.tally.dropped.by_table, 1);
}

#[tokio::test]
async fn a_pattern_must_match_the_whole_name() {
    let filtered = filtered(&[("table-exclude-list", json!(["Custom", "ders"]))]).await;
    truth::compare(&filtered.values, &filtered.sandbox.committed());
}

#[tokio::test]
async fn an_empty_list_is_no_filter() {
    let filtered = filtered(&[("table-include-list", json!([]))]).await;
    truth::compare(&filtered.values, &filtered.sandbox.committed());
}

#[tokio::test]
async fn columns_of_the_exclude_list_stay_away_and_nothing_of_them_is_written() {
    let filtered = filtered(&[("column-exclude-list", json!(["Orders\\.Secret"]))]).await;
    truth::compare(&filtered.values, &filtered.sandbox.committed());
    assert!(
        filtered
            .values
            .iter()
            .all(|value| !value.to_string().contains("s3cret"))
    );
    assert_eq!(filtered.values[0]["new_values"], json!({ "Status": "NEW" }));
    assert_eq!(
        filtered.values[1]["new_values"],
        json!({ "Name": "Ada", "City": "Lyon" })
    );
    assert_eq!(filtered.values[2]["old_values"], json!({ "Status": "NEW" }));
    // Nothing of the last change is left, and it is still told.
    assert_eq!(filtered.values[3]["new_values"], json!({}));
}

#[tokio::test]
async fn keys_are_kept_whatever_the_lists_say() {
    for lists in [
        ("column-exclude-list", json!([".*"])),
        ("column-include-list", json!(["Orders\\.Status"])),
    ] {
        let filtered = filtered(&[lists]).await;
        truth::compare(&filtered.values, &filtered.sandbox.committed());
        assert_eq!(
            filtered.values[0]["keys"],
            json!({ "CustomerId": "7", "OrderId": "1" })
        );
        assert_eq!(filtered.values[1]["new_values"], json!({}));
    }
}

#[tokio::test]
async fn a_record_that_filtering_left_without_a_change_is_skipped_if_asked_for() {
    let filtered = filtered(&[
        ("column-exclude-list", json!(["Orders\\.Secret"])),
        ("skip-messages-without-change", json!(true)),
    ])
    .await;
    let mut committed = filtered.sandbox.committed();
    committed.pop();
    truth::compare(&filtered.values, &committed);
    assert_eq!(filtered.report.tally.dropped.without_change, 1);
}

#[tokio::test]
async fn bad_patterns_and_other_mistakes_are_told_together_each_with_its_path() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    place.set("table-include-list", json!(["Orders", "(unclosed"]));
    place.set("column-exclude-list", json!(["Orders\\.(?<=a+)b"]));
    place.set(
        "deserializer",
        json!({ "builtin": "json", "config": { "granularity": "row" } }),
    );
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    for path in [
        "spanner-change-stream.table-include-list[1]",
        "spanner-change-stream.column-exclude-list[0]",
        "spanner-change-stream.deserializer.config.granularity",
    ] {
        assert!(ended.stderr.contains(path), "{path}: {}", ended.stderr);
    }
    assert_eq!(sandbox.stats().requests.len(), 0, "nothing was read");
}
