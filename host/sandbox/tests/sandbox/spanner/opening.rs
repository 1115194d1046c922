//! What the service checks before a query starts.

use std::time::Duration;

use acequia_sandbox::{
    rfc3339,
    spanner::{Dialect, History, Sandbox, Script},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ExecuteSqlRequest, ListSessionsRequest, RequestOptions, TransactionOptions,
    TransactionSelector,
    request_options::Priority,
    transaction_options::{Mode, ReadOnly, ReadWrite, read_only::TimestampBound},
    transaction_selector::Selector,
};
use tonic::Code;

use super::client::{Ask, Client, ask, at, script, text};

fn history() -> History {
    let history = History::starting_at(at(0.0))
        .partition("a")
        .split(at(60.0), "a", &["b", "c"]);
    history.build().unwrap()
}

async fn started(script: Script) -> (Sandbox, Client) {
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    (sandbox, client)
}

async fn refused(client: &Client, asked: &Ask, code: Code, starts: &str) {
    let status = client.refusal(asked).await;
    assert_eq!(status.code(), code, "{status:?}");
    assert!(status.message().starts_with(starts), "{}", status.message());
}

#[tokio::test]
async fn a_start_before_the_stream_or_its_retention_is_out_of_range() {
    let (_sandbox, client) = started(script(history())).await;
    let text = "Specified start_timestamp is too far in the past. Please specify a start_timestamp \
                within the earliest read timestamp: ";
    refused(&client, &ask(None, at(-0.001)), Code::OutOfRange, text).await;
    let retention = Some(Duration::from_secs(3000));
    let (_sandbox, client) = started(Script {
        retention,
        ..script(history())
    })
    .await;
    refused(&client, &ask(None, at(599.0)), Code::OutOfRange, text).await;
    refused(&client, &ask(Some("b"), at(599.0)), Code::OutOfRange, text).await;
}

#[tokio::test]
async fn a_token_that_ended_before_the_retention_has_expired() {
    let retention = Some(Duration::from_secs(3000));
    let (_sandbox, client) = started(Script {
        retention,
        ..script(history())
    })
    .await;
    let text = "This partition is no longer valid. All Change Stream records associated with this \
                partition have expired";
    refused(&client, &ask(Some("a"), at(10.0)), Code::OutOfRange, text).await;
}

#[tokio::test]
async fn a_start_far_in_the_future_is_out_of_range() {
    let (_sandbox, client) = started(script(history())).await;
    let text = "Specified start_timestamp is too far in the future";
    refused(&client, &ask(None, at(4300.0)), Code::OutOfRange, text).await;
}

#[tokio::test]
async fn an_end_before_the_start_is_an_invalid_argument() {
    let (_sandbox, client) = started(script(history())).await;
    let text = "If end_timestamp is specified, start_timestamp must be <= end_timestamp";
    refused(
        &client,
        &ask(None, at(2.0)).until(at(1.0)),
        Code::InvalidArgument,
        text,
    )
    .await;
}

#[tokio::test]
async fn a_heartbeat_outside_its_range_is_out_of_range() {
    let heartbeat_min = Duration::from_secs(1);
    let (_sandbox, client) = started(Script {
        heartbeat_min,
        ..script(history())
    })
    .await;
    for heartbeat in ["999", "300001", "-1"] {
        let asked = Ask {
            heartbeat_ms: heartbeat.to_owned(),
            ..ask(None, at(1.0))
        };
        let text = "heartbeat_milliseconds must be within min 1000";
        refused(&client, &asked, Code::OutOfRange, text).await;
    }
    for heartbeat in ["1000", "300000"] {
        let asked = Ask {
            heartbeat_ms: heartbeat.to_owned(),
            ..ask(None, at(1.0))
        };
        assert_eq!(client.read(&asked).await.len(), 1);
    }
}

#[tokio::test]
async fn a_start_outside_the_life_of_a_token_is_out_of_range() {
    let (_sandbox, client) = started(script(history())).await;
    let text = "Specified start_timestamp is invalid for the partition. Please specify a \
                start_timestamp within 2026-03-01T10:00:00Z and 2026-03-01T10:01:00Z";
    refused(&client, &ask(Some("a"), at(60.001)), Code::OutOfRange, text).await;
    let text = "Specified start_timestamp is invalid for the partition. Please specify a \
                start_timestamp within 2026-03-01T10:01:00Z and ";
    refused(&client, &ask(Some("b"), at(59.0)), Code::OutOfRange, text).await;
}

