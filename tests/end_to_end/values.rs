//! The bytes of each line, for a history written by hand.
//!
//! The expected lines are written by hand, from how Spanner's documentation encodes values and from
//! what the deserializer's fields are.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>

use acequia_sandbox::spanner::history::{Commit, RowChange, Table, ValueCapture, shop};
use acequia_sandbox::spanner::{Dialect, History, Script};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::place::Place;
use super::shop::{after, serve_script};

/// A table of the awkward: a key of two columns, of which one is a large integer.
fn awkward() -> Table {
    let code = |code: &str| json!({ "code": code });
    let list = |of: Value| json!({ "code": "ARRAY", "array_element_type": of });
    shop::table(
        "Awkward",
        &["Zone", "Id"],
        [
            ("Zone", code("STRING")),
            ("Id", code("INT64")),
            ("Ratio", code("FLOAT64")),
            ("Big", code("INT64")),
            ("List", list(code("STRING"))),
            ("Doc", code("JSON")),
            ("Later", json!({ "code": "TYPE_OF_TOMORROW" })),
        ],
    )
}

/// Instants with every number of digits that the service writes: none, three, six, nine.
fn instants() -> [Timestamp; 4] {
    let day = Timestamp::now().to_string()[..10].to_owned();
    let texts = [
        "00:00:01Z",
        "00:00:01.500Z",
        "00:00:01.500250Z",
        "00:00:01.500250001Z",
    ];
    // Yesterday's are surely past.
    texts.map(|text| {
        let today: Timestamp = format!("{day}T{text}").parse().unwrap();
        today
            .checked_sub(jiff::SignedDuration::from_hours(24))
            .unwrap()
    })
}

fn history() -> History {
    let table = awkward();
    let [t0, t1, t2, t3] = instants();
    let row = json!({
        "Zone": "\u{fc} \"q\"", "Id": "9223372036854775807", "Ratio": "NaN",
        "Big": "-9223372036854775808", "List": ["a", null, ""], "Doc": "{\"a\":[1,{\"b\":null}]}",
        "Later": { "deep": [1, { "er": null }] },
    });
    let changed = json!({ "Ratio": 0.5, "List": null, "Later": [[1], []] });
    let start = after(t0, -1000);
    let commit = |id: &str, change: RowChange| Commit::new().id(id).on("a", [change]);
    History::starting_at(start)
        .partition("a")
        .transaction(
            t0,
            commit("tx1", RowChange::insert(&table, row.clone())).tag("app=\"x\""),
        )
        .transaction(
            t1,
            commit("tx2", RowChange::update(&table, row.clone(), changed)),
        )
        .capture(ValueCapture::NewValues)
        .transaction(
            t2,
            commit("tx3", RowChange::delete(&table, row.clone())).system(),
        )
        .capture(ValueCapture::NewRow)
        .transaction(
            t3,
            commit(
                "tx4",
                RowChange::update(&table, row, json!({ "Big": null })),
            ),
        )
        .build()
        .unwrap()
}

/// The members of objects stand in the order in which the sandbox sends them: by name.
fn expected(stamp: impl Fn(usize) -> String) -> Vec<String> {
    let keys = r#"{"Id":"9223372036854775807","Zone":"ü \"q\""}"#;
    let first = concat!(
        r#"{"Big":"-9223372036854775808","Doc":"{\"a\":[1,{\"b\":null}]}","#,
        r#""Later":{"deep":[1,{"er":null}]},"List":["a",null,""],"Ratio":"NaN"}"#,
    );
    let new_row = concat!(
        r#"{"Big":null,"Doc":"{\"a\":[1,{\"b\":null}]}","#,
        r#""Later":{"deep":[1,{"er":null}]},"List":["a",null,""],"Ratio":"NaN"}"#,
    );
    let old = r#"{"Later":{"deep":[1,{"er":null}]},"List":["a",null,""],"Ratio":"NaN"}"#;
    let new = r#"{"Later":[[1],[]],"List":null,"Ratio":0.5}"#;
    let rows = [
        (
            "tx1",
            "INSERT",
            first,
            "{}",
            r#"app=\"x\""#,
            false,
            "OLD_AND_NEW_VALUES",
        ),
        ("tx2", "UPDATE", new, old, "", false, "OLD_AND_NEW_VALUES"),
        ("tx3", "DELETE", "{}", "{}", "", true, "NEW_VALUES"),
        ("tx4", "UPDATE", new_row, "{}", "", false, "NEW_ROW"),
    ];
    let lines = rows.iter().enumerate();
    let lines = lines.map(|(index, (id, kind, new, old, tag, system, capture))| {
        let at = stamp(index);
        format!(r#"{{"id":"{at}/{id}/00000000/0","table_name":"Awkward","mod_type":"{kind}","#)
            + &format!(r#""keys":{keys},"new_values":{new},"old_values":{old},"#)
            + &format!(r#""commit_timestamp":"{at}","record_sequence":"00000000","#)
            + &format!(r#""server_transaction_id":"{id}","mod_index":0,"#)
            + r#""is_last_record_in_transaction_in_partition":true,"#
            + r#""number_of_records_in_transaction":1,"number_of_partitions_in_transaction":1,"#
            + &format!(r#""transaction_tag":"{tag}","is_system_transaction":{system},"#)
            + &format!(r#""value_capture_type":"{capture}"}}"#)
    });
    lines.collect()
}

async fn lines(dialect: Dialect) -> Vec<String> {
    let history = history();
    let start = history.created();
    let sandbox = serve_script(Script {
        dialect,
        ..Script::new(history)
    });
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    place.lines()
}

/// The instant as it was committed, to the digit.
fn digits(index: usize) -> String {
    let day = instants()[0].to_string()[..10].to_owned();
    let texts = [
        "00:00:01",
        "00:00:01.500",
        "00:00:01.500250",
        "00:00:01.500250001",
    ];
    format!("{day}T{}", texts[index])
}

#[tokio::test]
async fn googlesql_values_pass_as_they_were_sent_byte_for_byte() {
    assert_eq!(
        lines(Dialect::GoogleSql).await,
        expected(|index| digits(index) + "Z")
    );
}

/// PostgreSQL records write `+00:00`; what leaves is in UTC with a Z and the same digits.
#[tokio::test]
async fn postgresql_values_pass_as_they_were_sent_byte_for_byte() {
    assert_eq!(
        lines(Dialect::Postgres).await,
        expected(|index| digits(index) + "Z")
    );
}
