//! Components of the worlds of Bigtable.

use acequia_decode::bigtable::{Entry, FamilyColumns, Mutation, MutationBatch, Names};
use acequia_host::batch::{Batch, Shape};
use acequia_host::config::Origin;
use acequia_host::guest::Control;
use acequia_host::guest::{CallError, FailureKind, Gap, LoadError, OriginError, World};
use serde_json::{Value, json};

use crate::batches::batch as changes;
use crate::guests::{LIMITS, guest, place, plugins, plugins_for};

/// One mutation per row key, which sets a cell to it.
fn batch<'a>(row_keys: impl IntoIterator<Item = &'a [u8]>) -> Batch {
    let mut batch = MutationBatch::of_table("orders");
    for row_key in row_keys {
        let mutation = Mutation {
            row_key,
            source_cluster_id: Some("c1"),
            commit: "2026-05-08T12:00:00.123456Z".parse().unwrap(),
            tie_breaker: 7,
            low_watermark: "2026-05-08T11:59:58Z".parse().unwrap(),
        };
        let cell = Entry::SetCell {
            family: "state",
            qualifier: b"q",
            timestamp_micros: 1_000,
            value: row_key,
        };
        batch.push(&mutation, [cell]).unwrap();
    }
    batch.into()
}

fn builtin(config: Value) -> acequia_host::config::GuestRef {
    place(Origin::Builtin("json".to_owned()), config)
}

#[tokio::test]
async fn the_built_in_json_is_that_of_bigtable_where_bigtable_is_read() {
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let mut json = plugins.deserializer(&builtin(json!({}))).await.unwrap();
    assert_eq!(json.about().world, World::BigtableDeserializer);
    assert_eq!(json.about().record_id.as_deref(), Some("/id"));
    assert!(json.about().pure);

    let row_keys = [&b"order#7"[..], b"\xfb\xff\x00"];
    let result = json.deserialize_all(&batch(row_keys)).await.unwrap();
    let keys: Vec<&[u8]> = result.outputs.keys.iter().collect();
    assert_eq!(keys, row_keys);
    let value: Value = serde_json::from_slice(result.outputs.values.get(1).unwrap()).unwrap();
    assert_eq!(
        value,
        json!({
            "id": "2026-05-08T12:00:00.123456Z/7/c1/+/8A",
            "table": "orders",
            "row_key": "+/8A",
            "mutation_type": "user",
            "source_cluster_id": "c1",
            "commit_timestamp": "2026-05-08T12:00:00.123456Z",
            "tie_breaker": 7,
            "estimated_low_watermark": "2026-05-08T11:59:58.000000Z",
            "entries": [{
                "kind": "set_cell", "family": "state", "qualifier": "cQ==",
                "timestamp_micros": 1_000, "value": "+/8A",
            }],
        })
    );
}

#[tokio::test]
async fn a_gap_of_bigtable_becomes_an_output() {
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let mut json = plugins.deserializer(&builtin(json!({}))).await.unwrap();
    let gap = Gap {
        id: "gap/a/b".to_owned(),
        lost_from: "a".to_owned(),
        resumed_at: "b".to_owned(),
        reason: "retention".to_owned(),
    };
    let outputs = json.control(&Control::Gap(gap)).await.unwrap();
    let value: Value = serde_json::from_slice(outputs.values.get(0).unwrap()).unwrap();
    assert_eq!(value["control"], "gap");
}

#[tokio::test]
async fn a_component_of_one_shape_is_refused_where_the_other_is_read() {
    let shapes = guest("shapes", json!({}));
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let Err(error) = plugins.deserializer(&shapes).await else {
        panic!("it loads")
    };
    assert_eq!(
        error.to_string(),
        "bigtable-deserialize is missing: this component exports plugin and spanner-deserialize, so \
         it is a Spanner deserializer"
    );
    let Err(error) = plugins.any(&shapes).await else {
        panic!("it loads")
    };
    assert!(matches!(error, LoadError::OtherShape { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "it is a Spanner deserializer, and here mutations of Bigtable are read"
    );
    let place = place(Origin::Builtin("jso".to_owned()), json!({}));
    let Err(LoadError::Origin(OriginError::UnknownBuiltin { known, .. })) =
        plugins.any(&place).await
    else {
        panic!("it loads")
    };
    assert_eq!(known, ["json", "names"]);
}

#[tokio::test]
async fn records_of_another_shape_are_an_error_and_the_component_stays() {
    let mut json = plugins(LIMITS)
        .deserializer(&builtin(json!({})))
        .await
        .unwrap();
    let error = json.deserialize(&batch([&b"r"[..]])).await.unwrap_err();
    assert_eq!(
        error,
        CallError::OtherShape {
            takes: Shape::Spanner,
            given: Shape::Bigtable,
        }
    );
    assert!(json.deserialize(&changes(["a"])).await.is_ok());
}

#[tokio::test]
async fn a_record_filter_answers_for_every_mutation() {
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let place = guest("keep-even-mutations", json!({}));
    let mut filter = plugins.record_filter(&place).await.unwrap();
    let rows = [&b"row#1"[..], b"row#2", b"row#\xff", b"row#4"];
    assert_eq!(
        filter
            .keep(&batch([rows[0], rows[1], rows[3]]))
            .await
            .unwrap(),
        [false, true, true]
    );
    let error = filter.keep(&batch(rows)).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
}

#[tokio::test]
async fn a_mutation_at_fault_is_found_and_the_others_pass() {
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let place = guest("hostile-mutations", json!({}));
    let mut hostile = plugins.deserializer(&place).await.unwrap();
    let rows = [&b"a"[..], b"trap", b"long", b"b\xff"];
    let result = hostile.deserialize_all(&batch(rows)).await.unwrap();
    assert_eq!(result.source, [0, 3]);
    let failed: Vec<_> = result
        .failures
        .iter()
        .map(|one| (one.record, one.kind))
        .collect();
    assert_eq!(failed, [(1, FailureKind::Trap), (2, FailureKind::Answer)]);
    let keys: Vec<&[u8]> = result.outputs.keys.iter().collect();
    assert_eq!(keys, [&b"a"[..], b"b\xff"]);
}

#[tokio::test]
async fn a_names_filter_plans_families_and_qualifiers() {
    let lists = json!({
        "family-exclude-list": ["hidden"],
        // Source: RFC 4648, section 4: 0xff 0xef is /+8=.
        "qualifier-exclude-list": ["state:/\\+8=", "state:"],
    });
    let place = place(Origin::Builtin("names".to_owned()), lists);
    let plugins = plugins_for(Shape::Bigtable, LIMITS);
    let mut filter = plugins.names_filter(&place).await.unwrap();
    let names = Names {
        families: vec!["state".to_owned(), "hidden".to_owned()],
        columns: vec![FamilyColumns {
            family: "state".to_owned(),
            qualifiers: vec![b"\xff\xef".to_vec(), Vec::new(), b"q".to_vec()],
        }],
    };
    // The second time the answers are the kept ones.
    for _ in 0..2 {
        let plan = filter.plan_names(&names).await.unwrap();
        assert_eq!(plan.families, [true, false]);
        assert_eq!(plan.columns, [vec![false, false, true]]);
    }
}
