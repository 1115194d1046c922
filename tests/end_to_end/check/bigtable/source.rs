//! A service, a table or a profile that is not as the configuration says.

use std::net::SocketAddr;
use std::time::Duration;

use acequia_sandbox::What;
use acequia_sandbox::bigtable::{Fault, On};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tonic::Code;

use super::super::super::place::Place;
use super::super::super::shop::{after, an_hour_ago};
use super::super::credentials::{EMAIL, give_tokens, key, nobody};
use super::{check, check_with, command, two_mutations};

fn denied() -> What {
    What::status(Code::PermissionDenied, "Caller is missing IAM permission")
}

#[tokio::test]
async fn a_missing_table_is_told_once_with_the_option_to_correct() {
    let (sandbox, mut place) = two_mutations(|_| {});
    let missing = format!("{}/tables/nowhere", sandbox.instance());
    place.set("table", json!(missing));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &[&missing, "there is no such table"],
        "correct the option table",
    );
    // The data service says the same.
    assert_eq!(told.seen("source", "failure").lines().count(), 1);
    // What does not depend on it is looked at all the same.
    told.says("source", "ok", &["routes to the cluster cluster-1"], "");
    assert_ne!(told.seen("sink", "ok"), "");
    assert_ne!(told.seen("checkpoint", "ok"), "");
}

#[tokio::test]
async fn a_table_without_a_change_stream_is_told_with_the_command_that_enables_it() {
    let (sandbox, place) = two_mutations(|script| script.retention = None);
    let told = check(&place, &sandbox).await;
    let advice = "gcloud bigtable instances tables update shop --instance=sandbox \
                  --project=sandbox --change-stream-retention-period=7d";
    told.fails("source", &["has no change stream"], advice);
}

#[tokio::test]
async fn a_missing_profile_is_told_with_the_command_that_makes_one() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("app-profile-id", json!("missing"));
    let told = check(&place, &sandbox).await;
    let said = ["application profile missing", "no such profile"];
    told.fails("source", &said, "gcloud bigtable app-profiles create");
    told.says("source", "failure", &said, "correct app-profile-id");
    // The table is there.
    assert_ne!(told.seen("filters", "ok"), "");
}

#[tokio::test]
async fn a_profile_that_routes_to_several_clusters_is_refused() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("app-profile-id", json!("default"));
    let told = check(&place, &sandbox).await;
    let said = ["application profile default", "any of several clusters"];
    told.fails("source", &said, "single-cluster routing");
    assert_eq!(told.seen("source", "failure").lines().count(), 1);
}

#[tokio::test]
async fn a_profile_that_may_not_be_looked_at_is_a_warning() {
    let fault = Fault::on_call(On::AppProfile, denied());
    let (sandbox, place) = two_mutations(|script| script.faults = vec![fault]);
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = ["cannot be looked at", "missing IAM permission"];
    told.says("source", "warning", &said, "bigtable.appProfiles.get");
    assert_eq!(told.report["would_read"]["source"]["cluster"], Value::Null);
}

#[tokio::test]
async fn a_profile_that_nobody_looked_at_is_refused_by_the_data_service() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("app-profile-id", json!("default"));
    place.set("without-validation", json!(true));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &["routes to several clusters"],
        "routes to a single cluster",
    );
}

#[tokio::test]
async fn a_table_that_may_not_be_looked_at_is_a_failure_unless_nobody_has_to() {
    let fault = || Fault::on_call(On::Table, denied());
    let (sandbox, mut place) = two_mutations(|script| script.faults = vec![fault()]);
    let told = check(&place, &sandbox).await;
    told.fails("source", &["missing IAM permission"], "bigtable.tables.get");
    told.says("source", "failure", &[], "set without-validation");
    sandbox.add_fault(fault());
    place.set("without-validation", json!(true));
    check(&place, &sandbox).await.starts();
}

#[tokio::test]
async fn an_account_that_may_not_read_the_stream_is_told_what_it_lacks() {
    let fault = Fault::on_call(On::Partitions, denied());
    let (sandbox, place) = two_mutations(|script| script.faults = vec![fault]);
    let told = check(&place, &sandbox).await;
    let said = [
        "GenerateInitialChangeStreamPartitions",
        "missing IAM permission",
    ];
    told.fails("source", &said, "roles/bigtable.admin");
}

