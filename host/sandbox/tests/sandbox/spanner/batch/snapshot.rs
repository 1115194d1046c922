//! A table at a timestamp: its first rows and the changes until then.

use std::{collections::BTreeMap, time::Duration};

use acequia_sandbox::{
    Clock, ManualClock,
    spanner::{
        Batch, Dialect, History, Sandbox, Script,
        history::{Live, RowChange, ValueCapture, shop},
        tables::Contents,
    },
};
use serde_json::{Value as Json, json};

use super::{
    super::client::{at, script},
    reader::{Reader, STRONG, customers, read_at, shop as quiet_shop, three},
};

fn changed(capture: ValueCapture) -> History {
    let table = shop::customers();
    let ada = json!({"CustomerId": "2", "Name": "Ada", "City": "Lyon"});
    let linus = json!({"CustomerId": "10", "Name": "Linus", "City": "Bern"});
    let history = History::starting_at(at(0.0))
        .capture(capture)
        .partition("a");
    let history = history
        .commit(
            at(10.0),
            "a",
            [RowChange::insert(
                &table,
                json!({"CustomerId": "3", "Name": "Zo\u{eb}"}),
            )],
        )
        .commit(
            at(20.0),
            "a",
            [RowChange::update(&table, ada, json!({"City": "Bern"}))],
        )
        .commit(at(30.0), "a", [RowChange::delete(&table, linus)]);
    history.build().unwrap()
}

#[tokio::test]
async fn a_table_without_changes_is_its_first_rows_in_key_order() {
    let (_sandbox, reader) = Reader::start(quiet_shop()).await;
    let columns = ["CustomerId", "Name", "City"];
    let read = reader.read("Customers", &columns);
    assert_eq!(reader.rows_of_read(read).await, three());
    assert_eq!(
        reader.rows_of_query("SELECT * FROM Customers").await,
        three()
    );
}

#[tokio::test]
async fn a_table_at_a_timestamp_has_what_was_committed_until_then() {
    let captures = [
        ValueCapture::OldAndNewValues,
        ValueCapture::NewValues,
        ValueCapture::NewRow,
        ValueCapture::NewRowAndOldValues,
    ];
    for capture in captures {
        let script = Script {
            batch: Batch {
                contents: vec![customers()],
                version_retention: Some(Duration::from_secs(7200)),
                ..Batch::default()
            },
            ..script(changed(capture))
        };
        let sandbox = Sandbox::start(script).unwrap();
        let names = |rows: &Json| {
            let rows = rows.as_array().unwrap().iter();
            let key = |row: &Json| format!("{}{}", row[0].as_str().unwrap(), row[1]);
            rows.map(key).collect::<Vec<_>>().join(" ")
        };
        let expected = [
            (9.999, r#"-1null 2"Lyon" 10"Bern""#),
            (10.0, r#"-1null 2"Lyon" 3null 10"Bern""#),
            (20.0, r#"-1null 2"Bern" 3null 10"Bern""#),
            (30.0, r#"-1null 2"Bern" 3null"#),
        ];
        for (seconds, rows) in expected {
            let bound = read_at(at(seconds));
            let reader = Reader::of(&sandbox, Dialect::GoogleSql, bound).await;
            let read = reader.read("Customers", &["CustomerId", "City"]);
            assert_eq!(names(&reader.rows_of_read(read).await), rows, "{seconds}");
        }
    }
}

#[tokio::test]
async fn a_snapshot_and_the_changes_after_it_are_the_table_of_a_live_history() {
    let live = Live {
        rate: 500.0,
        keys: 40,
        ..Live::default()
    };
    let script = Script {
        clock: Clock::StartingAt(at(0.0)),
        ..Script::new(History::live(5, live))
    };
    let sandbox = Sandbox::start(script).unwrap();
    while sandbox.committed().len() < 100 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let reader = Reader::of(&sandbox, Dialect::GoogleSql, STRONG).await;
    let told = reader.transaction.read_timestamp.unwrap();
    let instant = jiff::Timestamp::new(told.seconds, told.nanos).unwrap();
    let keys = |rows: Json| -> Vec<String> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row[0].as_str().unwrap().to_owned())
            .collect()
    };
    let read = || reader.read("Customers", &["CustomerId"]);
    let mut first = keys(reader.rows_of_read(read()).await);
    let grown = sandbox.committed().len() + 50;
    while sandbox.committed().len() < grown {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut again = keys(reader.rows_of_read(read()).await);
    let mut truth: BTreeMap<String, bool> = BTreeMap::new();
    for change in sandbox.committed() {
        if change.table == "Customers" && change.commit_timestamp <= instant {
            let key = change.keys["CustomerId"].as_str().unwrap().to_owned();
            truth.insert(key, change.mod_type.as_str() != "DELETE");
        }
    }
    let mut truth: Vec<String> = truth
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(k, _)| k)
        .collect();
    for keys in [&mut first, &mut again, &mut truth] {
        keys.sort();
    }
    assert!(!truth.is_empty());
    assert_eq!(first, truth);
    assert_eq!(again, truth, "what was committed since is not in it");
}

#[tokio::test]
async fn a_read_in_the_future_waits_for_it() {
    let clock = ManualClock::at(at(5.0));
    let script = Script {
        clock: Clock::Manual(clock.clone()),
        batch: Batch {
            contents: vec![customers()],
            ..Batch::default()
        },
        ..script(changed(ValueCapture::NewRow))
    };
    let sandbox = Sandbox::start(script).unwrap();
    let reader = Reader::of(&sandbox, Dialect::GoogleSql, read_at(at(10.0))).await;
    let parts = reader.plan_read(reader.read("Customers", &["CustomerId"]));
    let parts = parts.await.unwrap();
    let part = parts[0].clone();
    let early = tokio::time::timeout(Duration::from_millis(200), reader.open_read(part.clone()));
    assert!(early.await.is_err());
    clock.advance(Duration::from_secs(5));
    assert!(reader.open_read(part).await.is_ok());
    let rows = reader.rows_of_read(reader.read("Customers", &["CustomerId"]));
    assert_eq!(
        rows.await,
        json!([["-1"], ["2"], ["3"], ["10"]]),
        "what came at T is in it"
    );
}

#[tokio::test]
async fn rows_that_are_drawn_are_made_as_they_are_read() {
    let row = |number: usize| {
        let row = json!({"CustomerId": number.to_string(), "Name": "x"});
        row.as_object().unwrap().clone()
    };
    let (_sandbox, reader) = Reader::start(super::reader::with(Batch {
        contents: vec![Contents::drawn("Customers", 5000, row)],
        ..Batch::default()
    }))
    .await;
    let rows = reader
        .rows_of_query("SELECT CustomerId FROM Customers")
        .await;
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 5000);
    assert_eq!((&rows[0][0], &rows[4999][0]), (&json!("0"), &json!("4999")));
}
