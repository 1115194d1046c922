//! Streams that break, in every way and at every message, and still give exactly the truth.

use std::time::Duration;

use acequia_sandbox::{
    What,
    spanner::{Fault, History, On, Script},
};
use serde_json::json;
use tonic::Code;

use super::place::Place;
use super::shop::{after, an_hour_ago, customer, serve_script};
use super::truth;

/// The changes of each partition. One message each, one more for the children.
const CHANGES: u64 = 6;

/// Before the first message, after each of them, and after the children.
const PLACES: u64 = CHANGES + 2;

/// The codes after which the same is tried again.
///
/// Source: <https://cloud.google.com/spanner/docs/error-codes>, and gRPC's own for a lost transport.
const RETRYABLE: [Code; 8] = [
    Code::Unavailable,
    Code::Internal,
    Code::DeadlineExceeded,
    Code::Aborted,
    Code::Cancelled,
    Code::Unknown,
    Code::DataLoss,
    Code::ResourceExhausted,
];

/// As many partitions as there are places for a fault, each with its changes and two children.
fn history(start: jiff::Timestamp) -> History {
    let at = |millis: u64| after(start, i64::try_from(millis).unwrap());
    let mut history = History::starting_at(start);
    for place in 0..PLACES {
        history = history.partition(&format!("p{place}"));
    }
    for change in 1..=CHANGES {
        for place in 0..PLACES {
            let number = place * 100 + change;
            history = history.commit(at(change), &format!("p{place}"), [customer(number)]);
        }
    }
    for place in 0..PLACES {
        let (left, right) = (format!("left{place}"), format!("right{place}"));
        let number = place * 100;
        history = history
            .split(at(50), &format!("p{place}"), &[&left, &right])
            .commit(at(60), &left, [customer(number + 1)])
            .commit(at(60), &right, [customer(number + 2)]);
    }
    history.build().unwrap()
}

/// Partition `p0` breaks before its first message, `p1` after one, and so on.
async fn broken_everywhere(what: What) {
    let start = an_hour_ago();
    let history = history(start);
    let committed = history.committed();
    let faults = (0..PLACES)
        .map(|place| Fault::on_token(&format!("p{place}"), place, what.clone()))
        .collect();
    let sandbox = serve_script(Script {
        faults,
        ..Script::new(history)
    });
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    place.set("max-concurrent-queries", json!(PLACES));
    place.set("stall-after-heartbeats", json!(2));
    let result = place.run().await;
    result.unwrap_or_else(|failure| panic!("{what:?}: {failure}"));
    truth::check(&place, &committed);
    // The last fault strikes when nothing is left to read, which needs no second query.
    for broken in 0..PLACES - 1 {
        let token = format!("p{broken}");
        assert!(
            sandbox.stats().opened[&token] >= 2,
            "{what:?}: {token} did not break"
        );
    }
}

#[tokio::test]
async fn every_retryable_status_at_any_message_leaves_the_truth_as_it_is() {
    for code in RETRYABLE {
        broken_everywhere(What::status(code, "not now")).await;
    }
}

