//! Well-behaved deserializers whose outputs are not one for one, and the built-in one.

use acequia_decode::Blobs;
use acequia_host::config::Origin;
use acequia_host::guest::Control;
use acequia_host::guest::{FailureKind, Gap, World};
use serde_json::{Value, json};

use crate::batches::{batch, id};
use crate::guests::{LIMITS, guest, place, plugins};

fn texts(column: &Blobs) -> Vec<String> {
    column
        .iter()
        .map(|text| String::from_utf8(text.to_vec()).unwrap())
        .collect()
}

#[tokio::test]
async fn a_record_may_give_no_output() {
    let place = guest("shapes", json!({ "mode": "drop-all" }));
    let mut shapes = plugins(LIMITS).deserializer(&place).await.unwrap();
    let result = shapes.deserialize_all(&batch(["a", "b"])).await.unwrap();
    assert!(result.source.is_empty() && result.failures.is_empty());
}

#[tokio::test]
async fn a_record_may_give_several_outputs_to_several_topics() {
    let place = guest("shapes", json!({ "mode": "fan-out" }));
    let mut shapes = plugins(LIMITS).deserializer(&place).await.unwrap();
    let result = shapes.deserialize_all(&batch(["a", "b"])).await.unwrap();
    assert_eq!(result.source, [0, 0, 0, 1, 1, 1]);
    assert_eq!(
        texts(&result.outputs.topics),
        ["first", "", "third", "first", "", "third"]
    );
    let key = |index| format!("{{\"id\":\"{index}\"}}");
    assert_eq!(
        texts(&result.outputs.keys),
        [key(0), key(0), key(0), key(1), key(1), key(1)]
    );
    assert_eq!(
        texts(&result.outputs.values)[5],
        format!("{{\"id\":\"{}#3\"}}", id(1))
    );
}

#[tokio::test]
async fn a_record_that_fails_is_named() {
    let place = guest("shapes", json!({ "mode": "fail" }));
    let mut shapes = plugins(LIMITS).deserializer(&place).await.unwrap();
    let result = shapes.deserialize_all(&batch(["a", "b"])).await.unwrap();
    let failed: Vec<_> = result
        .failures
        .iter()
        .map(|failure| (failure.record, failure.kind))
        .collect();
    assert_eq!(
        failed,
        [(0, FailureKind::Unsupported), (1, FailureKind::Unsupported)]
    );
    assert_eq!(result.failures[0].message, "fails on purpose");
}

#[tokio::test]
async fn the_built_in_deserializer_is_pure_and_says_where_the_id_is() {
    let place = place(Origin::Builtin("json".to_owned()), json!({}));
    let mut json = plugins(LIMITS).deserializer(&place).await.unwrap();
    let about = json.about();
    assert_eq!(about.world, World::SpannerDeserializer);
    assert_eq!(about.record_id.as_deref(), Some("/id"));
    assert!(about.pure);

    let result = json.deserialize_all(&batch(["a", "b"])).await.unwrap();
    assert_eq!(
        texts(&result.outputs.keys),
        [r#"{"id":"0"}"#, r#"{"id":"1"}"#]
    );
    let value: Value = serde_json::from_slice(result.outputs.values.get(1).unwrap()).unwrap();
    assert_eq!(value["id"], format!("{}/0", id(1)));
    assert_eq!(value["new_values"], json!({ "v": "b" }));
}

#[tokio::test]
async fn a_gap_becomes_an_output_of_the_built_in_deserializer() {
    let place = place(Origin::Builtin("json".to_owned()), json!({}));
    let mut json = plugins(LIMITS).deserializer(&place).await.unwrap();
    let gap = Gap {
        id: "gap/a/b".to_owned(),
        lost_from: "2026-01-01T00:00:00Z".to_owned(),
        resumed_at: "2026-01-02T00:00:00Z".to_owned(),
        reason: "retention".to_owned(),
    };
    let outputs = json.control(&Control::Gap(gap)).await.unwrap();
    let value: Value = serde_json::from_slice(outputs.values.get(0).unwrap()).unwrap();
    assert_eq!(
        value,
        json!({
            "id": "gap/a/b",
            "control": "gap",
            "lost_from": "2026-01-01T00:00:00Z",
            "resumed_at": "2026-01-02T00:00:00Z",
            "reason": "retention",
        })
    );
}
