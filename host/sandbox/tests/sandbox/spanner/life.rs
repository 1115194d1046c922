//! What a partition sends from its start to its end.

use acequia_sandbox::{
    Clock, ManualClock,
    spanner::{
        Dialect, FinalHeartbeat, History, Mode, Sandbox, Script,
        history::{Commit, DataChange, Entry, ModType, RowChange, ValueCapture, shop},
    },
};
use serde_json::{Value, json};

use super::{
    client::{Ask, Client, ask, at, script},
    decode::{Record, records},
};

fn order(id: u32) -> Value {
    json!({"CustomerId": "1", "OrderId": id.to_string(), "Status": "NEW", "Tags": ["a", null], "Rating": "NaN"})
}

fn insert(id: u32) -> RowChange {
    RowChange::insert(&shop::orders(), order(id))
}

/// One partition that splits, then all merge, then the one moves.
fn family() -> History {
    History::starting_at(at(0.0))
        .partition("a")
        .commit(at(1.0), "a", [insert(1), insert(2)])
        .split(at(2.0), "a", &["b", "c"])
        .commit(at(3.0), "b", [insert(3)])
        .commit(at(3.5), "c", [insert(4)])
        .merge(at(4.0), &["b", "c"], "d")
        .commit(at(5.0), "d", [insert(5)])
        .moved(at(6.0), "d", "e")
        .build()
        .unwrap()
}

fn children(record: &Record) -> Vec<(String, Vec<String>)> {
    assert_eq!(record.kind, "child_partitions_record");
    let children = record.fields["child_partitions"].as_array().unwrap();
    let parents = |c: &Value| serde_json::from_value(c["parent_partition_tokens"].clone()).unwrap();
    children
        .iter()
        .map(|c| (c["token"].as_str().unwrap().to_owned(), parents(c)))
        .collect()
}

fn kinds(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.kind.as_str()).collect()
}

fn owned(tokens: &[&str]) -> Vec<String> {
    tokens.iter().map(|&token| token.to_owned()).collect()
}

async fn started(script: Script) -> (Sandbox, Client) {
    let (dialect, mode) = (script.dialect, script.mode);
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::connect(&sandbox, dialect, mode).await;
    (sandbox, client)
}

#[tokio::test]
async fn a_query_without_a_token_gives_a_record_for_each_partition_that_lives_then() {
    let (_sandbox, client) = started(script(family())).await;
    for (start, living) in [
        (1.0, &["a"][..]),
        (2.0, &["b", "c"]),
        (4.0, &["d"]),
        (7.0, &["e"]),
    ] {
        let records = client.read(&ask(None, at(start))).await;
        let found: Vec<_> = records.iter().flat_map(children).collect();
        let wanted: Vec<_> = living.iter().map(|&t| (t.to_owned(), Vec::new())).collect();
        assert_eq!(found, wanted, "at {start} s");
        assert_eq!(records.len(), living.len());
        assert!(records.iter().all(|r| r.at("start_timestamp") == at(start)));
    }
}

#[tokio::test]
async fn a_split_is_one_record_with_both_children_and_ends_the_query() {
    let (_sandbox, client) = started(script(family())).await;
    let records = client.read(&ask(Some("a"), at(0.0))).await;
    assert_eq!(
        kinds(&records),
        ["data_change_record", "child_partitions_record"]
    );
    let both = [
        ("b".to_owned(), owned(&["a"])),
        ("c".to_owned(), owned(&["a"])),
    ];
    assert_eq!(children(&records[1]), both);
    assert_eq!(records[1].text("start_timestamp"), "2026-03-01T10:00:02Z");
}

#[tokio::test]
async fn each_parent_of_a_merge_reports_the_same_child_with_all_parents() {
    let (_sandbox, client) = started(script(family())).await;
    let of_b = client.read(&ask(Some("b"), at(2.0))).await;
    let of_c = client.read(&ask(Some("c"), at(2.0))).await;
    assert_eq!(of_b.last(), of_c.last());
    assert_eq!(
        children(of_b.last().unwrap()),
        [("d".to_owned(), owned(&["b", "c"]))]
    );
}

#[tokio::test]
async fn a_move_is_one_child_with_one_parent() {
    let (_sandbox, client) = started(script(family())).await;
    let records = client.read(&ask(Some("d"), at(4.0))).await;
    assert_eq!(
        children(records.last().unwrap()),
        [("e".to_owned(), owned(&["d"]))]
    );
}