#[tokio::test]
async fn a_failure_that_passes_is_asked_again() {
    let unavailable = || What::status(Code::Unavailable, "try again");
    let (sandbox, place) = two_mutations(|script| {
        script.faults = [On::Table, On::AppProfile, On::Partitions]
            .map(|on| Fault::on_call(on, unavailable()))
            .into();
    });
    let told = check(&place, &sandbox).await;
    told.starts();
    assert_eq!(told.report["outcome"], "ok", "{:#}", told.report);
}

#[tokio::test]
async fn an_endpoint_where_nobody_listens_is_asked_one_question() {
    let (sandbox, mut place) = two_mutations(|_| {});
    let address = nobody().to_string();
    place.set("emulator-endpoint", json!(address));
    let told = check(&place, &sandbox).await;
    told.fails(
        "source",
        &[&address, "Connection refused"],
        "start the emulator",
    );
    assert_eq!(told.seen("source", "failure").lines().count(), 1);
    assert_eq!(told.seen("source", "warning"), "");
}

#[tokio::test]
async fn a_key_file_that_reaches_no_token_endpoint_tells_what_was_tried() {
    let token_uri = format!("http://{}/token", nobody());
    let place = with_key_file(&token_uri, nobody(), nobody());
    let told = check_with(&place, command(&place.config())).await;
    let said = ["key.json", EMAIL, &token_uri, "Connection refused"];
    told.fails("credentials", &said, "reaches the token endpoint");
    told.says("source", "warning", &["was not asked"], "credentials");
    told.says("components", "warning", &["were not tried"], "credentials");
    assert_eq!(told.report["would_read"]["source"], Value::Null);
}

#[tokio::test]
async fn each_of_two_servers_that_nobody_listens_at_is_named_with_its_option() {
    let tokens = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let token_uri = format!("http://{}/token", tokens.local_addr().unwrap());
    let (data, admin) = (nobody(), nobody());
    let place = with_key_file(&token_uri, data, admin);
    let checked = check_with(&place, command(&place.config()));
    let told = tokio::select! {
        told = checked => told,
        () = give_tokens(tokens) => panic!("giving tokens does not end"),
    };
    told.says("credentials", "ok", &["key.json", EMAIL], "");
    for (server, option) in [(data, "endpoint"), (admin, "admin-endpoint")] {
        let server = format!("https://{server}");
        let advice =
            format!("{server} (name resolution, firewall, proxy), or correct the option {option}");
        told.fails("source", &[&server], &advice);
    }
}

/// A place that asks as the account of a key file.
fn with_key_file(token_uri: &str, data: SocketAddr, admin: SocketAddr) -> Place {
    let (_sandbox, mut place) = two_mutations(|_| {});
    place.unset("emulator-endpoint");
    place.set("endpoint", json!(format!("https://{data}")));
    place.set("admin-endpoint", json!(format!("https://{admin}")));
    place.set("service-account-key-file", json!("key.json"));
    std::fs::write(place.path("key.json"), key(token_uri).to_string()).unwrap();
    place
}

#[tokio::test]
async fn a_start_before_the_retention_is_told_with_where_reading_would_begin() {
    let (sandbox, place) = two_mutations(|script| {
        script.retention = Some(Duration::from_secs(30 * 60));
    });
    let told = check(&place, &sandbox).await;
    // A run begins there, too, with the same warning.
    told.starts();
    let asked = an_hour_ago().to_string();
    let said = ["the start is older than the retention", &asked[..13]];
    told.says(
        "retention",
        "warning",
        &said,
        "set start-position: earliest",
    );
    let would_read = &told.report["would_read"];
    assert!(would_read["begin"]["asked"].is_string(), "{would_read}");
    let headroom = would_read["retention"]["headroom_seconds"].as_i64();
    let headroom = headroom.unwrap();
    assert!((0..=120).contains(&headroom), "{headroom}");
}

#[tokio::test]
async fn a_start_in_the_future_is_refused() {
    let (sandbox, mut place) = two_mutations(|_| {});
    let asked = after(an_hour_ago(), 2 * 3_600_000);
    place.set("start-position", json!({ "at": asked.to_string() }));
    let told = check(&place, &sandbox).await;
    told.fails(
        "retention",
        &["lies in the future"],
        "set start-position to latest",
    );
}
