//! What a read of one partition gets.

use std::time::Duration;

use acequia_sandbox::{
    Clock, ManualClock,
    bigtable::{
        History, Sandbox, Script,
        history::{Column, Entry, Input, Mutation, Source},
    },
};
use serde_json::{Value, json};

use super::client::{Client, Got, an_hour_later, ask, at, range};

fn mutation(commit: f64, row: &'static str, cluster: &str) -> Mutation {
    Mutation {
        row_key: row.into(),
        commit_timestamp: at(commit),
        tie_breaker: 7,
        source: Source::User(cluster.to_owned()),
        entries: vec![Entry::set("f", "q", 5, row)],
    }
}

fn column(qualifier: &'static str) -> Column {
    Column {
        family: "sums".to_owned(),
        qualifier: qualifier.into(),
    }
}

async fn started(script: Script) -> (Sandbox, Client) {
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    (sandbox, client)
}

#[tokio::test]
async fn every_kind_of_entry_comes_as_it_was_written() {
    let history = History::starting_at(at(0.0))
        .write(
            at(1.000_001),
            "row",
            [
                Entry::set("f", "q", 1_000, "value"),
                Entry::delete_column("f", ""),
                Entry::delete_before("f", "q", 2_000),
                Entry::delete_family("f"),
                Entry::add("sums", "n", 3_000, i64::MIN),
                Entry::merge("sums", "n", 4_000, &b"\xff"[..]),
                Entry::AddToCell {
                    column: column("n"),
                    timestamp_micros: 0,
                    input: Input::Bytes("b".into()),
                },
                Entry::MergeToCell {
                    column: column("n"),
                    timestamp_micros: 0,
                    input: Input::Number(1),
                },
            ],
        )
        .collect(at(2.0), "row", [Entry::delete_family("f")])
        .build()
        .unwrap();
    let truth: Vec<Value> = history.committed().iter().map(Mutation::to_json).collect();
    assert_eq!(
        truth[0],
        json!({
            "id": "2026-03-01T10:00:01.000001Z/0/cluster-1/cm93",
            "row_key": "cm93", "mutation_type": "user", "source_cluster_id": "cluster-1",
            "commit_timestamp": "2026-03-01T10:00:01.000001Z", "tie_breaker": 0,
            "entries": [
                {"kind": "set_cell", "family": "f", "qualifier": "cQ==", "timestamp_micros": 1000, "value": "dmFsdWU="},
                {"kind": "delete_cells", "family": "f", "qualifier": "", "start_timestamp_micros": 0, "end_timestamp_micros": null},
                {"kind": "delete_cells", "family": "f", "qualifier": "cQ==", "start_timestamp_micros": 0, "end_timestamp_micros": 2000},
                {"kind": "delete_family", "family": "f"},
                {"kind": "add_to_cell", "family": "sums", "qualifier": "bg==", "timestamp_micros": 3000, "input": i64::MIN},
                {"kind": "merge_to_cell", "family": "sums", "qualifier": "bg==", "timestamp_micros": 4000, "input": "/w=="},
                {"kind": "add_to_cell", "family": "sums", "qualifier": "bg==", "timestamp_micros": 0, "input": "Yg=="},
                {"kind": "merge_to_cell", "family": "sums", "qualifier": "bg==", "timestamp_micros": 0, "input": 1},
            ],
        })
    );
    assert_eq!(truth[1]["mutation_type"], "garbage_collection");
    let (_sandbox, client) = started(an_hour_later(history)).await;
    let all = ask(range("", "")).since(at(0.0)).until(at(3.0));
    let (mutations, close) = client.read(&all).await;
    let read: Vec<Value> = mutations.into_iter().map(|m| m.json).collect();
    assert_eq!(read, truth);
    assert_eq!((close.code, close.tokens.len()), (0, 0));
}

#[tokio::test]
async fn both_bounds_of_a_read_count_and_rows_of_others_are_left_out() {
    let history = (1_u8..=5).fold(
        History::starting_at(at(0.0)).partitions(&["b"]),
        |history, second| {
            let at = at(f64::from(second));
            let history = history.write(at, "a", [Entry::set("f", "q", 0, vec![second])]);
            history.write(at, "b", [Entry::delete_family("f")])
        },
    );
    let (_sandbox, client) = started(an_hour_later(history.build().unwrap())).await;
    let some = ask(range("", "b")).since(at(2.0)).until(at(4.0));
    let (mutations, _) = client.read(&some).await;
    let commits: Vec<&str> = mutations
        .iter()
        .map(|m| m.json["commit_timestamp"].as_str().unwrap())
        .collect();
    let expected = ["02", "03", "04"].map(|second| format!("2026-03-01T10:00:{second}.000000Z"));
    assert_eq!(commits, expected);
    assert!(mutations.iter().all(|m| m.row_key == b"a"));
}

