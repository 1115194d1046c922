//! Configurations that a run works with, and what would be read.

use acequia_sandbox::spanner::{Dialect, Watch};
use serde_json::{Value, json};

use super::super::place::{Place, drain_after};
use super::super::process;
use super::{Told, check, command, two_changes};
use tokio::process::Command;

/// Names and whether they pass, of tables or of columns.
fn passing(list: &Value) -> Vec<(String, bool)> {
    let pass = |seen: &Value| {
        let name = seen["name"].as_str().unwrap().to_owned();
        (name, seen["passes"].as_bool().unwrap())
    };
    list.as_array().unwrap().iter().map(pass).collect()
}

fn pairs(pairs: &[(&str, bool)]) -> Vec<(String, bool)> {
    pairs
        .iter()
        .map(|(name, passes)| ((*name).to_owned(), *passes))
        .collect()
}

fn columns<'a>(told: &'a Told, table: &str) -> &'a Value {
    let tables = told.report["would_read"]["tables"].as_array().unwrap();
    let table = tables.iter().find(|seen| seen["name"] == table);
    &table.unwrap()["columns"]
}

#[tokio::test]
async fn a_good_configuration_is_told_with_all_that_would_be_read() {
    for (dialect, name, text) in [
        (Dialect::GoogleSql, "GOOGLE_STANDARD_SQL", "STRING(MAX)"),
        (Dialect::Postgres, "POSTGRESQL", "character varying"),
    ] {
        let (sandbox, mut place) = two_changes(|script| script.dialect = dialect);
        place.set("column-exclude-list", json!(["Orders\\.Secret"]));
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
            "database": sandbox.database(),
            "change_stream": "ShopStream",
            "dialect": name,
            "partition_mode": "IMMUTABLE_KEY_RANGE",
            "watches_everything": true,
        });
        assert_eq!(would_read["source"], source);
        let start = sandbox.committed()[0].commit_timestamp;
        let at: jiff::Timestamp = would_read["begin"]["at"].as_str().unwrap().parse().unwrap();
        assert_eq!(at, super::after(start, -1));
        // Seven days, less the hour that has passed, as the documentation says of the default.
        assert_eq!(would_read["retention"]["seconds"], 604_800);
        let headroom = would_read["retention"]["headroom_seconds"]
            .as_i64()
            .unwrap();
        assert!(
            (604_800 - 3600 - 300..=604_800 - 3600).contains(&headroom),
            "{headroom}"
        );
        let tables = [("Customers", true), ("Orders", true)];
        assert_eq!(passing(&would_read["tables"]), pairs(&tables));
        let customers = [("CustomerId", true), ("Name", true), ("City", true)];
        assert_eq!(passing(columns(&told, "Customers")), pairs(&customers));
        assert_eq!(columns(&told, "Customers")[1]["type"], text);
        assert_eq!(columns(&told, "Customers")[0]["is_key"], true);
        assert_eq!(
            passing(columns(&told, "Orders"))[7],
            ("Secret".to_owned(), false)
        );
        assert_eq!(would_read["sink"]["files"][0]["length_bytes"], Value::Null);
        assert_eq!(would_read["checkpoint"]["saved"], Value::Null);
    }
}

#[tokio::test]
async fn the_watch_list_and_the_filter_are_told_of_a_stream_that_names_its_tables() {
    let named = vec!["Total".to_owned(), "Secret".to_owned()];
    let (sandbox, mut place) = two_changes(|script| {
        script.watch = Watch::Tables(vec![("Orders".to_owned(), Some(named))]);
    });
    place.set("column-include-list", json!(["Orders\\.T.*"]));
    let told = check(&place, &sandbox).await;
    told.starts();
    let would_read = &told.report["would_read"];
    assert_eq!(would_read["source"]["watches_everything"], false);
    assert_eq!(passing(&would_read["tables"]), pairs(&[("Orders", true)]));
    let columns = [
        ("CustomerId", true),
        ("OrderId", true),
        ("Total", true),
        ("Secret", false),
    ];
    assert_eq!(passing(self::columns(&told, "Orders")), pairs(&columns));
    assert_eq!(
        told.seen("filters", "ok"),
        "1 of 1 watched tables pass; of their 2 columns outside the keys, 1 pass"
    );
}

#[tokio::test]
async fn a_stream_whose_key_ranges_move_is_told_as_one() {
    let start = super::an_hour_ago();
    let history = acequia_sandbox::spanner::History::starting_at(start)
        .partition("a")
        .partition("b")
        .moves_range(super::after(start, 5), "a", "b")
        .build()
        .unwrap();
    for dialect in [Dialect::GoogleSql, Dialect::Postgres] {
        let (sandbox, place) = two_changes(|script| {
            script.dialect = dialect;
            script.mode = acequia_sandbox::spanner::Mode::Mutable;
            script.history = history.clone();
        });
        let told = check(&place, &sandbox).await;
        told.starts();
        let source = &told.report["would_read"]["source"];
        assert_eq!(source["partition_mode"], "MUTABLE_KEY_RANGE");
        told.says("source", "ok", &["ShopStream can be read at"], "");
    }
}

