//! What is chosen by family, by qualifier, by cluster and by origin.

use acequia_host::run::Report;
use acequia_sandbox::bigtable::History;
use acequia_sandbox::bigtable::history::{Entry, Mutation, Source};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::place::Place;
use super::super::process;
use super::super::shop::{after, an_hour_ago};
use super::rows::serve;
use super::truth;

/// Of these, the Base64 is `+/8=`.
const PLUS_AND_SLASH: &[u8] = b"\xfb\xff";

fn set(family: &str, qualifier: &'static [u8]) -> Entry {
    Entry::set(family, qualifier, 1_000, "value")
}

/// Two families; qualifiers that are empty, text, and any bytes; a deletion of a family and one of a
/// column; a mutation without entries; a deletion by garbage collection; a write at another cluster.
fn history(start: Timestamp) -> History {
    let at = |millis| after(start, millis);
    History::starting_at(start)
        .write(
            at(1),
            "columns",
            [
                set("stats", b""),
                set("stats", b"clicks"),
                set("stats", PLUS_AND_SLASH),
                set("state", b""),
                set("state", b"clicks"),
            ],
        )
        .write(at(2), "family", [Entry::delete_family("stats")])
        .write(at(3), "column", [Entry::delete_column("stats", "clicks")])
        .write(at(4), "empty", [])
        .collect(
            at(5),
            "garbage",
            [Entry::delete_before("stats", "clicks", 500)],
        )
        .mutation(Mutation {
            row_key: "elsewhere".into(),
            commit_timestamp: at(6),
            tie_breaker: 0,
            source: Source::User("cluster-2".to_owned()),
            entries: vec![set("state", b"clicks")],
        })
        .build()
        .unwrap()
}

/// Family and qualifier; the deletion of a family has none.
fn column(entry: &Entry) -> (&str, Option<&[u8]>) {
    match entry {
        Entry::SetCell { column, .. }
        | Entry::DeleteCells { column, .. }
        | Entry::AddToCell { column, .. }
        | Entry::MergeToCell { column, .. } => (&column.family, Some(&column.qualifier)),
        Entry::DeleteFamily { family } => (family, None),
    }
}

/// Whether a column passes, and the deletion of a family.
type Passes = fn(&str, Option<&[u8]>) -> bool;

/// What is left of the mutations where only some of their entries pass.
fn left(committed: &[Mutation], passes: Passes) -> Vec<Mutation> {
    let mut left = committed.to_vec();
    for mutation in &mut left {
        mutation.entries.retain(|entry| {
            let (family, qualifier) = column(entry);
            passes(family, qualifier)
        });
    }
    left
}

/// Whether a mutation passes for where it comes from.
type Comes = fn(&Mutation) -> bool;

struct Filtered {
    committed: Vec<Mutation>,
    report: Report,
    values: Vec<Value>,
}

async fn filtered(options: &Value) -> Filtered {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::of_table(&sandbox, start);
    place.set("bounded-timestamp", json!(after(start, 60_000).to_string()));
    for (option, value) in options.as_object().unwrap() {
        place.set(option, value.clone());
    }
    let report = place.run().await.unwrap();
    Filtered {
        committed: sandbox.committed(),
        report,
        values: place.values(),
    }
}

#[tokio::test]
async fn lists_choose_entries_by_family_and_by_family_and_qualifier_in_base64() {
    let table: [(Value, Passes); 12] = [
        (json!({}), |_, _| true),
        (
            json!({ "family-include-list": [], "qualifier-exclude-list": [] }),
            |_, _| true,
        ),
        (
            json!({ "family-include-list": ["nobody|stats"] }),
            |family, _| family == "stats",
        ),
        (json!({ "family-exclude-list": ["stats"] }), |family, _| {
            family != "stats"
        }),
        // A pattern must match the whole name.
        (
            json!({ "family-exclude-list": ["stat", "tats"] }),
            |_, _| true,
        ),
        // An empty qualifier is nothing behind the colon.
        (
            json!({ "qualifier-include-list": ["stats:"] }),
            |family, it| it.is_none_or(|it| family == "stats" && it.is_empty()),
        ),
        (json!({ "qualifier-exclude-list": [".*:"] }), |_, it| {
            it.is_none_or(|it| !it.is_empty())
        }),
        (
            json!({ "qualifier-include-list": ["st.*:Y2xpY2tz"] }),
            |_, it| it.is_none_or(|it| it == b"clicks"),
        ),
        (
            json!({ "qualifier-include-list": [r"stats:\+/8="] }),
            |_, it| it.is_none_or(|it| it == PLUS_AND_SLASH),
        ),
        (
            json!({ "qualifier-exclude-list": [r"\Qstats:+/8=\E"] }),
            |_, it| it != Some(PLUS_AND_SLASH),
        ),
        // Neither without the padding nor in the alphabet of addresses.
        (
            json!({ "qualifier-exclude-list": [r"stats:\+/8", "stats:-_8="] }),
            |_, _| true,
        ),
        // Both dimensions must let a column pass.
        (
            json!({
                "family-include-list": ["stats"],
                "qualifier-exclude-list": ["stats:Y2xpY2tz"],
            }),
            |family, it| family == "stats" && it != Some(b"clicks"),
        ),
    ];
    for (lists, passes) in table {
        let filtered = filtered(&lists).await;
        let expected = left(&filtered.committed, passes);
        eprintln!("{lists}");
        truth::compare(filtered.values, &expected);
        let entries = |of: &[Mutation]| of.iter().map(|it| it.entries.len()).sum::<usize>();
        let removed = entries(&filtered.committed) - entries(&expected);
        assert_eq!(filtered.report.tally.dropped.cells, removed as u64);
    }
}

