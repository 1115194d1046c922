//! What a stream says when its range is no partition any more.

use std::time::Duration;

use acequia_sandbox::{
    Clock, ManualClock, What,
    bigtable::{
        Closes, Fault, History, KeyRange, Sandbox, Script, TokenRanges,
        history::{Builder, Entry},
    },
};

use super::client::{Client, Close, ask, at, range};

/// `[, d)` and `[d, )`, with a mutation of `a`, `c`, `e` and `g` at every second from 1 to 6.
fn written() -> Builder {
    let history = History::starting_at(at(0.0)).partitions(&["d"]);
    (1..=3).fold(history, second)
}

fn second(history: Builder, second: u32) -> Builder {
    ["a", "c", "e", "g"]
        .into_iter()
        .fold(history, |history, row| {
            history.write(at(f64::from(second)), row, [Entry::delete_family("f")])
        })
}

/// After the change at 3.5 come three more seconds.
fn and_then(history: Builder) -> History {
    (4..=6).fold(history, second).build().unwrap()
}

struct Moving {
    client: Client,
    clock: ManualClock,
    sandbox: Sandbox,
}

impl Moving {
    async fn of(history: History, with: impl FnOnce(Script) -> Script) -> Self {
        let clock = ManualClock::at(at(3.2));
        let script = Script {
            clock: Clock::Manual(clock.clone()),
            ..Script::new(history)
        };
        let sandbox = Sandbox::start(with(script)).unwrap();
        let client = Client::of(&sandbox).await;
        Self {
            client,
            clock,
            sandbox,
        }
    }

    /// The close of a stream that was open when the boundaries changed, after so many mutations.
    async fn closed(&self, of: KeyRange, mutations: usize) -> Close {
        let mut stream = self.client.open(&ask(of).since(at(0.0))).await.unwrap();
        self.sandbox.wait_for(|stats| stats.open > 0).await;
        self.clock.advance(Duration::from_secs(2));
        for _ in 0..mutations {
            stream.mutation().await;
        }
        stream.close().await
    }

    /// The rows that a range holds from tokens on, up to the last second.
    async fn rows(&self, of: KeyRange, tokens: &[(KeyRange, String)]) -> String {
        self.clock.advance(Duration::from_secs(60));
        let ask = ask(of).tokens(tokens).until(at(10.0));
        let (mutations, close) = self.client.read(&ask).await;
        assert_eq!(close.code, 0);
        let rows = mutations.into_iter().map(|mutation| mutation.row_key);
        rows.map(|row| String::from_utf8(row).unwrap()).collect()
    }
}

#[tokio::test]
async fn a_split_closes_the_stream_with_a_token_for_each_half() {
    let moving = Moving::of(and_then(written().split(at(3.5), "b")), |s| s).await;
    let close = moving.closed(range("", "d"), 6).await;
    assert_eq!(close.code, 11);
    assert_eq!(close.message, "Partition boundaries are misaligned.");
    let halves = [range("", "b"), range("b", "d")];
    assert_eq!(close.new_partitions, halves);
    let of: Vec<KeyRange> = close.tokens.iter().map(|(of, _)| of.clone()).collect();
    assert_eq!(of, halves);
    assert_eq!(moving.rows(range("", "b"), &close.tokens[..1]).await, "aaa");
    assert_eq!(
        moving.rows(range("b", "d"), &close.tokens[1..]).await,
        "ccc"
    );
}

#[tokio::test]
async fn a_merge_closes_each_stream_with_its_own_part() {
    let moving = Moving::of(and_then(written().merge(at(3.5), "d")), |s| s).await;
    let left = moving.closed(range("", "d"), 6).await;
    assert_eq!(left.new_partitions, [range("", "")]);
    assert_eq!(left.tokens[0].0, range("", "d"));
    // The other half was read up to its second mutation only: the tokens are at different places.
    let mut stream = moving
        .client
        .open(&ask(range("d", "")).since(at(0.0)))
        .await
        .unwrap();
    let right = stream.close().await;
    assert_eq!(right.new_partitions, [range("", "")]);
    let tokens = [right.tokens[0].clone(), left.tokens[0].clone()];
    let rows = moving.rows(range("", ""), &tokens).await;
    assert_eq!(rows, format!("{}{}", "eg".repeat(3), "aceg".repeat(3)));
}

