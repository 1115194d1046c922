//! How mutations are laid out.

use acequia_sandbox::bigtable::{
    History, Sandbox, Script, Wire,
    history::{Entry, Mutation, Size},
};
use serde_json::Value;

use super::{
    client::{Client, an_hour_later, ask, at, range},
    merge::Merged,
};

async fn read(history: &History, wire: Wire) -> Vec<Merged> {
    let sandbox = Sandbox::start(Script {
        wire,
        ..an_hour_later(history.clone())
    })
    .unwrap();
    let client = Client::of(&sandbox).await;
    let all = ask(range("", "")).since(at(0.0)).until(at(100.0));
    client.read(&all).await.0
}

fn truth(history: &History) -> Vec<Value> {
    history.committed().iter().map(Mutation::to_json).collect()
}

fn written() -> History {
    History::starting_at(at(0.0))
        .write(
            at(1.0),
            "a",
            [
                Entry::set("f", "q", 0, "0123456789"),
                Entry::delete_family("f"),
                Entry::set("f", "q", 0, ""),
                Entry::set("f", "r", 0, "abc"),
            ],
        )
        .write(at(2.0), "b", [Entry::set("f", "q", 0, "x")])
        .write(at(3.0), "c", [])
        .build()
        .unwrap()
}

#[tokio::test]
async fn chunks_of_every_size_and_messages_of_every_length_merge_to_the_same() {
    let history = written();
    for chunk_bytes in [None, Some(1), Some(2), Some(3), Some(9), Some(10)] {
        for chunks_per_message in [None, Some(1), Some(2)] {
            for end_apart in [false, true] {
                let wire = Wire {
                    chunk_bytes,
                    chunks_per_message,
                    end_apart,
                    ..Wire::default()
                };
                let merged = read(&history, wire).await;
                let json: Vec<Value> = merged.into_iter().map(|m| m.json).collect();
                assert_eq!(json, truth(&history), "{wire:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_value_is_chunked_and_a_mutation_continued_as_the_wire_says() {
    let history = written();
    let messages = |merged: Vec<Merged>| merged[0].messages;
    assert_eq!(messages(read(&history, Wire::default()).await), 1);
    let chunked = Wire {
        chunk_bytes: Some(4),
        ..Wire::default()
    };
    assert_eq!(messages(read(&history, chunked).await), 3);
    let single = Wire {
        chunks_per_message: Some(1),
        end_apart: true,
        ..chunked
    };
    assert_eq!(messages(read(&history, single).await), 7);
}

#[tokio::test]
async fn drawn_layouts_are_legal_and_differ() {
    let size = Size {
        splits: 0,
        merges: 0,
        moves: 0,
        partitions_first: 1,
        large_value_bytes: Some(500),
        ..Size::small(at(0.0))
    };
    let history = History::random(5, &size);
    let mut layouts = Vec::new();
    for seed in 0..8 {
        let wire = Wire {
            drawn_from: Some(seed),
            ..Wire::default()
        };
        let merged = read(&history, wire).await;
        layouts.push(merged.iter().map(|m| m.messages).collect::<Vec<_>>());
        let json: Vec<Value> = merged.into_iter().map(|m| m.json).collect();
        assert_eq!(json, truth(&history), "seed {seed}");
    }
    layouts.dedup();
    assert_eq!(layouts.len(), 8, "each seed has a layout of its own");
}