#[tokio::test]
async fn a_record_holds_what_the_documentation_lists() {
    let (_sandbox, client) = started(script(family())).await;
    let records = client.read(&ask(Some("a"), at(0.0))).await;
    let new = |_: ()| json!({"Rating": "NaN", "Status": "NEW", "Tags": ["a", null]});
    let keys = |id: &str| json!({"CustomerId": "1", "OrderId": id});
    let column = |name: &str, r#type: Value, is_primary_key: bool, ordinal_position: u32| json!({"name": name, "type": r#type, "is_primary_key": is_primary_key, "ordinal_position": ordinal_position});
    let strings = json!({"code": "ARRAY", "array_element_type": {"code": "STRING"}});
    assert_eq!(
        records[0].fields,
        json!({
            "commit_timestamp": "2026-03-01T10:00:01Z",
            "record_sequence": "00000000",
            "server_transaction_id": "tx0000000001",
            "is_last_record_in_transaction_in_partition": true,
            "table_name": "Orders",
            "column_types": [
                column("CustomerId", json!({"code": "INT64"}), true, 1),
                column("OrderId", json!({"code": "INT64"}), true, 2),
                column("Status", json!({"code": "STRING"}), false, 3),
                column("Tags", strings, false, 5),
                column("Rating", json!({"code": "FLOAT64"}), false, 7),
            ],
            "mods": [
                {"keys": keys("1"), "new_values": new(()), "old_values": {}},
                {"keys": keys("2"), "new_values": new(()), "old_values": {}},
            ],
            "mod_type": "INSERT",
            "value_capture_type": "OLD_AND_NEW_VALUES",
            "number_of_records_in_transaction": 1,
            "number_of_partitions_in_transaction": 1,
            "transaction_tag": "",
            "is_system_transaction": false,
        })
    );
}

#[tokio::test]
async fn a_transaction_counts_its_records_and_partitions_over_all_of_them() {
    let customer = RowChange::insert(
        &shop::customers(),
        json!({"CustomerId": "9", "Name": "Ada"}),
    );
    let commit = Commit::new()
        .id("t")
        .tag("import")
        .on("a", [insert(1), customer])
        .on("b", [insert(2)]);
    let history = History::starting_at(at(0.0)).partition("a").partition("b");
    let history = history.transaction(at(1.0), commit).build().unwrap();
    let (_sandbox, client) = started(script(history)).await;
    let of_a = client.read(&ask(Some("a"), at(0.0)).until(at(2.0))).await;
    let of_b = client.read(&ask(Some("b"), at(0.0)).until(at(2.0))).await;
    let facts = |r: &Record| {
        let f = &r.fields;
        json!([
            f["record_sequence"],
            f["number_of_records_in_transaction"],
            f["number_of_partitions_in_transaction"],
            f["is_last_record_in_transaction_in_partition"],
            f["transaction_tag"]
        ])
    };
    let facts: Vec<_> = of_a.iter().chain(&of_b).map(facts).collect();
    assert_eq!(
        facts,
        [
            json!(["00000000", 3, 2, false, "import"]),
            json!(["00000001", 3, 2, true, "import"]),
            json!(["00000002", 3, 2, true, "import"]),
        ]
    );
}

#[tokio::test]
async fn both_bounds_are_inclusive() {
    let (_sandbox, client) = started(script(family())).await;
    let bounded = ask(Some("a"), at(1.0)).until(at(1.0));
    assert_eq!(kinds(&client.read(&bounded).await), ["data_change_record"]);
    let with_end = ask(Some("a"), at(1.5)).until(at(2.0));
    assert_eq!(
        kinds(&client.read(&with_end).await),
        ["child_partitions_record"]
    );
}

#[tokio::test]
async fn a_bounded_query_that_sent_nothing_says_goodbye_with_a_heartbeat_at_its_end() {
    let bounded = ask(Some("a"), at(1.1)).until(at(1.5));
    let goodbye = [("heartbeat_record", "2026-03-01T10:00:01.500Z")];
    for (final_heartbeat, wanted) in [
        (FinalHeartbeat::WhenSilent, &goodbye[..]),
        (FinalHeartbeat::Always, &goodbye[..]),
        (FinalHeartbeat::Never, &[]),
    ] {
        let (_sandbox, client) = started(Script {
            final_heartbeat,
            ..script(family())
        })
        .await;
        let records = client.read(&bounded).await;
        let found: Vec<_> = records
            .iter()
            .map(|r| (r.kind.as_str(), r.text("timestamp")))
            .collect();
        assert_eq!(found, wanted, "{final_heartbeat:?}");
    }
}