#[tokio::test]
async fn a_pause_that_the_service_asks_for_leaves_the_truth_as_it_is() {
    broken_everywhere(What::Status {
        code: Code::ResourceExhausted,
        text: "slow down".to_owned(),
        retry_after: Some(Duration::from_millis(100)),
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_is_reset_at_any_message_leaves_the_truth_as_it_is() {
    broken_everywhere(What::Reset).await;
}

#[tokio::test]
async fn a_connection_that_is_dropped_at_any_message_leaves_the_truth_as_it_is() {
    broken_everywhere(What::Disconnect).await;
}

#[tokio::test]
async fn a_stream_that_falls_silent_at_any_message_is_opened_again() {
    broken_everywhere(What::Stall).await;
}

/// A start is inclusive, so each query after the first begins with a record that is known.
#[tokio::test]
async fn a_partition_whose_every_query_breaks_after_three_messages_is_read_to_its_end() {
    let start = an_hour_ago();
    let sandbox = serve_script(Script {
        faults: vec![Fault {
            times: 10_000,
            ..Fault::on_token("p0", 3, What::status(Code::Unavailable, "not now"))
        }],
        ..Script::new(history(start))
    });
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn the_query_for_the_first_partitions_may_break_too() {
    let start = an_hour_ago();
    let history = history(start);
    let committed = history.committed();
    let root = |after_messages, what| Fault {
        on: On::Root,
        after_messages,
        times: 1,
        what,
    };
    let sandbox = serve_script(Script {
        faults: vec![
            root(0, What::status(Code::Unavailable, "not now")),
            root(1, What::Reset),
            root(0, What::CleanEnd),
        ],
        ..Script::new(history)
    });
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    truth::check(&place, &committed);
}

#[tokio::test]
async fn a_start_that_meets_a_passing_failure_is_tried_again() {
    let start = an_hour_ago();
    let history = history(start);
    let committed = history.committed();
    let once = |on| Fault {
        on,
        after_messages: 0,
        times: 1,
        what: What::status(Code::Unavailable, "not now"),
    };
    let sandbox = serve_script(Script {
        faults: vec![once(On::Sessions), once(On::Catalog), once(On::Root)],
        ..Script::new(history)
    });
    let place = Place::new(&sandbox, start, after(start, 60_000));
    place.run().await.unwrap();
    truth::check(&place, &committed);
}

#[tokio::test]
async fn a_refused_token_is_renewed_once_and_a_second_refusal_is_the_end() {
    let start = an_hour_ago();
    for (times, fails) in [(1, false), (2, true)] {
        // One partition, so that no other call is taken between the two refusals.
        let history = History::starting_at(start)
            .partition("a")
            .commit(after(start, 1), "a", [customer(1)])
            .build()
            .unwrap();
        let committed = history.committed();
        let refused = What::status(Code::Unauthenticated, "who are you");
        let fault = Fault {
            times,
            ..Fault::on_token("a", 0, refused)
        };
        let sandbox = serve_script(Script {
            faults: vec![fault],
            ..Script::new(history)
        });
        let place = Place::new(&sandbox, start, after(start, 60_000));
        match place.run().await {
            Ok(_) if !fails => truth::check(&place, &committed),
            Err(failure) if fails => {
                assert_eq!(failure.exit_code(), 1);
                let text = failure.text();
                assert!(text.contains("credentials are refused"), "{text}");
            }
            other => panic!("{times} refusals: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_token_that_many_streams_are_refused_with_is_renewed_once() {
    let start = an_hour_ago();
    let history = history(start);
    let committed = history.committed();
    // All at once: the second refusal is of the token that the first has thrown away.
    let refused = |place| {
        let what = What::status(Code::Unauthenticated, "who are you");
        Fault::on_token(&format!("p{place}"), 0, what)
    };
    let sandbox = serve_script(Script {
        faults: (0..PLACES).map(refused).collect(),
        ..Script::new(history)
    });
    let mut place = Place::new(&sandbox, start, after(start, 60_000));
    place.set("max-concurrent-queries", json!(PLACES));
    place.run().await.unwrap();
    truth::check(&place, &committed);
}

#[tokio::test]
async fn a_status_that_does_not_pass_ends_the_run_with_the_services_words() {
    let start = an_hour_ago();
    for code in [
        Code::PermissionDenied,
        Code::InvalidArgument,
        Code::Unimplemented,
    ] {
        let fault = Fault::on_token("p3", 1, What::status(code, "says the service"));
        let sandbox = serve_script(Script {
            faults: vec![fault],
            ..Script::new(history(start))
        });
        let place = Place::new(&sandbox, start, after(start, 60_000));
        let failure = place.run().await.unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        let text = failure.text();
        assert!(
            text.contains("partition p3 ") && text.contains("says the service"),
            "{text}"
        );
    }
}
