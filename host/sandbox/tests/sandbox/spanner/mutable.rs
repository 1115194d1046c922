//! Streams with mutable key ranges.

use acequia_sandbox::spanner::{
    Dialect, History, Mode, Sandbox, Script,
    history::{RowChange, shop},
};
use serde_json::json;
use tonic::Code;

use super::client::{Client, ask, at, script};

fn history() -> History {
    let insert = |id: &str| {
        [RowChange::insert(
            &shop::customers(),
            json!({"CustomerId": id, "Name": "Ada"}),
        )]
    };
    History::starting_at(at(0.0))
        .partition("a")
        .starts(at(1.0), "a", &["b"])
        .moves_range(at(1.0), "a", "b")
        .commit(at(2.0), "b", insert("1"))
        .moves_range(at(3.0), "b", "a")
        .closes(at(3.0), "b")
        .commit(at(4.0), "a", insert("2"))
        .build()
        .unwrap()
}

async fn started(dialect: Dialect) -> (Sandbox, Client) {
    let script = Script {
        dialect,
        mode: Mode::Mutable,
        ..script(history())
    };
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::connect(&sandbox, dialect, Mode::Mutable).await;
    (sandbox, client)
}

#[tokio::test]
async fn key_ranges_move_between_partitions_that_live_on() {
    for dialect in [Dialect::GoogleSql, Dialect::Postgres] {
        let (_sandbox, client) = started(dialect).await;
        let of = async |token: Option<&str>, start: f64| {
            let records = client.read(&ask(token, at(start)).until(at(10.0))).await;
            records
                .into_iter()
                .map(|r| (r.kind, r.fields))
                .collect::<Vec<_>>()
        };
        let root = of(None, 0.5).await;
        assert_eq!(root[0].0, "partition_start_record");
        assert_eq!(root[0].1["partition_tokens"], json!(["a"]));
        let a = of(Some("a"), 0.5).await;
        let kinds: Vec<_> = a.iter().map(|(kind, _)| kind.as_str()).collect();
        let event = "partition_event_record";
        assert_eq!(
            kinds,
            ["partition_start_record", event, event, "data_change_record"]
        );
        assert_eq!(a[0].1["partition_tokens"], json!(["b"]));
        assert_eq!(
            (&a[1].1["move_out"], &a[1].1["move_in"]),
            (&json!(["b"]), &json!([]))
        );
        assert_eq!(
            (&a[2].1["move_out"], &a[2].1["move_in"]),
            (&json!([]), &json!(["b"]))
        );
        assert_eq!(a[3].1["mods"][0]["new_values"], json!({"Name": "Ada"}));
        let b = of(Some("b"), 1.0).await;
        let kinds: Vec<_> = b.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(
            kinds,
            [event, "data_change_record", event, "partition_end_record"]
        );
        assert_eq!(
            b[3].1,
            json!({"end_timestamp": "2026-03-01T10:00:03Z", "partition_token": "b"})
        );
    }
}

#[tokio::test]
async fn records_of_one_instant_have_growing_sequences() {
    let (_sandbox, client) = started(Dialect::GoogleSql).await;
    let records = client.read(&ask(Some("b"), at(3.0)).until(at(3.0))).await;
    assert_eq!(
        records[0].text("record_sequence"),
        "0000000000000000-00000000"
    );
    assert_eq!(records[1].kind, "partition_end_record");
}

#[tokio::test]
async fn an_end_is_required_within_thirty_minutes_of_now_or_the_start() {
    let (_sandbox, client) = started(Dialect::GoogleSql).await;
    let unbounded = client.refusal(&ask(Some("a"), at(1.0))).await;
    assert_eq!(unbounded.code(), Code::InvalidArgument);
    // The clock stands at an hour and a little.
    let far = client
        .refusal(&ask(Some("a"), at(1.0)).until(at(5500.0)))
        .await;
    assert_eq!(far.code(), Code::InvalidArgument);
    assert!(
        far.message()
            .starts_with("end_timestamp must be specified and within 30 minutes")
    );
    assert!(
        client
            .open(&ask(Some("a"), at(1.0)).until(at(5300.0)))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn postgres_has_no_json_function_for_such_a_stream() {
    let (_sandbox, client) = started(Dialect::Postgres).await;
    let mut request = client.request(&ask(None, at(1.0)).until(at(2.0)));
    request.sql = super::client::POSTGRES.to_owned();
    let status = client.refusal_of(request).await;
    assert_eq!(status.code(), Code::NotFound);
    assert!(
        status
            .message()
            .starts_with("function spanner.read_json_ShopStream does not exist")
    );
}
