//! Components that do not fit, do not answer, or leave nothing.

use serde_json::json;

use super::super::guests::{guest, hostile};
use super::{check, two_changes};

#[tokio::test]
async fn a_component_of_the_wrong_world_is_told_as_the_configuration_that_it_is() {
    for (name, said) in [
        ("keep-even", "so it is a Spanner record filter"),
        (
            "wrong-world",
            "build it against the world spanner-deserializer",
        ),
    ] {
        let (sandbox, mut place) = two_changes(|_| {});
        place.set("deserializer", guest(name, &json!({})));
        let told = check(&place, &sandbox).await;
        assert_eq!(told.code, 2, "{:#}", told.report);
        let said = ["spanner-change-stream.deserializer", said];
        told.says("components", "failure", &said, "built for this place");
        // The rest is looked at all the same.
        assert_ne!(told.seen("filters", "ok"), "");
        assert_ne!(told.seen("source", "ok"), "");
    }
}

#[tokio::test]
async fn a_component_that_refuses_its_configuration_is_told_with_every_reason() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("deserializer", hostile("bad-configure"));
    let told = check(&place, &sandbox).await;
    assert_eq!(told.code, 2, "{:#}", told.report);
    let failures = told.seen("components", "failure");
    let path = "spanner-change-stream.deserializer.config.";
    assert!(failures.contains(&format!("{path}mode")), "{failures}");
    assert!(failures.contains(&format!("{path}other[1]")), "{failures}");
}

#[tokio::test]
async fn mistakes_of_the_file_are_told_at_once_and_nothing_is_asked() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("hartbeat-interval", json!("2s"));
    place.set("turn", json!("never"));
    place.set("table-include-list", json!(["(unclosed"]));
    let told = check(&place, &sandbox).await;
    assert_eq!(told.code, 2, "{:#}", told.report);
    for said in [
        "did you mean heartbeat-interval?",
        "turn: expected a duration",
        "table-include-list[0]",
    ] {
        told.says("config", "failure", &[said], "acequia schema");
    }
    assert_eq!(sandbox.stats().requests.len(), 0);
}

#[tokio::test]
async fn a_file_that_is_not_there_is_told() {
    let (_sandbox, place) = two_changes(|_| {});
    let missing = super::command(&place.path("missing.yaml"));
    let told = super::check_with(&place, missing).await;
    assert_eq!(told.code, 2, "{:#}", told.report);
    told.says(
        "config",
        "failure",
        &["missing.yaml", "cannot read"],
        "name another",
    );
}

#[tokio::test]
async fn a_filter_that_leaves_nothing_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("table-include-list", json!(["Nothing.*"]));
    let told = check(&place, &sandbox).await;
    let said = ["nothing passes", "0 of 2 watched tables pass"];
    told.fails("filters", &said, "correct the include and exclude lists");
    let tables = told.report["would_read"]["tables"].as_array().unwrap();
    assert!(
        tables.iter().all(|table| table["passes"] == false),
        "{tables:?}"
    );
}

#[tokio::test]
async fn a_filter_that_leaves_keys_only_is_warned_about_unless_empty_changes_are_skipped() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("column-exclude-list", json!([".*"]));
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says(
        "filters",
        "warning",
        &["only keys pass"],
        "a column's is table.column",
    );
    place.set("skip-messages-without-change", json!(true));
    let told = check(&place, &sandbox).await;
    told.fails("filters", &["nothing is left"], "include and exclude lists");
}

#[tokio::test]
async fn a_deserializer_that_traps_on_a_made_record_is_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("deserializer", hostile("trap"));
    let told = check(&place, &sandbox).await;
    let said = [
        "deserializer hostile",
        "6 made records of 2 tables",
        "trapped",
    ];
    told.fails("components", &said, "correct the component");
}

#[tokio::test]
async fn a_component_that_was_built_for_wasi_is_told_as_such_and_stopped_in_time() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("deserializer", guest("sleep", &json!({})));
    place.set("pipeline", json!({ "guest-timeout": "300ms" }));
    let told = check(&place, &sandbox).await;
    told.says("components", "ok", &["imports WASI"], "");
    told.fails(
        "components",
        &["gave no answer within 300ms"],
        "pipeline.guest-timeout",
    );
    let components = told.report["would_read"]["components"].as_array().unwrap();
    assert!(components.iter().any(|seen| seen["pure"] == false));
}

#[tokio::test]
async fn outputs_that_the_sink_has_no_place_for_are_told() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set(
        "deserializer",
        guest("shapes", &json!({ "mode": "fan-out" })),
    );
    let told = check(&place, &sandbox).await;
    told.fails("components", &["names a topic"], "without topics");
}

#[tokio::test]
async fn a_value_of_two_lines_is_told_with_what_its_author_can_do() {
    let (sandbox, mut place) = two_changes(|_| {});
    let shapes = guest("shapes", &json!({ "mode": "two-lines" }));
    place.set("deserializer", shapes);
    let told = check(&place, &sandbox).await;
    told.fails("components", &["cannot be one line"], "correct it");
}

#[tokio::test]
async fn an_id_that_is_declared_and_not_written_is_a_warning_and_none_is_a_fact() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("deserializer", guest("shapes", &json!({ "mode": "name" })));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = ["deserializer shapes", "6 of 6 values do not hold the id"];
    told.says("components", "warning", &said, "with_record_id");
    place.set("deserializer", guest("third-party", &json!({})));
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says("components", "ok", &["consumers cannot drop repeats"], "");
}

#[tokio::test]
async fn failures_on_made_records_are_a_warning() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("deserializer", guest("shapes", &json!({ "mode": "fail" })));
    let told = check(&place, &sandbox).await;
    told.starts();
    let said = ["fails on 6 of 6 made records", "unsupported"];
    told.says("components", "warning", &said, "pipeline.on-failure");
}

#[tokio::test]
async fn a_record_filter_is_tried_on_the_made_records() {
    let (sandbox, mut place) = two_changes(|_| {});
    place.set("record-filter", guest("keep-even", &json!({})));
    let told = check(&place, &sandbox).await;
    told.starts();
    // Every made key is 1.
    told.says(
        "components",
        "ok",
        &["record-filter", "keeps 0 of 6 made records"],
        "",
    );
}