#[tokio::test]
async fn the_components_are_told_with_their_digest_world_and_parameters() {
    let (sandbox, place) = two_changes(|_| {});
    let told = check(&place, &sandbox).await;
    let components = told.report["would_read"]["components"].as_array().unwrap();
    let roles: Vec<_> = components
        .iter()
        .map(|seen| seen["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["names-filter", "deserializer"]);
    let json = &components[1];
    assert_eq!(
        (&json["name"], &json["world"]),
        (&json!("json"), &json!("spanner-deserializer"))
    );
    assert_eq!(json["pure"], true);
    assert_eq!(json["sha256"].as_str().unwrap().len(), 64);
    let parameters = json["parameters"].as_array().unwrap();
    assert!(
        parameters.iter().any(|seen| seen["name"] == "granularity"),
        "{json}"
    );
    // An insertion, an update and a deletion of two tables, one row each.
    assert!(told.seen("components", "ok").ends_with(
        "deserializer json makes 6 outputs of 6 made records of 2 tables\n\
         deserializer json writes the record id at /id"
    ));
    // The built-in names filter has the lists of families and qualifiers, too.
    let lists: Vec<_> = components[0]["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seen| seen["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        lists,
        [
            "table-include-list",
            "table-exclude-list",
            "column-include-list",
            "column-exclude-list"
        ]
    );
}

async fn finished() -> (acequia_sandbox::spanner::Sandbox, Place) {
    let (sandbox, mut place) = two_changes(|_| {});
    place.unset("end-position");
    drain_after(&place, 2).await.unwrap();
    (sandbox, place)
}

#[tokio::test]
async fn a_saved_position_is_told_with_what_a_resume_would_cut() {
    let (sandbox, place) = finished().await;
    let output = place.path("out.ndjson");
    let saved = std::fs::read(&output).unwrap();
    std::fs::write(&output, [saved.as_slice(), b"{\"half\": "].concat()).unwrap();
    let told = check(&place, &sandbox).await;
    told.starts();
    let would_read = &told.report["would_read"];
    assert_eq!(would_read["begin"]["from"], "saved");
    assert_eq!(would_read["begin"]["partitions"], 1);
    assert!(would_read["begin"]["generation"].as_u64().unwrap() > 1);
    assert_eq!(
        would_read["checkpoint"]["saved"]["watermark"],
        would_read["begin"]["watermark"]
    );
    let file = &would_read["sink"]["files"][0];
    assert_eq!(file["length_bytes"], saved.len() + 9);
    assert_eq!(file["would_cut_bytes"], 9);
    told.says("sink", "ok", &["would cut off the last 9"], "");
    told.says("source", "ok", &["partition a can be read at"], "");
}

#[tokio::test]
async fn a_run_after_a_check_reads_everything() {
    let (sandbox, place) = two_changes(|_| {});
    check(&place, &sandbox).await.starts();
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    super::super::truth::check(&place, &sandbox.committed());
}

#[tokio::test]
async fn the_text_has_a_line_for_each_finding_and_its_remedy_below() {
    let (_sandbox, mut place) = two_changes(|_| {});
    place.set("change-stream-name", json!("Missing"));
    let config = place.config();
    let mut text = Command::new(process::ACEQUIA);
    text.args(["check", "-c"]).arg(&config);
    let text = process::spawn(text).ended().await;
    let json = process::spawn(command(&config)).ended().await;
    assert_eq!((text.code, json.code), (Some(1), Some(1)));
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    for finding in report["findings"].as_array().unwrap() {
        for member in ["seen", "remedy"] {
            let Some(told) = finding[member].as_str() else {
                continue;
            };
            assert!(text.stdout.contains(told), "{told}: {}", text.stdout);
        }
    }
    assert!(
        text.stdout.ends_with("orders would not start\n"),
        "{}",
        text.stdout
    );
}

#[tokio::test]
async fn a_schema_is_printed_for_the_connector_and_for_no_other() {
    let schema = |arguments: &'static [&str]| {
        let mut command = Command::new(process::ACEQUIA);
        command.arg("schema").args(arguments);
        process::spawn(command).ended()
    };
    let printed = schema(&[]).await;
    assert_eq!(printed.code, Some(0));
    let parsed: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(parsed["title"], "spanner-change-stream-source");
    assert_eq!(
        schema(&["spanner-change-stream-source"]).await.stdout,
        printed.stdout
    );
    let unknown = schema(&["kafka-source"]).await;
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(
        unknown.stderr.contains("spanner-change-stream-source"),
        "{}",
        unknown.stderr
    );
}
