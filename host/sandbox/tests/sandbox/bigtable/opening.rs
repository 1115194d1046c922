//! What a read must say, and what is refused.

use std::time::Duration;

use acequia_sandbox::bigtable::{AppProfile, History, KeyRange, Routing, Sandbox, Script};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{
    ReadChangeStreamRequest, ReadChangeStreamResponse, RowRange, StreamContinuationTokens,
    StreamPartition,
    row_range::{EndKey, StartKey},
};
use tonic::{Code, Request};
use tonic_prost::ProstCodec;

use super::client::{Ask, Client, an_hour_later, ask, at, partition, proto, range};

fn history() -> History {
    History::starting_at(at(0.0))
        .partitions(&["m"])
        .build()
        .unwrap()
}

async fn started(script: Script) -> (Sandbox, Client) {
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::of(&sandbox).await;
    (sandbox, client)
}

async fn code(client: &Client, ask: &Ask) -> Code {
    client.refusal(client.request(ask)).await.code()
}

#[tokio::test]
async fn the_first_partitions_are_all_keys_with_both_bounds_set() {
    let (sandbox, client) = started(an_hour_later(history())).await;
    let expected = [range("", "m"), range("m", "")];
    assert_eq!(client.partitions().await, expected);
    assert_eq!(sandbox.partitions(), expected);
}

#[tokio::test]
async fn a_range_without_one_of_its_bounds_is_refused() {
    let (_sandbox, client) = started(an_hour_later(history())).await;
    let closed = Some(StartKey::StartKeyClosed("a".into()));
    let open = Some(EndKey::EndKeyOpen("b".into()));
    for row_range in [
        None,
        Some((None, None)),
        Some((closed.clone(), None)),
        Some((None, open.clone())),
        Some((Some(StartKey::StartKeyOpen("a".into())), open)),
        Some((closed, Some(EndKey::EndKeyClosed("b".into())))),
    ] {
        let row_range = row_range.map(|(start_key, end_key)| RowRange { start_key, end_key });
        let mut request = client.request(&ask(KeyRange::whole()));
        request.get_mut().partition = Some(StreamPartition { row_range });
        let status = client.refusal(request).await;
        assert_eq!(status.code(), Code::InvalidArgument);
        let text = "partition.row_range must be the form of [start_key, end_key)";
        assert_eq!(status.message(), text);
    }
    let mut request = client.request(&ask(KeyRange::whole()));
    request.get_mut().partition = None;
    assert_eq!(client.refusal(request).await.code(), Code::InvalidArgument);
    assert_eq!(
        code(&client, &ask(range("b", "a"))).await,
        Code::InvalidArgument
    );
}

#[tokio::test]
async fn a_start_is_neither_in_the_future_nor_before_the_stream_nor_expired() {
    let (_sandbox, client) = started(an_hour_later(history())).await;
    let since = |seconds| ask(range("", "m")).since(at(seconds));
    assert_eq!(code(&client, &since(3600.1)).await, Code::InvalidArgument);
    assert_eq!(code(&client, &since(-0.1)).await, Code::InvalidArgument);
    assert!(client.open(&since(3600.0)).await.is_ok());
    assert!(client.open(&since(0.0)).await.is_ok());
    let (_sandbox, client) = started(Script {
        retention: Some(Duration::from_secs(600)),
        expired: Code::FailedPrecondition,
        ..an_hour_later(history())
    })
    .await;
    assert!(client.open(&since(3000.0)).await.is_ok());
    assert_eq!(
        code(&client, &since(2999.9)).await,
        Code::FailedPrecondition
    );
}

/// The request with both members of the oneof, which the generated type cannot hold.
#[derive(Clone, PartialEq, prost::Message)]
struct Both {
    #[prost(string, tag = "1")]
    table_name: String,
    #[prost(string, tag = "2")]
    app_profile_id: String,
    #[prost(message, optional, tag = "3")]
    partition: Option<StreamPartition>,
    #[prost(message, optional, tag = "4")]
    start_time: Option<prost_types::Timestamp>,
    #[prost(message, optional, tag = "6")]
    continuation_tokens: Option<StreamContinuationTokens>,
}

#[tokio::test]
async fn a_start_time_and_tokens_are_not_taken_together() {
    let (sandbox, client) = started(an_hour_later(history())).await;
    let request = client.routed(Both {
        table_name: sandbox.table().to_owned(),
        app_profile_id: "reader".to_owned(),
        partition: Some(partition(&range("", "m"))),
        start_time: Some(proto(at(1.0))),
        continuation_tokens: Some(StreamContinuationTokens::default()),
    });
    let mut grpc = tonic::client::Grpc::new(client.channel.clone());
    grpc.ready().await.unwrap();
    let path = "/google.bigtable.v2.Bigtable/ReadChangeStream"
        .parse()
        .unwrap();
    let codec = ProstCodec::<Both, ReadChangeStreamResponse>::default();
    let status = grpc
        .server_streaming(request, path, codec)
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("both"), "{}", status.message());
}

