//! Configurations that a run works with, and what would be read.

use std::collections::BTreeSet;

use acequia_sandbox::bigtable::Sandbox;
use serde_json::{Value, json};
use tokio::process::Command;

use super::super::super::place::{Place, drain_after};
use super::super::super::process;
use super::super::super::shop::after;
use super::{check, command, two_mutations};

fn passing(families: &Value) -> Vec<(&str, Option<bool>)> {
    let families = families.as_array().unwrap().iter();
    let passes = |family: &Value| family["passes"].as_bool();
    families
        .map(|family| (family["name"].as_str().unwrap(), passes(family)))
        .collect()
}

fn methods(sandbox: &Sandbox) -> Vec<String> {
    let calls = sandbox.stats().calls.into_iter();
    calls.map(|call| call.method).collect()
}

#[tokio::test]
async fn a_good_configuration_is_told_with_all_that_would_be_read() {
    let (sandbox, place) = two_mutations(|_| {});
    let told = check(&place, &sandbox).await;
    told.starts();
    assert_eq!(told.report["outcome"], "ok", "{:#}", told.report);
    for topic in [
        "config",
        "credentials",
        "source",
        "checkpoint",
        "retention",
        "filters",
        "components",
        "sink",
    ] {
        assert_ne!(told.seen(topic, "ok"), "", "{topic}");
    }
    let would_read = &told.report["would_read"];
    let source = json!({
        "table": sandbox.table(),
        "app_profile": "reader",
        "cluster": "cluster-1",
        "partitions": 2,
    });
    assert_eq!(would_read["source"], source);
    let start = sandbox.committed()[0].commit_timestamp;
    let at: jiff::Timestamp = would_read["begin"]["at"].as_str().unwrap().parse().unwrap();
    assert_eq!(at, after(start, -1));
    assert_eq!(would_read["retention"]["seconds"], 604_800);
    assert_eq!(would_read["retention"]["declared"], true);
    let headroom = would_read["retention"]["headroom_seconds"].as_i64();
    let headroom = headroom.unwrap();
    assert!(
        (604_800 - 3600 - 300..=604_800 - 3600).contains(&headroom),
        "{headroom}"
    );
    let families = ["notes", "order", "state", "sums"].map(|family| (family, Some(true)));
    assert_eq!(passing(&would_read["families"]), families);
    assert_eq!(would_read["tables"], json!([]));
    // Each service is asked once.
    let asked = [
        "GetTable",
        "GetAppProfile",
        "GenerateInitialChangeStreamPartitions",
    ];
    assert_eq!(methods(&sandbox), asked);
}

#[tokio::test]
async fn the_components_answer_to_every_kind_of_entry_in_every_family() {
    let (sandbox, place) = two_mutations(|script| {
        script.families = vec!["state".to_owned(), "sums".to_owned()];
    });
    let told = check(&place, &sandbox).await;
    let components = told.report["would_read"]["components"].as_array().unwrap();
    assert_eq!(components[1]["world"], "bigtable-deserializer");
    // Five kinds of entries and a deletion by garbage collection, for each of two families.
    let said = "deserializer json makes 12 outputs of 12 made records of 2 column families";
    told.says("components", "ok", &[said], "");
}

#[tokio::test]
async fn families_that_do_not_pass_are_told_and_qualifiers_are_left_open() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("family-exclude-list", json!(["s.*"]));
    place.set("qualifier-include-list", json!(["order:aXRlbQ=="]));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = [
        "2 of 4 column families pass",
        "which qualifiers pass is not known",
    ];
    told.says("filters", "ok", &said, "");
    let families = [
        ("notes", Some(true)),
        ("order", Some(true)),
        ("state", Some(false)),
        ("sums", Some(false)),
    ];
    assert_eq!(passing(&told.report["would_read"]["families"]), families);
}

#[tokio::test]
async fn made_mutations_take_the_way_of_real_ones() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("family-include-list", json!(["order"]));
    place.set("skip-messages-without-change", json!(true));
    place.set("include-garbage-collection", json!(false));
    place.set("source-cluster-include-list", json!(["cluster-9"]));
    let told = check(&place, &sandbox).await;
    told.starts();
    // Those of one family, by users of the cluster that passes.
    let said = "makes 5 outputs of 5 made records";
    told.says("components", "ok", &[said], "");
}

#[tokio::test]
async fn an_account_that_may_only_read_data_is_checked_without_validation() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("without-validation", json!(true));
    let told = check(&place, &sandbox).await;
    told.starts();
    assert_eq!(methods(&sandbox), ["GenerateInitialChangeStreamPartitions"]);
    told.says(
        "source",
        "warning",
        &["without-validation"],
        "may only read data",
    );
    told.says("source", "ok", &["has 2 partitions now"], "");
    told.says(
        "components",
        "warning",
        &["were not tried"],
        "bigtable.tables.get",
    );
    let would_read = &told.report["would_read"];
    assert_eq!(would_read["source"]["cluster"], Value::Null);
    assert_eq!(would_read["retention"]["declared"], false);
}

#[tokio::test]
async fn a_saved_position_is_told_with_what_a_resume_would_cut() {
    let (sandbox, place) = two_mutations(|_| {});
    drain_after(&place, 2).await.unwrap();
    let output = place.path("out.ndjson");
    let saved = std::fs::read(&output).unwrap();
    std::fs::write(&output, [saved.as_slice(), b"{\"half\": "].concat()).unwrap();
    let told = check(&place, &sandbox).await;
    told.starts();
    let would_read = &told.report["would_read"];
    assert_eq!(would_read["begin"]["from"], "saved");
    assert_eq!(would_read["begin"]["partitions"], 2);
    told.says("retention", "ok", &["reading would go on from"], "");
    told.says("sink", "ok", &["would cut off the last 9"], "");
}

#[tokio::test]
async fn a_run_after_a_check_reads_everything_and_a_check_after_it_says_so() {
    let (sandbox, mut place) = two_mutations(|_| {});
    let start = sandbox.committed()[0].commit_timestamp;
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    check(&place, &sandbox).await.starts();
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ids(&place), committed(&sandbox));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = "everything up to bounded-timestamp is read";
    told.says("retention", "ok", &[said], "");
}

fn ids(place: &Place) -> BTreeSet<String> {
    let values = place.values().into_iter();
    values
        .map(|value| value["id"].as_str().unwrap().to_owned())
        .collect()
}

fn committed(sandbox: &Sandbox) -> BTreeSet<String> {
    let mutations = sandbox.committed();
    mutations.iter().map(|mutation| mutation.id()).collect()
}

#[tokio::test]
async fn the_text_tells_table_profile_partitions_and_families() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("family-include-list", json!(["order"]));
    let config = place.config();
    let mut text = Command::new(process::ACEQUIA);
    text.args(["check", "-c"]).arg(&config);
    let text = process::spawn(text).ended().await;
    assert_eq!(text.code, Some(0), "{}", text.stdout);
    let json = process::spawn(command(&config)).ended().await;
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let seen = findings
        .iter()
        .map(|finding| finding["seen"].as_str().unwrap());
    let table = format!("table        {}", sandbox.table());
    let lines = [
        table.as_str(),
        "profile      reader (cluster cluster-1)",
        "partitions   2 now",
        "family       order passes",
        "family       state is left out",
    ];
    for told in seen.chain(lines) {
        assert!(text.stdout.contains(told), "{told}: {}", text.stdout);
    }
    assert!(
        text.stdout.ends_with("orders would start\n"),
        "{}",
        text.stdout
    );
}