#[tokio::test]
async fn a_token_of_another_stream_is_an_invalid_argument() {
    let (_sandbox, client) = started(script(history())).await;
    let text = "Specified partition_token is invalid, as it does not belong to the Change Stream";
    refused(
        &client,
        &ask(Some("z"), at(1.0)),
        Code::InvalidArgument,
        text,
    )
    .await;
}

#[tokio::test]
async fn a_timestamp_must_end_in_an_upper_case_z() {
    let (_sandbox, client) = started(script(history())).await;
    for start in ["2026-03-01T10:00:01+00:00", "2026-03-01T10:00:01z"] {
        let asked = Ask {
            start: start.to_owned(),
            ..ask(None, at(1.0))
        };
        let status = client.refusal(&asked).await;
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert!(
            status
                .message()
                .ends_with("must end with an uppercase literal 'Z'")
        );
    }
}

#[tokio::test]
async fn only_strong_reads_used_once_are_supported() {
    let (_sandbox, client) = started(script(history())).await;
    let asked = ask(None, at(1.0));
    let with = |selector: Selector| ExecuteSqlRequest {
        transaction: Some(TransactionSelector {
            selector: Some(selector),
        }),
        ..client.request(&asked)
    };
    let read = |bound: TimestampBound| TransactionOptions {
        mode: Some(Mode::ReadOnly(ReadOnly {
            timestamp_bound: Some(bound),
            ..ReadOnly::default()
        })),
        ..TransactionOptions::default()
    };
    let strong = read(TimestampBound::Strong(true));
    let stale = read(TimestampBound::ExactStaleness(prost_types::Duration {
        seconds: 1,
        nanos: 0,
    }));
    let write = TransactionOptions {
        mode: Some(Mode::ReadWrite(ReadWrite::default())),
        ..TransactionOptions::default()
    };
    for (selector, text) in [
        (
            Selector::Begin(strong.clone()),
            "Change stream queries are not supported for multi use",
        ),
        (
            Selector::Id(bytes::Bytes::from_static(b"1")),
            "Change stream queries are not supported for multi use",
        ),
        (
            Selector::SingleUse(stale),
            "Change stream queries are not supported for stale reads",
        ),
        (
            Selector::SingleUse(write),
            "Change stream queries are not supported for",
        ),
    ] {
        let status = client.refusal_of(with(selector)).await;
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().starts_with(text), "{}", status.message());
    }
    assert!(client.send(with(Selector::SingleUse(strong))).await.is_ok());
}

#[tokio::test]
async fn change_streams_are_not_read_by_execute_sql() {
    let (_sandbox, client) = started(script(history())).await;
    let request = client.request(&ask(None, at(1.0)));
    let status = client
        .spanner
        .clone()
        .execute_sql(request)
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let text = "Change stream queries are not supported for the ExecuteSql API.";
    assert!(status.message().starts_with(text));
}

#[tokio::test]
async fn statements_are_read_in_any_case_and_with_four_or_five_arguments() {
    let (_sandbox, client) = started(script(history())).await;
    for sql in [
        "select *\n from read_shopstream(@s,@e, @t ,@h)",
        "SELECT changerecord FROM READ_ShopStream(@s, @e, @t, @h, NULL);",
        "SELECT ChangeRecord FROM READ_ShopStream(start_timestamp=>'2026-03-01T10:00:01Z', \
         end_timestamp=>NULL, partition_token=>NULL, heartbeat_milliseconds=>1000)",
    ] {
        let request = ExecuteSqlRequest {
            sql: sql.to_owned(),
            ..client.request(&ask(None, at(1.0)))
        };
        assert!(client.send(request).await.is_ok(), "{sql}");
    }
}

