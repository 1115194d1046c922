//! A service that is not as the configuration says, or that does not answer.

use std::net::TcpListener;
use std::time::Duration;

use acequia_sandbox::{
    What,
    spanner::{Dialect, Fault, On},
};
use serde_json::json;
use tonic::Code;

use super::super::expiry::left_behind;
use super::super::shop::{after, an_hour_ago};
use super::{check, two_changes};

#[tokio::test]
async fn a_missing_database_is_named_with_the_option_to_correct() {
    let (sandbox, mut place) = two_changes(|_| {});
    let missing = "projects/sandbox/instances/sandbox/databases/nowhere";
    place.set("database", json!(missing));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &["Database not found", missing],
        "correct the option database",
    );
    // What does not depend on it is looked at all the same.
    assert_ne!(told.seen("sink", "ok"), "");
    assert_ne!(told.seen("checkpoint", "ok"), "");
}

#[tokio::test]
async fn a_missing_stream_is_named_with_the_statement_that_makes_it() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("change-stream-name", json!("Nothing"));
    let told = check(&place, &sandbox).await;
    let advice = "CREATE CHANGE STREAM Nothing";
    told.fails("source", &["no change stream named Nothing"], advice);
}

#[tokio::test]
async fn a_stream_whose_name_was_folded_is_named_as_it_is() {
    let (sandbox, mut place) = two_changes(|script| {
        script.dialect = Dialect::Postgres;
        script.stream = "shopstream".to_owned();
    });
    place.set("change-stream-name", json!("ShopStream"));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &["it has shopstream"],
        "set change-stream-name: shopstream",
    );
}

#[tokio::test]
async fn an_endpoint_where_nobody_listens_is_named() {
    let (sandbox, mut place) = two_changes(|_| {});
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    place.set("emulator-endpoint", json!(free.to_string()));
    let told = check(&place, &sandbox).await;
    let address = free.to_string();
    let said = [&address, "Connection refused", "Unavailable"];
    told.fails("source", &said, "start the emulator");
    told.says(
        "source",
        "failure",
        &["is the emulator, or `acequia sandbox`, running there?"],
        &format!("nothing answers at {address}"),
    );
    // Somebody has to start it: trying again is for a run.
    assert!(!told.stderr.contains("trying again"), "{}", told.stderr);
}

#[tokio::test]
async fn a_denied_permission_is_told_with_what_to_grant() {
    for on in [On::Sessions, On::Catalog, On::Root] {
        let denied = Fault {
            on: on.clone(),
            after_messages: 0,
            // The session is deleted by a call that is denied, too, where sessions are.
            times: 1,
            what: What::status(Code::PermissionDenied, "Caller is missing IAM permission"),
        };
        let (sandbox, place) = two_changes(|script| script.faults = vec![denied]);
        let told = check(&place, &sandbox).await;
        told.fails(
            "source",
            &["missing IAM permission"],
            "spanner.databases.select",
        );
    }
}

#[tokio::test]
async fn a_role_that_may_not_read_the_stream_is_told_with_its_grants() {
    let denied = Fault {
        on: On::Root,
        after_messages: 0,
        times: 1,
        what: What::status(
            Code::PermissionDenied,
            "Role analyst does not have privileges",
        ),
    };
    let (sandbox, mut place) = two_changes(|script| script.faults = vec![denied]);
    place.set("database-role", json!("analyst"));
    let told = check(&place, &sandbox).await;
    let advice = "GRANT SELECT ON CHANGE STREAM ShopStream TO ROLE analyst";
    told.fails("source", &["Role analyst"], advice);
}

#[tokio::test]
async fn a_start_before_the_retention_is_told_with_where_reading_would_begin() {
    let (sandbox, mut place) = two_changes(|script| {
        script.retention = Some(Duration::from_secs(30 * 60));
    });
    place.unset("end-position");
    let told = check(&place, &sandbox).await;
    // A run begins there, too, with the same warning.
    told.starts();
    let asked = after(an_hour_ago(), 0).to_string();
    let hour = &asked[..13];
    told.says(
        "retention",
        "warning",
        &["the start is older than the retention", hour],
        "set start-position: earliest",
    );
    let would_read = &told.report["would_read"];
    let headroom = would_read["retention"]["headroom_seconds"]
        .as_i64()
        .unwrap();
    assert!((0..=120).contains(&headroom), "{headroom}");
    assert_eq!(would_read["retention"]["declared"], true);
    assert!(would_read["begin"]["asked"].is_string(), "{would_read}");
}

#[tokio::test]
async fn a_start_before_the_stream_was_created_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    let asked = after(an_hour_ago(), -3_600_000);
    place.set("start-position", json!({ "at": asked.to_string() }));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = ["the stream cannot be read that early", &asked.to_string()];
    told.says("retention", "warning", &said, "start-position");
}

#[tokio::test]
async fn the_earliest_start_is_told_without_a_warning() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("start-position", json!("earliest"));
    let told = check(&place, &sandbox).await;
    told.starts();
    assert_eq!(told.seen("retention", "warning"), "");
    told.says("retention", "ok", &["reading would begin at"], "");
    assert!(told.report["would_read"]["begin"]["asked"].is_null());
}

#[tokio::test]
async fn a_start_in_the_future_is_refused() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.unset("end-position");
    let asked = after(an_hour_ago(), 2 * 3_600_000);
    place.set("start-position", json!({ "at": asked.to_string() }));
    let told = check(&place, &sandbox).await;
    told.fails(
        "retention",
        &["lies in the future"],
        "set start-position to latest",
    );
}

#[tokio::test]
async fn a_saved_position_before_the_retention_is_told_with_what_is_lost() {
    let start = an_hour_ago();
    let (sandbox, mut place) = left_behind(start).await;
    let told = check(&place, &sandbox).await;
    let position = after(start, 2000).to_string();
    told.fails(
        "retention",
        &["has expired", &position],
        "set resume-fallback",
    );
    let headroom = told.report["would_read"]["retention"]["headroom_seconds"]
        .as_i64()
        .unwrap();
    assert!(headroom < 0, "{headroom}");

    place.set("resume-fallback", json!("earliest"));
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says(
        "retention",
        "warning",
        &["has expired", "a gap record"],
        "what is lost",
    );
}

#[tokio::test]
async fn saved_partitions_that_the_stream_does_not_know_are_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.unset("end-position");
    super::super::place::drain_after(&place, 2).await.unwrap();
    drop(sandbox);
    // The same name, with other partitions: the stream was dropped and created again.
    let start = an_hour_ago();
    let history = acequia_sandbox::spanner::History::starting_at(start).partition("other");
    let history = history.build().unwrap();
    let again = super::serve_script(acequia_sandbox::spanner::Script::new(history));
    place.set("emulator-endpoint", json!(again.address().to_string()));
    let told = check(&place, &again).await;
    told.fails(
        "source",
        &[
            "partition a cannot be read",
            "does not belong to the Change Stream",
        ],
        "dropped and created again",
    );
}
