//! Histories for measurements.

use acequia_sandbox::bigtable::{
    History, Sandbox,
    history::{Entry, Flood, Mutation, Pace, Source},
};

use super::client::{Client, an_hour_later, ask, at};

fn flood(pace: Pace) -> Flood {
    Flood {
        since: at(0.0),
        partitions: 3,
        mutation: Mutation {
            row_key: "row".into(),
            commit_timestamp: at(0.0),
            tie_breaker: 0,
            source: Source::User("cluster-1".to_owned()),
            entries: vec![Entry::set("f", "q", 0, vec![7; 500])],
        },
        pace,
    }
}

#[tokio::test]
async fn a_flood_is_read_to_its_end_or_from_a_token_on() {
    let flood = flood(Pace::AtOnce { records: 1_000 });
    let partitions = flood.partitions();
    let history = History::flood(flood).unwrap();
    let sandbox = Sandbox::start(an_hour_later(history)).unwrap();
    let client = Client::of(&sandbox).await;
    assert_eq!(client.partitions().await, partitions);
    for range in partitions {
        let all = ask(range.clone()).since(at(0.0)).until(at(10.0));
        let (mutations, close) = client.read(&all).await;
        assert_eq!((mutations.len(), close.code), (1_000, 0));
        assert!(mutations.iter().all(|m| range.contains(&m.row_key)));
        let mut commits = mutations.iter().map(|m| m.watermark);
        assert!(commits.clone().is_sorted() && commits.next() != commits.next());
        let rest = ask(range).token(&mutations[700].token).until(at(10.0));
        let (rest, _) = client.read(&rest).await;
        assert_eq!(rest[0].json["id"], mutations[701].json["id"]);
        assert_eq!(rest.len(), 299);
    }
}

#[tokio::test]
async fn a_steady_flood_is_committed_as_it_is_sent() {
    let flood = flood(Pace::Steady {
        per_second: 1_000.0,
    });
    let range = flood.partitions().remove(0);
    let history = History::flood(flood).unwrap();
    let sandbox = Sandbox::start(an_hour_later(history)).unwrap();
    let client = Client::of(&sandbox).await;
    let mut stream = client.open(&ask(range)).await.unwrap();
    for _ in 0..50 {
        let mutation = stream.mutation().await;
        assert_eq!(
            mutation.json["commit_timestamp"],
            "2026-03-01T11:00:00.000000Z"
        );
    }
}
