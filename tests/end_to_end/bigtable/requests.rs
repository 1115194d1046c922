//! What reaches the service of the options.

use std::time::Duration;

use acequia_sandbox::bigtable::history::{KeyRange, Live};
use acequia_sandbox::bigtable::{
    AppProfile, From, History, Routing, Sandbox, Script, Seen, SeenRead,
};
use acequia_sandbox::{Clock, Until};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::super::place::{Place, drain_after};
use super::super::process;
use super::super::shop::{after, an_hour_ago};
use super::rows::{now, paid, serve, write_in_turn};
use super::truth;

/// The reads that were asked for, in that order.
fn reads(sandbox: &Sandbox) -> Vec<SeenRead> {
    let calls = sandbox.stats().calls;
    calls.into_iter().filter_map(|seen| seen.read).collect()
}

fn routing(seen: &Seen) -> String {
    let header = seen.headers["x-goog-request-params"].clone();
    header.replace("%2F", "/").replace("%2D", "-")
}

#[tokio::test]
async fn table_profile_range_start_bound_and_heartbeat_are_sent() {
    let start = an_hour_ago();
    let history = History::starting_at(start);
    let history = write_in_turn(history, start, 3, &["a0"]).build().unwrap();
    let sandbox = Sandbox::start(Script {
        app_profiles: vec![AppProfile::new("to-one", Routing::SingleCluster)],
        ..Script::new(history)
    })
    .unwrap();
    let bound = after(start, 60_000);
    let mut place = Place::of_table(&sandbox, start);
    place.set("app-profile-id", json!("to-one"));
    place.set("bounded-timestamp", json!(bound.to_string()));
    place.set("heartbeat-interval", json!("7s"));
    place.run().await.unwrap();

    let expected = SeenRead {
        range: KeyRange::whole(),
        from: From::Start(start),
        end: Some(bound),
        heartbeat: Some(Duration::from_secs(7)),
    };
    assert_eq!(reads(&sandbox), [expected]);
    let calls = sandbox.stats().calls;
    let params = format!("table_name={}&app_profile_id=to-one", sandbox.table());
    for method in ["GenerateInitialChangeStreamPartitions", "ReadChangeStream"] {
        let of_method: Vec<_> = calls.iter().filter(|seen| seen.method == method).collect();
        assert_eq!(of_method.len(), 1, "{method}");
        assert_eq!(of_method[0].app_profile_id, "to-one");
        assert_eq!(of_method[0].name, sandbox.table());
        assert_eq!(routing(of_method[0]), params);
    }
    // The admin services are routed by the name of what is looked at.
    let looked = calls.iter().find(|seen| seen.method == "GetTable").unwrap();
    assert_eq!(routing(looked), format!("name={}", sandbox.table()));
}

/// Mutations at the first three microseconds of a history.
fn micros(start: Timestamp) -> (Sandbox, Vec<Timestamp>) {
    let mut history = History::starting_at(start);
    let mut commits = Vec::new();
    for micros in 0..3 {
        let at = start
            .checked_add(SignedDuration::from_micros(micros))
            .unwrap();
        history = history.write(at, "a", [paid()]);
        commits.push(at);
    }
    (serve(history.build().unwrap()), commits)
}

#[tokio::test]
async fn a_start_is_inclusive_and_one_between_two_microseconds_begins_at_the_later() {
    for (nanos, first) in [(1_000, 1), (1_001, 2)] {
        for option in ["start-position", "start-time"] {
            let start = an_hour_ago();
            let (sandbox, commits) = micros(start);
            let at = start.checked_add(SignedDuration::from_nanos(nanos));
            let at = at.unwrap().to_string();
            let mut place = Place::of_table(&sandbox, start);
            place.unset("start-position");
            place.set(
                option,
                match option {
                    "start-time" => json!(at),
                    _ => json!({ "at": at }),
                },
            );
            place.set("bounded-timestamp", json!(after(start, 1_000).to_string()));
            place.run().await.unwrap();
            assert_eq!(reads(&sandbox)[0].from, From::Start(commits[first]));
            truth::check(&place, &sandbox.committed()[first..]);
        }
    }
}

#[tokio::test]
async fn a_start_older_than_the_retention_is_moved_up_with_a_warning() {
    let start = after(an_hour_ago(), -7_200_000);
    let history = History::starting_at(start)
        .write(after(start, 1), "lost", [paid()])
        .write(after(start, 7_200_000), "kept", [paid()])
        .build()
        .unwrap();
    let sandbox = Sandbox::start(Script {
        retention: Some(Duration::from_secs(2 * 3600)),
        ..Script::new(history)
    })
    .unwrap();
    for position in [json!({ "at": start.to_string() }), json!("earliest")] {
        let mut place = Place::of_table(&sandbox, start);
        place.set("start-position", position.clone());
        let bound = after(start, 7_300_000);
        place.set("bounded-timestamp", json!(bound.to_string()));
        let ended = process::run(&place.config()).await;
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let is_older = position != json!("earliest");
        let warned = ended.stderr.contains("older than the retention");
        assert_eq!(warned, is_older, "{}", ended.stderr);
        assert_eq!(place.lines().len(), 1);
        assert_eq!(place.values()[0]["row_key"], "a2VwdA==");
    }
}