/// The token of a range at its beginning.
async fn token(client: &Client, of: KeyRange) -> String {
    let (_, close) = client.read(&ask(of).since(at(0.0))).await;
    close.tokens[0].1.clone()
}

#[tokio::test]
async fn tokens_cover_the_range_exactly() {
    let (_sandbox, client) = started(an_hour_later(history())).await;
    // Ranges that are no partitions are closed at once, each with its own token.
    let (left, right) = (range("a", "c"), range("c", "e"));
    let (one, other) = (
        (left.clone(), token(&client, left.clone()).await),
        (right.clone(), token(&client, right.clone()).await),
    );
    let both = [one.clone(), other.clone()];
    assert!(
        client
            .open(&ask(range("a", "e")).tokens(&both))
            .await
            .is_ok()
    );
    for (wanted, tokens) in [
        (range("a", "e"), vec![one.clone()]),
        (range("a", "b"), vec![one.clone()]),
        (range("a", "f"), both.to_vec()),
        (range("a", "e"), vec![one.clone(), one.clone()]),
        (range("a", "c"), vec![]),
        (range("b", "e"), vec![(range("b", "e"), one.1.clone())]),
        (
            range("a", "c"),
            vec![(range("a", "c"), "no token".to_owned())],
        ),
    ] {
        let ask = ask(wanted).tokens(&tokens);
        assert_eq!(code(&client, &ask).await, Code::InvalidArgument, "{ask:?}");
    }
    let narrower = [(range("a", "b"), one.1)];
    assert!(
        client
            .open(&ask(range("a", "b")).tokens(&narrower))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_token_expires_with_what_follows_it() {
    let script = an_hour_later(history());
    let (_sandbox, client) = started(Script {
        retention: Some(Duration::from_secs(3601)),
        ..script.clone()
    })
    .await;
    let token = token(&client, range("a", "c")).await;
    let again = ask(range("a", "c")).token(&token);
    assert!(client.open(&again).await.is_ok());
    let (_sandbox, client) = started(Script {
        retention: Some(Duration::from_secs(3599)),
        ..script
    })
    .await;
    assert_eq!(code(&client, &again).await, Code::OutOfRange);
}

#[tokio::test]
async fn only_a_table_with_a_stream_is_read_and_through_one_cluster_only() {
    let script = Script {
        app_profiles: vec![
            AppProfile::new("reader", Routing::SingleCluster),
            AppProfile::new("many", Routing::MultiCluster),
        ],
        ..an_hour_later(history())
    };
    let (_sandbox, client) = started(script.clone()).await;
    let with = |change: fn(&mut ReadChangeStreamRequest), header: &str| {
        let mut request = client.request(&ask(range("", "m")));
        change(request.get_mut());
        let metadata = request.metadata_mut();
        metadata.insert("x-goog-request-params", header.parse().unwrap());
        request
    };
    let mine = "table_name=projects%2Fsandbox%2Finstances%2Fsandbox%2Ftables%2Fshop";
    let other = "projects/sandbox/instances/sandbox/tables/other";
    let unknown = with(
        |r| r.table_name = "projects/sandbox/instances/sandbox/tables/other".to_owned(),
        &format!("table_name={}", other.replace('/', "%2F")),
    );
    assert_eq!(client.refusal(unknown).await.code(), Code::NotFound);
    let many = with(|r| r.app_profile_id = "many".to_owned(), mine);
    assert_eq!(client.refusal(many).await.code(), Code::FailedPrecondition);
    let missing = with(|r| r.app_profile_id = "missing".to_owned(), mine);
    assert_eq!(client.refusal(missing).await.code(), Code::NotFound);
    let unset = with(|r| r.app_profile_id = String::new(), mine);
    assert_eq!(
        client.refusal(unset).await.code(),
        Code::NotFound,
        "`default`"
    );
    let (_sandbox, client) = started(Script {
        retention: None,
        ..script
    })
    .await;
    let without = code(&client, &ask(range("", "m"))).await;
    assert_eq!(without, Code::FailedPrecondition);
}

#[tokio::test]
async fn a_call_without_its_routing_header_is_refused() {
    let (_sandbox, client) = started(an_hour_later(history())).await;
    let request = client.request(&ask(range("", "m"))).into_inner();
    let status = client.refusal(Request::new(request)).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("x-goog-request-params"));
}

#[tokio::test]
async fn a_heartbeat_interval_is_positive() {
    let (_sandbox, client) = started(an_hour_later(history())).await;
    let ask = ask(range("", "m")).heartbeat(Duration::ZERO);
    assert_eq!(code(&client, &ask).await, Code::InvalidArgument);
}
