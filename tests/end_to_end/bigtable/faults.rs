//! Streams that break, in every way and at every message, and still give exactly the truth.

use std::time::Duration;

use acequia_sandbox::What;
use acequia_sandbox::bigtable::history::KeyRange;
use acequia_sandbox::bigtable::{
    Cookies, Fault, History, On, Sandbox, Script, Stats, Wire, retryable,
};
use jiff::Timestamp;
use serde_json::json;
use tonic::Code;

use super::super::place::Place;
use super::super::shop::{after, an_hour_ago};
use super::rows::write_in_turn;
use super::truth;

/// The mutations of each partition, in two messages each.
const MUTATIONS: u64 = 3;

/// Before the first message and after each of them.
const PLACES: u64 = 2 * MUTATIONS + 1;

/// A row of each partition; each partition begins at one.
const ROWS: [&str; PLACES as usize] = ["a", "b", "c", "d", "e", "f", "g"];

fn range(place: usize) -> KeyRange {
    let start = if place == 0 { "" } else { ROWS[place] };
    let end = ROWS.get(place + 1).copied().unwrap_or_default();
    KeyRange::new(start, end)
}

fn history(start: Timestamp) -> History {
    let history = History::starting_at(start).partitions(&ROWS[1..]);
    let mutations = i64::try_from(MUTATIONS * PLACES).unwrap();
    let history = write_in_turn(history, start, mutations, &ROWS);
    history.build().unwrap()
}

fn script(start: Timestamp) -> Script {
    Script {
        wire: Wire {
            end_apart: true,
            ..Wire::default()
        },
        ..Script::new(history(start))
    }
}

fn place(sandbox: &Sandbox, start: Timestamp) -> Place {
    let mut place = Place::of_table(sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    place.set("max-concurrent-streams", json!(PLACES));
    place.set("stall-after-heartbeats", json!(2));
    place
}

/// The first partition breaks before its first message, the second after one, and so on.
async fn broken_everywhere(what: What, cookies: Cookies) -> Stats {
    let start = an_hour_ago();
    let faults = (0..).zip(0..PLACES);
    let faults = faults.map(|(of, messages)| Fault::on_range(range(of), messages, what.clone()));
    let sandbox = Sandbox::start(Script {
        faults: faults.collect(),
        cookies,
        ..script(start)
    })
    .unwrap();
    let place = place(&sandbox, start);
    let result = place.run().await;
    result.unwrap_or_else(|failure| panic!("{what:?}: {failure}"));
    truth::check(&place, &sandbox.committed());
    let stats = sandbox.stats();
    for (range, opened) in &stats.opened {
        assert_eq!(*opened, 2, "{what:?}: {range} did not break");
    }
    stats
}

#[tokio::test]
async fn every_retryable_error_at_any_message_leaves_the_truth_as_it_is() {
    for what in retryable() {
        broken_everywhere(what, Cookies::Never).await;
    }
}

#[tokio::test]
async fn a_stream_that_is_reset_cut_or_silent_at_any_message_leaves_the_truth_as_it_is() {
    tokio::join!(
        broken_everywhere(What::Reset, Cookies::Never),
        broken_everywhere(What::Stall, Cookies::Never),
        broken_everywhere(What::CleanEnd, Cookies::Never)
    );
}

#[tokio::test]
async fn connections_that_are_cut_leave_the_truth_as_it_is() {
    let start = an_hour_ago();
    let faults = (0..PLACES).map(|messages| Fault::on_any(messages, 1, What::Disconnect));
    let sandbox = Sandbox::start(Script {
        faults: faults.collect(),
        ..script(start)
    })
    .unwrap();
    let place = place(&sandbox, start);
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn cookies_of_headers_and_trailers_come_back_with_the_next_attempt() {
    let unavailable = || What::status(Code::Unavailable, "not now");
    let stats = broken_everywhere(unavailable(), Cookies::Trailing).await;
    assert_eq!(stats.cookies_given.len() as u64, PLACES);
    assert_eq!(stats.cookies_returned, stats.cookies_given);
    // Given with every answer, and sent back for the streams that broke.
    let stats = broken_everywhere(unavailable(), Cookies::Initial).await;
    assert_eq!(stats.cookies_returned.len() as u64, PLACES);
}

#[tokio::test]
async fn a_pause_that_the_service_asks_for_is_made_whatever_the_code() {
    let start = an_hour_ago();
    let pause = Duration::from_millis(1_500);
    for code in [Code::Unavailable, Code::PermissionDenied] {
        let later = What::Status {
            code,
            text: "later".to_owned(),
            retry_after: Some(pause),
        };
        let sandbox = Sandbox::start(Script {
            faults: vec![Fault::on_range(range(2), 1, later)],
            ..script(start)
        })
        .unwrap();
        let place = place(&sandbox, start);
        let report = place.run().await.unwrap();
        assert!(report.elapsed >= pause, "{code:?}: {:?}", report.elapsed);
        truth::check(&place, &sandbox.committed());
    }
}

#[tokio::test]
async fn a_service_that_breaks_every_stream_after_three_messages_is_read_to_its_end() {
    for what in [
        What::status(Code::Unavailable, "not now"),
        // Inside the second mutation.
        What::CleanEnd,
    ] {
        let start = an_hour_ago();
        let sandbox = Sandbox::start(Script {
            faults: vec![Fault::on_any(3, 10_000, what)],
            ..script(start)
        })
        .unwrap();
        let place = place(&sandbox, start);
        place.run().await.unwrap();
        truth::check(&place, &sandbox.committed());
    }
}

#[tokio::test]
async fn partitions_are_asked_for_again_after_an_error_and_after_silence() {
    for what in [What::status(Code::Unavailable, "not now"), What::Stall] {
        let start = an_hour_ago();
        let sandbox = Sandbox::start(Script {
            faults: vec![Fault::on_call(On::Partitions, what)],
            ..script(start)
        })
        .unwrap();
        let place = place(&sandbox, start);
        place.run().await.unwrap();
        truth::check(&place, &sandbox.committed());
    }
}

#[tokio::test]
async fn a_status_that_does_not_pass_ends_the_run_with_the_services_words() {
    let start = an_hour_ago();
    for code in [
        Code::PermissionDenied,
        Code::InvalidArgument,
        Code::NotFound,
        Code::Unimplemented,
        Code::Internal,
    ] {
        let fault = Fault::on_range(range(3), 1, What::status(code, "says the service"));
        let sandbox = Sandbox::start(Script {
            faults: vec![fault],
            ..script(start)
        })
        .unwrap();
        let failure = place(&sandbox, start).run().await.unwrap_err();
        assert_eq!(failure.exit_code(), 1);
        let text = failure.text();
        assert!(
            text.contains("partition [d, e)#") && text.contains("says the service"),
            "{text}"
        );
    }
}
