//! Runs that find saved state, none, or state that is not theirs.

use acequia_sandbox::bigtable::{History, Sandbox};
use serde_json::json;

use super::super::place::Place;
use super::super::process::{self, Ended};
use super::super::shop::{after, an_hour_ago};
use super::rows::{serve, write_in_turn};
use super::truth;

fn fresh() -> (Sandbox, Place) {
    let start = an_hour_ago();
    let history = History::starting_at(start).partitions(&["m"]);
    let history = write_in_turn(history, start, 4, &["a", "z"]);
    let sandbox = serve(history.build().unwrap());
    let mut place = Place::of_table(&sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    (sandbox, place)
}

async fn finished() -> (Sandbox, Place) {
    let (sandbox, place) = fresh();
    place.run().await.unwrap();
    (sandbox, place)
}

async fn run_with(place: &mut Place, option: &str, choice: &str) -> Ended {
    place.set(option, json!(choice));
    process::run(&place.config()).await
}

fn ended_with(ended: &Ended, code: i32, said: &[&str]) {
    assert_eq!(ended.code, Some(code), "{}", ended.stderr);
    for said in said {
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn without_state_every_choice_but_one_begins_and_that_one_is_a_failure() {
    for choice in ["resume-or-new", "FAIL_IF_EXISTS", "new"] {
        let (sandbox, mut place) = fresh();
        let ended = run_with(&mut place, "existing-state", choice).await;
        ended_with(&ended, 0, &["starting afresh"]);
        truth::check(&place, &sandbox.committed());
    }
    let (_sandbox, mut place) = fresh();
    let ended = run_with(&mut place, "existing-pipeline-options", "RESUME_OR_FAIL").await;
    ended_with(&ended, 1, &["there is no saved checkpoint"]);
    assert!(place.lines().is_empty());
}

#[tokio::test]
async fn with_state_each_choice_resumes_fails_or_begins_anew() {
    for choice in ["resume-or-new", "RESUME_OR_FAIL"] {
        let (sandbox, mut place) = finished().await;
        let ended = run_with(&mut place, "existing-state", choice).await;
        ended_with(&ended, 0, &["resuming from the saved checkpoint"]);
        truth::check(&place, &sandbox.committed());
    }
    let (sandbox, mut place) = finished().await;
    let ended = run_with(&mut place, "existing-state", "fail-if-exists").await;
    ended_with(
        &ended,
        1,
        &["fail-if-exists and there is a saved checkpoint"],
    );
    truth::check(&place, &sandbox.committed());
    let first = place.lines();
    let ended = run_with(&mut place, "existing-state", "new").await;
    ended_with(&ended, 0, &["starting afresh"]);
    assert_eq!(place.lines().len(), 2 * first.len());
}

#[tokio::test]
async fn state_of_another_table_is_refused_with_both_names() {
    let (sandbox, mut place) = fresh();
    // Nobody asks whether the other table is there.
    place.set("without-validation", json!(true));
    place.run().await.unwrap();
    let other = format!("{}/tables/other", sandbox.instance());
    place.set("table", json!(other));
    let ended = process::run(&place.config()).await;
    ended_with(
        &ended,
        1,
        &[
            "the saved checkpoint belongs to table",
            sandbox.table(),
            &other,
        ],
    );
    assert_eq!(place.lines().len(), 4);
}

#[tokio::test]
async fn names_give_states_of_their_own_in_one_directory() {
    let (sandbox, mut place) = fresh();
    for name in ["one", "two"] {
        place.set("change-stream-name", json!(name));
        let sink = json!({ "file": { "path": format!("{name}.ndjson") } });
        place.set("sink", sink);
        let ended = run_with(&mut place, "existing-state", "fail-if-exists").await;
        ended_with(&ended, 0, &["starting afresh"]);
        assert!(place.path("state").join(name).is_dir());
        let lines = place.lines_of(&format!("{name}.ndjson"));
        truth::compare(super::super::place::values(&lines), &sandbox.committed());
    }
    let ended = run_with(&mut place, "existing-state", "resume-or-fail").await;
    ended_with(&ended, 0, &["resuming from the saved checkpoint"]);
    assert_eq!(place.lines_of("two.ndjson").len(), 4);
}
