//! Components that do not fit, and filters that leave nothing.

use serde_json::json;

use super::super::super::guests::guest;
use super::{check, two_mutations};

#[tokio::test]
async fn a_component_of_spanners_world_is_told_as_the_configuration_that_it_is() {
    for (name, said) in [
        ("hostile", "so it is a Spanner deserializer"),
        (
            "wrong-world",
            "build it against the world bigtable-deserializer",
        ),
    ] {
        let (sandbox, mut place) = two_mutations(|_| {});
        place.set("deserializer", guest(name, &json!({})));
        let told = check(&place, &sandbox).await;
        assert_eq!(told.code, 2, "{:#}", told.report);
        let said = ["bigtable-change-stream.deserializer", said];
        told.says("components", "failure", &said, "built for this place");
        // The rest is looked at all the same.
        assert_ne!(told.seen("filters", "ok"), "");
        assert_ne!(told.seen("source", "ok"), "");
    }
}

#[tokio::test]
async fn a_record_filter_is_tried_on_the_made_mutations() {
    let (sandbox, mut place) = two_mutations(|script| {
        script.families = vec!["state".to_owned()];
    });
    place.set("record-filter", guest("keep-even-mutations", &json!({})));
    let told = check(&place, &sandbox).await;
    told.starts();
    // It keeps every other row, of which each mutation has one.
    let said = "keeps 3 of 6 made records of 1 column families";
    told.says("components", "ok", &["record-filter", said], "");
}

#[tokio::test]
async fn a_filter_that_leaves_no_family_is_told() {
    let (sandbox, mut place) = two_mutations(|_| {});
    place.set("family-include-list", json!(["nothing.*"]));
    let said = ["0 of 4 column families pass", "without entries"];
    let advice = "correct family-include-list";
    check(&place, &sandbox)
        .await
        .fails("filters", &said, advice);
    place.set("skip-messages-without-change", json!(true));
    let told = check(&place, &sandbox).await;
    told.fails("filters", &["drops every mutation"], advice);
    let families = told.report["would_read"]["families"].as_array().unwrap();
    assert!(families.iter().all(|family| family["passes"] == false));
}

#[tokio::test]
async fn a_table_without_a_family_is_warned_about() {
    let (sandbox, place) = two_mutations(|script| script.families = Vec::new());
    let told = check(&place, &sandbox).await;
    told.starts();
    told.says(
        "source",
        "warning",
        &["no column family"],
        "create the families",
    );
}