#[tokio::test]
async fn the_token_of_a_merged_stream_keeps_the_places_of_its_parts() {
    let moving = Moving::of(and_then(written().merge(at(3.5), "d")), |s| s).await;
    let left = moving.closed(range("", "d"), 6).await;
    let mut stream = moving
        .client
        .open(&ask(range("d", "")).since(at(0.0)))
        .await
        .unwrap();
    let tokens = [
        left.tokens[0].clone(),
        stream.close().await.tokens[0].clone(),
    ];
    let mut stream = moving
        .client
        .open(&ask(range("", "")).tokens(&tokens))
        .await
        .unwrap();
    let third = {
        stream.mutation().await;
        stream.mutation().await;
        stream.mutation().await
    };
    let rows = moving
        .rows(range("", ""), &[(range("", ""), third.token)])
        .await;
    assert_eq!(rows, format!("{}{}", "geg", "aceg".repeat(3)));
}

#[tokio::test]
async fn partitions_overlap_their_successors_in_any_way() {
    let moved = written().divided(at(3.5), &["b", "f"]);
    let moving = Moving::of(and_then(moved), |s| s).await;
    let close = moving.closed(range("", "d"), 6).await;
    assert_eq!(close.new_partitions, [range("", "b"), range("b", "f")]);
    let of: Vec<&KeyRange> = close.tokens.iter().map(|(of, _)| of).collect();
    assert_eq!(of, [&range("", "b"), &range("b", "d")]);
}

#[tokio::test]
async fn a_range_that_does_not_fit_when_it_is_opened_is_closed_at_once() {
    let moving = Moving::of(and_then(written()), |s| s).await;
    let mut stream = moving
        .client
        .open(&ask(range("b", "f")).since(at(0.0)))
        .await
        .unwrap();
    let close = stream.close().await;
    assert_eq!(close.new_partitions, [range("", "d"), range("d", "")]);
}

#[tokio::test]
async fn a_range_that_fits_again_reads_on_and_never_hears_of_a_close() {
    let undone = written().split(at(3.5), "b").merge(at(3.6), "b");
    let moving = Moving::of(and_then(undone), |s| s).await;
    let all = ask(range("", "d")).since(at(0.0)).until(at(10.0));
    moving.clock.advance(Duration::from_secs(60));
    let (mutations, close) = moving.client.read(&all).await;
    assert_eq!((mutations.len(), close.code), (12, 0));
}

#[tokio::test]
async fn tokens_can_name_the_new_partition_instead_of_what_they_tell_of() {
    let moving = Moving::of(and_then(written().merge(at(3.5), "d")), |script| Script {
        closes: Closes {
            token_ranges: TokenRanges::NewPartition,
            ..Closes::default()
        },
        ..script
    })
    .await;
    let close = moving.closed(range("", "d"), 6).await;
    let (named, token) = close.tokens[0].clone();
    assert_eq!(named, range("", ""), "more than the stream's range");
    let cut = [(range("", "d"), token.clone())];
    let request = moving
        .client
        .request(&ask(range("", "")).tokens(&[(named, token)]));
    let refusal = moving.client.refusal(request).await;
    assert_eq!(
        refusal.code(),
        tonic::Code::InvalidArgument,
        "it has no place for the rest"
    );
    assert!(
        moving
            .client
            .open(&ask(range("", "d")).tokens(&cut))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn new_partitions_can_be_left_out() {
    let moving = Moving::of(and_then(written().split(at(3.5), "b")), |script| Script {
        closes: Closes {
            new_partitions: false,
            ..Closes::default()
        },
        ..script
    })
    .await;
    let close = moving.closed(range("", "d"), 6).await;
    assert_eq!((close.tokens.len(), close.new_partitions.len()), (2, 0));
}

#[tokio::test]
async fn a_close_can_be_lost() {
    let moving = Moving::of(and_then(written().split(at(3.5), "b")), |script| Script {
        faults: vec![Fault::on_range(range("", "d"), 0, What::LostSuccessors)],
        ..script
    })
    .await;
    let all = ask(range("", "d")).since(at(0.0));
    let mut stream = moving.client.open(&all).await.unwrap();
    moving.sandbox.wait_for(|stats| stats.open > 0).await;
    moving.clock.advance(Duration::from_secs(2));
    for _ in 0..6 {
        stream.mutation().await;
    }
    assert!(
        stream.next().await.unwrap().is_none(),
        "it ends well, without a word"
    );
    let again = moving.client.open(&all).await.unwrap().close().await;
    assert_eq!(
        again.tokens.len(),
        2,
        "a second stream is closed as it should be"
    );
}