#[tokio::test]
async fn without_a_start_a_run_begins_at_its_own_moment() {
    let start = an_hour_ago();
    let history = History::starting_at(start).write(after(start, 1), "a", [paid()]);
    let sandbox = serve(history.build().unwrap());
    let mut place = Place::of_table(&sandbox, start);
    place.unset("start-position");
    let bound = after(now(), 1_000);
    place.set("bounded-timestamp", json!(bound.to_string()));
    let before = now();
    place.run().await.unwrap();
    let From::Start(begun) = reads(&sandbox)[0].from else {
        panic!("a fresh run has no token");
    };
    assert!(begun >= before && begun < bound, "{before} {begun} {bound}");
    assert!(place.lines().is_empty());
}

#[tokio::test]
async fn a_start_that_is_ahead_of_the_services_clock_is_waited_for() {
    let (begun, behind) = (now(), 1_500);
    let created = after(begun, -60_000);
    let history = History::starting_at(created)
        .write(after(begun, -30_000), "earlier", [paid()])
        .write(after(begun, 2_000), "later", [paid()])
        .build()
        .unwrap();
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(after(begun, -behind)),
        ..Script::new(history)
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, begun);
    place.set("start-position", json!("latest"));
    place.set("bounded-timestamp", json!(after(begun, 3_000).to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed()[1..]);
}

#[tokio::test]
async fn a_stream_is_ended_after_its_timeout_although_it_is_busy_and_goes_on_from_its_token() {
    let start = now();
    let live = Live {
        rate: 500.0,
        split_every: None,
        merge_every: None,
        move_every: None,
        partitions_first: 1,
        until: Until::Elapsed(Duration::from_secs(4)),
        ..Live::default()
    };
    let sandbox = Sandbox::start(Script {
        clock: Clock::StartingAt(start),
        ..Script::new(History::live(9, live))
    })
    .unwrap();
    let mut place = Place::of_table(&sandbox, start);
    place.set("read-change-stream-timeout", json!("1100ms"));
    place.set("bounded-timestamp", json!(after(start, 5_000).to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
    let reads = reads(&sandbox);
    assert!((4..=6).contains(&reads.len()), "{} reads", reads.len());
    for read in &reads[1..] {
        assert!(matches!(&read.from, From::Tokens(tokens) if tokens.len() == 1));
    }
}

#[tokio::test]
async fn a_drained_run_goes_on_from_its_tokens_and_asks_for_no_partitions() {
    let start = an_hour_ago();
    let history = History::starting_at(start).partitions(&["b"]);
    let history = write_in_turn(history, start, 20, &["a0", "b0"]);
    let sandbox = serve(history.build().unwrap());
    let mut place = Place::of_table(&sandbox, start);
    drain_after(&place, 20).await.unwrap();
    let first = reads(&sandbox).len();
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    place.run().await.unwrap();
    truth::check(&place, &sandbox.committed());
    for read in &reads(&sandbox)[first..] {
        assert!(matches!(read.from, From::Tokens(_)), "{read:?}");
    }
    let calls = sandbox.stats().calls;
    let is_generate = |seen: &&Seen| seen.method.starts_with("Generate");
    assert_eq!(calls.iter().filter(is_generate).count(), 1);
}

#[tokio::test]
async fn values_are_text_where_it_is_asked_for_and_each_entry_an_output_of_its_own() {
    let start = an_hour_ago();
    let sandbox = serve(
        History::starting_at(start)
            .write(after(start, 1), "order#7", [paid(), paid()])
            .build()
            .unwrap(),
    );
    let mut place = Place::of_table(&sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    let config = json!({ "granularity": "entry", "encoding": "utf8" });
    place.set(
        "deserializer",
        json!({ "builtin": "json", "config": config }),
    );
    place.run().await.unwrap();
    let values = place.values();
    let id = sandbox.committed()[0].id();
    for (index, value) in values.iter().enumerate() {
        assert_eq!(value["id"], format!("{id}#{index}"));
        assert_eq!(value["row_key"], "order#7");
        assert_eq!(value["entry"]["value"], "yes");
        assert_eq!(value.get("entries"), None::<&Value>);
    }
    assert_eq!(values.len(), 2);
}