#[tokio::test]
async fn an_idle_partition_sends_a_heartbeat_at_every_interval_of_the_clock() {
    let clock = ManualClock::at(at(10.0));
    let script = Script {
        clock: Clock::Manual(clock.clone()),
        ..script(family())
    };
    let (_sandbox, client) = started(script).await;
    let asked = Ask {
        heartbeat_ms: "2000".to_owned(),
        ..ask(Some("e"), at(6.0))
    };
    let mut stream = client.open(&asked).await.unwrap();
    let mut frames = Vec::new();
    for seconds in [12.0, 14.0, 16.0] {
        clock.advance(std::time::Duration::from_secs(2));
        frames.push(stream.message().await.unwrap().unwrap());
        let last = records(&frames).pop().unwrap();
        assert_eq!(
            (last.kind.as_str(), last.at("timestamp")),
            ("heartbeat_record", at(seconds))
        );
    }
}

#[tokio::test]
async fn records_of_the_future_come_when_the_clock_reaches_them() {
    let clock = ManualClock::at(at(0.5));
    let script = Script {
        clock: Clock::Manual(clock.clone()),
        ..script(family())
    };
    let (_sandbox, client) = started(script).await;
    let asked = Ask {
        heartbeat_ms: "60000".to_owned(),
        ..ask(Some("a"), at(0.0))
    };
    let reading = tokio::spawn(async move { client.read(&asked).await });
    tokio::task::yield_now().await;
    assert!(!reading.is_finished());
    clock.advance(std::time::Duration::from_secs(2));
    assert_eq!(
        kinds(&reading.await.unwrap()),
        ["data_change_record", "child_partitions_record"]
    );
}

#[tokio::test]
async fn postgres_returns_the_same_records_as_json_with_numeric_offsets() {
    let script = Script {
        dialect: Dialect::Postgres,
        ..script(family())
    };
    let (_sandbox, client) = started(script).await;
    let records = client.read(&ask(Some("a"), at(0.0))).await;
    assert_eq!(
        kinds(&records),
        ["data_change_record", "child_partitions_record"]
    );
    assert_eq!(
        records[0].text("commit_timestamp"),
        "2026-03-01T10:00:01+00:00"
    );
    assert_eq!(
        records[0].fields["number_of_records_in_transaction"],
        json!(1)
    );
    assert_eq!(
        records[0].fields["mods"][1]["keys"],
        json!({"CustomerId": "1", "OrderId": "2"})
    );
    assert_eq!(
        records[1].text("start_timestamp"),
        "2026-03-01T10:00:02+00:00"
    );
}

#[tokio::test]
async fn names_that_no_reader_knows_are_sent_as_they_are() {
    let family = family();
    let Entry::Change(known) = &family.partitions()["a"].entries[0] else {
        panic!("a change")
    };
    let mut strange = DataChange {
        mod_type: ModType::Other("UPSERT".to_owned()),
        ..(**known).clone()
    };
    strange.value_capture_type = ValueCapture::Other("NEW_DELTA".to_owned());
    strange.column_types[2].r#type = json!({"code": "TENSOR", "rank": 2});
    strange.mods[0].old_values = None;
    let history = History::starting_at(at(0.0))
        .partition("a")
        .record("a", strange)
        .build()
        .unwrap();
    let (_sandbox, client) = started(script(history)).await;
    let records = client.read(&ask(Some("a"), at(0.0)).until(at(2.0))).await;
    let fields = &records[0].fields;
    assert_eq!(fields["mod_type"], "UPSERT");
    assert_eq!(fields["value_capture_type"], "NEW_DELTA");
    assert_eq!(
        fields["column_types"][2]["type"],
        json!({"code": "TENSOR", "rank": 2})
    );
    assert_eq!(fields["mods"][0]["old_values"], Value::Null);
}

#[tokio::test]
async fn a_history_and_a_mode_that_do_not_go_together_are_refused() {
    let script = Script {
        mode: Mode::Mutable,
        ..script(family())
    };
    assert!(
        Sandbox::start(script)
            .unwrap_err()
            .to_string()
            .contains("change one")
    );
}
