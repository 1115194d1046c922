//! Reads that follow the partitions wherever they go, as a pipeline does.

use std::{collections::BTreeMap, time::Duration};

use acequia_sandbox::{
    Clock, Until,
    bigtable::{
        History, KeyRange, Sandbox, Script,
        history::{Live, Mutation, Size},
    },
};
use jiff::Timestamp;
use serde_json::Value;
use tokio::task::JoinSet;

use super::client::{Ask, Client, Got, ask, at};

type Tokens = Vec<(KeyRange, String)>;

/// What one stream gave: its mutations, and where it goes on.
async fn one(client: std::sync::Arc<Client>, ask: Ask) -> (Vec<Value>, Vec<(KeyRange, Tokens)>) {
    let mut stream = client.open(&ask).await.unwrap();
    let mut mutations = Vec::new();
    let mut watermark = Timestamp::MIN;
    loop {
        match stream.next().await.unwrap() {
            Some(Got::Mutation(mutation)) => {
                assert!(ask.range.contains(&mutation.row_key));
                assert!(
                    mutation.watermark >= watermark,
                    "low watermarks do not go back"
                );
                watermark = mutation.watermark;
                mutations.push(mutation.json);
            }
            Some(Got::Heartbeat { watermark: at, .. }) => {
                assert!(at >= watermark, "low watermarks do not go back");
                watermark = at;
            }
            Some(Got::Close(close)) => {
                let next = close.new_partitions.into_iter().zip(close.tokens);
                let next = next.map(|(partition, token)| (partition, vec![token]));
                return (mutations, next.collect());
            }
            None => panic!("the stream ended without a close"),
        }
    }
}

/// Everything from `start` to `end`, in the order in which it came.
async fn follow(sandbox: &Sandbox, start: Timestamp, end: Timestamp) -> Vec<Value> {
    let client = std::sync::Arc::new(Client::of(sandbox).await);
    let every = Duration::from_millis(20);
    let mut streams = JoinSet::new();
    for partition in client.partitions().await {
        let ask = ask(partition).since(start).until(end).heartbeat(every);
        streams.spawn(one(client.clone(), ask));
    }
    let (mut all, mut waiting): (Vec<Value>, BTreeMap<KeyRange, Tokens>) = Default::default();
    loop {
        while let Some(ended) = streams.join_next().await {
            let (mutations, successors) = ended.unwrap();
            all.extend(mutations);
            for (partition, tokens) in successors {
                let have = waiting.entry(partition.clone()).or_default();
                have.extend(tokens);
                have.sort();
                if tiles(&partition, have) {
                    let ask = ask(partition.clone())
                        .tokens(have)
                        .until(end)
                        .heartbeat(every);
                    waiting.remove(&partition);
                    streams.spawn(one(client.clone(), ask));
                }
            }
        }
        if waiting.is_empty() {
            return all;
        }
        // A close names who has its keys when it is told. If borders moved meanwhile, its neighbour was
        // told of another partition, and neither comes together: each token is read for itself.
        for token in std::mem::take(&mut waiting).into_values().flatten() {
            let ask = ask(token.0.clone())
                .tokens(std::slice::from_ref(&token))
                .until(end)
                .heartbeat(every);
            streams.spawn(one(client.clone(), ask));
        }
    }
}

fn tiles(whole: &KeyRange, tokens: &Tokens) -> bool {
    let mut next = Some(whole.start.clone());
    for (range, _) in tokens {
        if next != Some(range.start.clone()) {
            return false;
        }
        next = Some(range.end.clone());
    }
    next == Some(whole.end.clone())
}

fn rows(mutations: &[Value]) -> BTreeMap<String, Vec<Value>> {
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for mutation in mutations {
        let row = mutation["row_key"].as_str().unwrap().to_owned();
        rows.entry(row).or_default().push(mutation.clone());
    }
    rows
}

fn json(mutations: &[Mutation]) -> Vec<Value> {
    mutations.iter().map(Mutation::to_json).collect()
}

#[tokio::test]
async fn every_mutation_comes_once_and_each_row_in_order_wherever_its_partition_goes() {
    for seed in 0..10 {
        let size = Size {
            step: Duration::from_millis(2),
            splits: 20,
            merges: 15,
            moves: 10,
            clusters: 3,
            replication_delay: Duration::from_millis(5),
            ..Size::small(at(0.0))
        };
        let history = History::random(seed, &size);
        let truth = json(&history.committed());
        let sandbox = Sandbox::start(Script {
            clock: Clock::StartingAt(at(0.0)),
            replication_delay: size.replication_delay,
            ..Script::new(history)
        })
        .unwrap();
        let read = follow(&sandbox, at(0.0), at(1.2)).await;
        assert_eq!(rows(&read), rows(&truth), "seed {seed}");
    }
}

#[tokio::test]
async fn a_live_history_is_told_as_it_grows_and_stops_at_its_count() {
    let live = Live {
        rate: 400.0,
        split_every: Some(Duration::from_millis(50)),
        merge_every: Some(Duration::from_millis(70)),
        move_every: Some(Duration::from_millis(90)),
        until: Until::Changes(300),
        ..Live::default()
    };
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(at(0.0)),
        ..Script::new(History::live(1, live))
    })
    .unwrap();
    let (start, end) = (at(0.1), at(2.0));
    tokio::time::sleep(Duration::from_millis(120)).await;
    let read = follow(&sandbox, start, end).await;
    let truth = sandbox.committed();
    assert_eq!(truth.len(), 300);
    let mut since = truth.clone();
    since.retain(|mutation| mutation.commit_timestamp >= start);
    assert!(since.len() > 200, "most of it came while it was read");
    assert_eq!(rows(&read), rows(&json(&since)));
    assert!(sandbox.stats().opened.len() > 4, "the partitions moved");
}

#[test]
fn a_history_is_drawn_from_its_seed() {
    let size = Size {
        mutations_below: 5,
        large_value_bytes: Some(100),
        ..Size::small(at(0.0))
    };
    let drawn = |seed| History::random(seed, &size).committed();
    assert_eq!(drawn(7).len(), 205);
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
    let mut ids: Vec<String> = drawn(7).iter().map(Mutation::id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 205, "no two mutations have the same id");
}