#[tokio::test]
async fn the_deletion_of_a_family_is_governed_by_the_lists_of_families_alone() {
    let whole = |values: &[Value]| {
        let of_family = values
            .iter()
            .find(|value| value["row_key"] == "ZmFtaWx5")
            .unwrap();
        of_family["entries"].clone()
    };
    let kept = json!([{ "kind": "delete_family", "family": "stats" }]);
    for (lists, left) in [
        (json!({ "qualifier-include-list": ["nothing"] }), &kept),
        (json!({ "qualifier-exclude-list": [".*"] }), &kept),
        (json!({ "family-include-list": ["state"] }), &json!([])),
        (json!({ "family-exclude-list": ["stats"] }), &json!([])),
    ] {
        assert_eq!(&whole(&filtered(&lists).await.values), left, "{lists}");
    }
}

#[tokio::test]
async fn a_mutation_that_filters_leave_nothing_of_is_skipped_if_asked_for_and_an_empty_one_is_not()
{
    let lists = |skip| {
        json!({
            "family-exclude-list": ["stats"],
            "skip-messages-without-change": skip,
        })
    };
    let delivered = filtered(&lists(false)).await;
    let all = left(&delivered.committed, |family, _| family != "stats");
    truth::compare(delivered.values, &all);
    assert_eq!(delivered.report.tally.dropped.without_change, 0);

    let skipped = filtered(&lists(true)).await;
    let mut some = left(&skipped.committed, |family, _| family != "stats");
    let emptied: [&[u8]; 3] = [b"family", b"column", b"garbage"];
    some.retain(|mutation| !emptied.contains(&&*mutation.row_key));
    assert!(some.iter().any(|mutation| mutation.row_key == "empty"));
    truth::compare(skipped.values, &some);
    assert_eq!(skipped.report.tally.dropped.without_change, 3);
}

#[tokio::test]
async fn clusters_are_chosen_by_whole_ids_and_garbage_collection_by_its_own_option() {
    let is_collected = |mutation: &Mutation| mutation.source == Source::GarbageCollection;
    let table: [(Value, Comes); 4] = [
        (
            json!({ "source-cluster-include-list": ["cluster-2"] }),
            |mutation| mutation.cluster() != "cluster-1",
        ),
        (
            json!({ "source-cluster-include-list": ["cluster"] }),
            |mutation| mutation.cluster().is_empty(),
        ),
        (json!({ "include-garbage-collection": false }), |mutation| {
            !mutation.cluster().is_empty()
        }),
        (
            json!({
                "source-cluster-include-list": ["cluster-1", "cluster-2"],
                "include-garbage-collection": false,
            }),
            |mutation| !mutation.cluster().is_empty(),
        ),
    ];
    for (options, passes) in table {
        let filtered = filtered(&options).await;
        assert!(filtered.committed.iter().any(is_collected));
        let mut expected = filtered.committed.clone();
        expected.retain(passes);
        let dropped = (filtered.committed.len() - expected.len()) as u64;
        assert_eq!(
            filtered.report.tally.dropped.by_origin, dropped,
            "{options}"
        );
        truth::compare(filtered.values, &expected);
    }
}

#[tokio::test]
async fn mistakes_are_told_together_each_with_its_path_and_nothing_is_asked() {
    let start = an_hour_ago();
    let sandbox = serve(history(start));
    let mut place = Place::of_table(&sandbox, start);
    place.set("family-include-list", json!(["stats", "(unclosed"]));
    place.set("qualifier-exclude-list", json!(["stats:(?<=a+)b"]));
    let config = json!({ "encoding": "hex" });
    place.set(
        "deserializer",
        json!({ "builtin": "json", "config": config }),
    );
    let ended = process::run(&place.config()).await;
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    for path in [
        "bigtable-change-stream.family-include-list[1]",
        "bigtable-change-stream.qualifier-exclude-list[0]",
        "bigtable-change-stream.deserializer.config.encoding",
    ] {
        assert!(ended.stderr.contains(path), "{path}: {}", ended.stderr);
    }
    assert_eq!(sandbox.stats().calls.len(), 0);
}
