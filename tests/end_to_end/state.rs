//! Runs that find saved state, none, or state that is not theirs.

use acequia_sandbox::spanner::{History, Sandbox};
use serde_json::json;

use super::place::Place;
use super::process::{self, Ended};
use super::shop::{after, an_hour_ago, customer, serve};
use super::truth;

/// A history of two changes, and a place whose run has read them.
async fn finished() -> (Sandbox, Place) {
    let (sandbox, place) = fresh();
    place.run().await.unwrap();
    assert_eq!(place.lines().len(), 2);
    (sandbox, place)
}

fn fresh() -> (Sandbox, Place) {
    let start = an_hour_ago();
    let history = History::starting_at(start)
        .partition("a")
        .commit(after(start, 1), "a", [customer(1)])
        .commit(after(start, 2), "a", [customer(2)])
        .build()
        .unwrap();
    let sandbox = serve(history);
    let place = Place::new(&sandbox, start, after(start, 60_000));
    (sandbox, place)
}

async fn run_with(place: &mut Place, existing_state: &str) -> Ended {
    place.set("existing-state", json!(existing_state));
    process::run(&place.config()).await
}

fn failed(ended: &Ended, said: &[&str]) {
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    for said in said {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn without_state_three_choices_begin_and_one_refuses() {
    for choice in ["resume-or-new", "fail-if-exists", "new"] {
        let (sandbox, mut place) = fresh();
        let ended = run_with(&mut place, choice).await;
        assert_eq!(ended.code, Some(0), "{choice}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("starting afresh"),
            "{choice}: {}",
            ended.stderr
        );
        truth::check(&place, &sandbox.committed());
    }
    let (_sandbox, mut place) = fresh();
    let ended = run_with(&mut place, "resume-or-fail").await;
    failed(
        &ended,
        &[
            "resume-or-fail and there is no saved checkpoint",
            "resume-or-new",
        ],
    );
    assert!(place.lines().is_empty());
}

#[tokio::test]
async fn with_state_two_choices_resume_and_say_where() {
    for choice in ["resume-or-new", "resume-or-fail"] {
        let (sandbox, mut place) = finished().await;
        let ended = run_with(&mut place, choice).await;
        assert_eq!(ended.code, Some(0), "{choice}: {}", ended.stderr);
        // All was read up to the end, which is where the watermark stands.
        let start = sandbox.committed()[0].commit_timestamp;
        let end = after(start, 60_000 - 1);
        let said = "resuming from the saved checkpoint generation=";
        assert!(ended.stderr.contains(said), "{choice}: {}", ended.stderr);
        let watermark = format!("watermark={end}");
        assert!(
            ended.stderr.contains(&watermark),
            "{watermark}: {}",
            ended.stderr
        );
        truth::check(&place, &sandbox.committed());
    }
}

#[tokio::test]
async fn with_state_fail_if_exists_fails_and_names_it() {
    let (_sandbox, mut place) = finished().await;
    let lines = place.lines();
    let ended = run_with(&mut place, "fail-if-exists").await;
    failed(
        &ended,
        &[
            "fail-if-exists and there is a saved checkpoint",
            "generation",
            "watermark",
        ],
    );
    assert_eq!(place.lines(), lines);
}

#[tokio::test]
async fn with_state_new_reads_everything_again() {
    let (_sandbox, mut place) = finished().await;
    let first = place.lines();
    let ended = run_with(&mut place, "new").await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("starting afresh"), "{}", ended.stderr);
    // Content that no state describes is kept, and what is read again follows it.
    assert_eq!(place.lines(), [first.clone(), first].concat());
}

#[tokio::test]
async fn state_of_another_stream_sink_or_deserializer_is_refused_with_both_names() {
    let other_sink = json!({ "file": { "path": "other.ndjson" } });
    let third_party = super::guests::guest("third-party", &json!({}));
    for (option, value, said) in [
        ("sink", other_sink, ["out.ndjson", "other.ndjson"]),
        (
            "deserializer",
            third_party,
            ["deserializer", "tab-separated"],
        ),
    ] {
        let (_sandbox, mut place) = finished().await;
        place.set(option, value);
        let ended = process::run(&place.config()).await;
        failed(&ended, &said);
        failed(
            &ended,
            &["the saved checkpoint belongs to", "the configuration says"],
        );
        assert_eq!(place.lines().len(), 2);
    }
    let (_sandbox, mut place) = finished().await;
    // The same service under another name of the stream.
    let start = an_hour_ago();
    let history = History::starting_at(start).partition("a").build().unwrap();
    let other = acequia_sandbox::spanner::Script {
        stream: "OtherStream".to_owned(),
        ..acequia_sandbox::spanner::Script::new(history)
    };
    let other = Sandbox::start(other).unwrap();
    place.set("emulator-endpoint", json!(other.address().to_string()));
    place.set("change-stream-name", json!("OtherStream"));
    let ended = process::run(&place.config()).await;
    failed(&ended, &["change-stream", "ShopStream", "OtherStream"]);
}

#[tokio::test]
async fn a_damaged_checkpoint_is_refused_by_name() {
    let (_sandbox, place) = finished().await;
    let path = place.path("state/checkpoint");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let ended = process::run(&place.config()).await;
    failed(&ended, &[path.to_str().unwrap(), "damaged", "checksum"]);
    assert_eq!(place.lines().len(), 2);
}

#[tokio::test]
async fn a_checkpoint_of_a_later_program_is_refused_by_name() {
    let (_sandbox, place) = finished().await;
    let path = place.path("state/checkpoint");
    std::fs::write(&path, "acequia-checkpoint 999\nwhat nobody knows yet\n").unwrap();
    let ended = process::run(&place.config()).await;
    failed(&ended, &[path.to_str().unwrap(), "has format 999"]);
}

#[tokio::test]
async fn output_without_the_state_that_describes_it_is_refused() {
    let (_sandbox, place) = finished().await;
    let lines = place.lines();
    std::fs::remove_dir_all(place.path("state")).unwrap();
    let ended = process::run(&place.config()).await;
    let path = place.path("out.ndjson");
    failed(
        &ended,
        &[
            path.to_str().unwrap(),
            "there is no checkpoint that says what they are",
        ],
    );
    assert_eq!(place.lines(), lines);
}

#[tokio::test]
async fn output_that_is_shorter_than_the_state_says_is_refused() {
    let (_sandbox, place) = finished().await;
    let path = place.path("out.ndjson");
    std::fs::write(&path, format!("{}\n", place.lines()[0])).unwrap();
    let ended = process::run(&place.config()).await;
    failed(
        &ended,
        &[path.to_str().unwrap(), "the checkpoint says that"],
    );
}

#[tokio::test]
async fn a_second_process_is_kept_out_while_the_first_runs() {
    let (sandbox, mut place) = fresh();
    place.unset("end-position");
    let first = process::start(&place.config());
    sandbox
        .wait_for(|stats| stats.opened.contains_key("a"))
        .await;
    let second = process::run(&place.config()).await;
    failed(
        &second,
        &["in use by", "stop it or choose another directory"],
    );
    first.signal(rustix::process::Signal::TERM);
    assert_eq!(first.ended().await.code, Some(0));
}