#[tokio::test]
async fn a_read_goes_on_after_the_token_of_a_mutation_or_a_heartbeat() {
    let clock = ManualClock::at(at(10.0));
    let history = (1..=5).fold(History::starting_at(at(0.0)), |history, second| {
        history.write(at(f64::from(second)), "a", [Entry::delete_family("f")])
    });
    let history = history.write(at(20.0), "a", [Entry::delete_family("f")]);
    let (_sandbox, client) = started(Script {
        clock: Clock::Manual(clock.clone()),
        ..Script::new(history.build().unwrap())
    })
    .await;
    let every = Duration::from_secs(1);
    let first = ask(range("", "")).since(at(0.0)).heartbeat(every);
    let mut stream = client.open(&first).await.unwrap();
    for second in 1..=5 {
        let mutation = stream.mutation().await;
        let rest = ask(range("", "")).token(&mutation.token).until(at(9.0));
        let (rest, _) = client.read(&rest).await;
        assert_eq!(rest.len(), 5 - second, "after the mutation of {second}");
    }
    clock.advance(every);
    let Some(Got::Heartbeat {
        range: of,
        token,
        watermark,
    }) = stream.next().await.unwrap()
    else {
        panic!("a heartbeat is due")
    };
    assert_eq!((of, watermark), (range("", ""), at(11.0)));
    clock.advance(Duration::from_secs(20));
    let (rest, _) = client
        .read(&ask(range("", "")).token(&token).until(at(25.0)))
        .await;
    assert_eq!(rest.len(), 1);
}

#[tokio::test]
async fn a_silent_stream_sends_a_heartbeat_every_five_seconds_unless_told_otherwise() {
    let clock = ManualClock::at(at(10.0));
    let history = History::starting_at(at(0.0)).build().unwrap();
    let (_sandbox, client) = started(Script {
        clock: Clock::Manual(clock.clone()),
        ..Script::new(history)
    })
    .await;
    let mut stream = client.open(&ask(range("", ""))).await.unwrap();
    clock.advance(Duration::from_millis(4_999));
    let waits = tokio::time::timeout(Duration::from_millis(100), stream.next());
    assert!(waits.await.is_err());
    clock.advance(Duration::from_millis(1));
    assert!(matches!(
        stream.next().await,
        Ok(Some(Got::Heartbeat { .. }))
    ));
}

#[tokio::test]
async fn low_watermarks_lag_by_the_replication_delay_and_hold_unless_something_is_later() {
    let clock = ManualClock::at(at(30.0));
    let history = History::starting_at(at(0.0))
        .mutation(mutation(1.0, "a", "cluster-1"))
        .replicated(at(12.0), mutation(2.0, "a", "cluster-2"))
        .replicated(at(40.0), mutation(3.0, "a", "cluster-2"))
        .build()
        .unwrap();
    let (_sandbox, client) = started(Script {
        clock: Clock::Manual(clock.clone()),
        replication_delay: Duration::from_secs(10),
        ..Script::new(history)
    })
    .await;
    let every = Duration::from_secs(1);
    let all = ask(range("", "")).since(at(0.0)).heartbeat(every);
    let mut stream = client.open(&all).await.unwrap();
    let (first, second) = (stream.mutation().await, stream.mutation().await);
    assert_eq!((first.watermark, second.watermark), (at(-9.0), at(2.0)));
    clock.advance(every);
    let Some(Got::Heartbeat { watermark, .. }) = stream.next().await.unwrap() else {
        panic!("a heartbeat is due")
    };
    assert_eq!(watermark, at(21.0));
    clock.advance(Duration::from_secs(10));
    let late = stream.mutation().await;
    assert_eq!(late.json["commit_timestamp"], "2026-03-01T10:00:03.000000Z");
    assert!(at(3.0) < watermark, "it lies below what was told");
    assert!(late.watermark >= watermark);
}