#[tokio::test]
async fn statements_that_do_more_or_something_else_are_refused() {
    let (_sandbox, client) = started(script(history())).await;
    for (sql, code, starts) in [
        (
            "SELECT ChangeRecord FROM READ_ShopStream(@s,@e,@t,@h) WHERE TRUE",
            Code::Unimplemented,
            "Change stream TVF must not be combined",
        ),
        (
            "SELECT ChangeRecord, ChangeRecord FROM READ_ShopStream(@s,@e,@t,@h)",
            Code::Unimplemented,
            "Change stream TVF must not be combined",
        ),
        (
            "SELECT ChangeRecord FROM READ_Other(@s,@e,@t,@h)",
            Code::InvalidArgument,
            "Table-valued function not found: READ_Other",
        ),
        (
            "DELETE FROM Orders WHERE true",
            Code::InvalidArgument,
            "the sandbox does not read this statement",
        ),
        (
            "SELECT 'open",
            Code::InvalidArgument,
            "the sandbox does not read this statement",
        ),
    ] {
        let request = ExecuteSqlRequest {
            sql: sql.to_owned(),
            ..client.request(&ask(None, at(1.0)))
        };
        let status = client.refusal_of(request).await;
        assert_eq!(status.code(), code, "{sql}: {status:?}");
        assert!(status.message().starts_with(starts), "{}", status.message());
        let quotes = starts.contains("does not read");
        assert!(
            !quotes || status.message().ends_with(sql),
            "{}",
            status.message()
        );
    }
}

#[tokio::test]
async fn postgres_functions_are_found_by_their_quoted_name_only() {
    let script = Script {
        dialect: Dialect::Postgres,
        ..script(history())
    };
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::connect(
        &sandbox,
        Dialect::Postgres,
        acequia_sandbox::spanner::Mode::Immutable,
    )
    .await;
    assert_eq!(client.read(&ask(None, at(1.0))).await.len(), 1);
    let folded = "SELECT * FROM spanner.read_json_ShopStream($1,$2,$3,$4,null)";
    let request = ExecuteSqlRequest {
        sql: folded.to_owned(),
        ..client.request(&ask(None, at(1.0)))
    };
    let status = client.refusal_of(request).await;
    assert_eq!(status.code(), Code::NotFound);
    assert_eq!(
        status.message(),
        "function spanner.read_json_shopstream does not exist"
    );
}

#[tokio::test]
async fn an_unknown_session_is_not_found_and_a_deleted_one_too() {
    let (sandbox, mut client) = started(script(history())).await;
    assert_eq!(client.read(&ask(None, at(1.0))).await.len(), 1);
    sandbox.forget_sessions();
    let status = client.refusal(&ask(None, at(1.0))).await;
    assert_eq!(status.code(), Code::NotFound);
    assert_eq!(
        status.message(),
        format!("Session not found: {}", client.session)
    );
    client.session = "projects/sandbox".to_owned();
    assert_eq!(
        client.refusal(&ask(None, at(1.0))).await.code(),
        Code::NotFound
    );
}

#[tokio::test]
async fn stats_tell_who_asked_what_and_how() {
    let (sandbox, client) = started(script(history())).await;
    let mut request = client.request(&ask(Some("a"), at(1.0)));
    let mut options = RequestOptions::default();
    options.set_priority(Priority::Low);
    options.request_tag = "app=acequia".to_owned();
    request.request_options = Some(options);
    let mut request = tonic::Request::new(request);
    request.metadata_mut().insert(
        "google-cloud-resource-prefix",
        sandbox.database().parse().unwrap(),
    );
    let mut stream = client
        .spanner
        .clone()
        .execute_streaming_sql(request)
        .await
        .unwrap()
        .into_inner();
    while stream.message().await.unwrap().is_some() {}
    drop(stream);
    let stats = sandbox.wait_for(|stats| stats.open == 0).await;
    assert_eq!(stats.opened.get("a"), Some(&1));
    assert_eq!((stats.open_max, stats.sessions), (1, 1));
    let seen = stats.requests.back().unwrap();
    assert_eq!(
        (seen.method.as_str(), seen.request_tag.as_str()),
        ("ExecuteStreamingSql", "app=acequia")
    );
    assert_eq!(seen.priority, i32::from(Priority::Low));
    assert_eq!(
        seen.headers["google-cloud-resource-prefix"],
        sandbox.database()
    );
}

#[tokio::test]
async fn other_methods_are_unimplemented() {
    let (_sandbox, client) = started(script(history())).await;
    let request = ListSessionsRequest::default();
    let status = client
        .spanner
        .clone()
        .list_sessions(request)
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}

#[tokio::test]
async fn a_parameter_that_is_not_given_is_an_invalid_argument() {
    let (_sandbox, client) = started(script(history())).await;
    let mut request = client.request(&ask(None, at(1.0)));
    let fields = &mut request.params.as_mut().unwrap().fields;
    fields.remove("t");
    fields.insert("s".to_owned(), text(&rfc3339(at(1.0))));
    let status = client.refusal_of(request).await;
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "No parameter found for binding: t")
    );
}
