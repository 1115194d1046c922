//! Components of the worlds of rows.

use acequia_decode::rows::RowBatch;
use acequia_host::batch::{Batch, Shape};
use acequia_host::config::Origin;
use acequia_host::guest::Control;
use acequia_host::guest::{CallError, FailureKind, Gap, World};
use serde_json::{Value, json};

use crate::guests::{LIMITS, guest, place, plugins_for};

const READ_AT: &str = "2026-01-31T12:00:00.000000001Z";

/// A row per key, whose first value is the key.
fn batch<'a>(keys: impl IntoIterator<Item = &'a str>) -> Batch {
    let mut batch = RowBatch::default();
    batch.table.push_str("Singers");
    batch.read_timestamp.push_str(READ_AT);
    batch.partition.push_str("Singers/3");
    for (name, type_json, is_key) in [
        ("SingerId", r#"{"code":"INT64"}"#, 1),
        ("Name", r#"{"code":"STRING"}"#, 0),
    ] {
        batch.column_names.push(name.as_bytes());
        batch.column_types.push(type_json.as_bytes());
        batch.column_keys.push(is_key);
    }
    for key in keys {
        batch
            .ids
            .push(format!("{READ_AT}/Singers/{key}").as_bytes());
        batch.keys.push(key.as_bytes());
        batch.cells.push(key.as_bytes());
        batch.cells.push(b"null");
    }
    batch.into()
}

fn builtin(config: Value) -> acequia_host::config::GuestRef {
    place(Origin::Builtin("json".to_owned()), config)
}

#[tokio::test]
async fn the_built_in_json_is_that_of_rows_where_rows_are_read() {
    let plugins = plugins_for(Shape::Rows, LIMITS);
    let mut json = plugins.deserializer(&builtin(json!({}))).await.unwrap();
    assert_eq!(json.about().world, World::RowsDeserializer);
    assert!(json.about().pure);

    let keys = [r#""7""#, r#""8""#];
    let result = json.deserialize_all(&batch(keys)).await.unwrap();
    assert!(result.outputs.keys.iter().eq(keys.map(str::as_bytes)));
    let values: Vec<&[u8]> = result.outputs.values.iter().collect();
    assert_eq!(
        values,
        [
            &br#"{"SingerId":"7","Name":null}"#[..],
            br#"{"SingerId":"8","Name":null}"#,
        ]
    );
}

#[tokio::test]
async fn where_values_hold_ids_follows_from_the_configuration() {
    let plugins = plugins_for(Shape::Rows, LIMITS);
    let plain = plugins.deserializer(&builtin(json!({}))).await.unwrap();
    assert_eq!(plain.about().record_id, None);
    let place = builtin(json!({ "metadata": true }));
    let mut json = plugins.deserializer(&place).await.unwrap();
    let pointer = json.about().record_id.clone().unwrap();

    let result = json.deserialize_all(&batch([r#""7""#])).await.unwrap();
    let value: Value = serde_json::from_slice(result.outputs.values.get(0).unwrap()).unwrap();
    let id = format!("{READ_AT}/Singers/\"7\"");
    assert_eq!(value.pointer(&pointer), Some(&json!(id)));
    assert_eq!(value["_read_timestamp"], READ_AT);
    assert_eq!(value["_partition"], "Singers/3");

    let gap = Gap {
        id: "gap/a/b".to_owned(),
        lost_from: "a".to_owned(),
        resumed_at: "b".to_owned(),
        reason: "retention".to_owned(),
    };
    let outputs = json.control(&Control::Gap(gap)).await.unwrap();
    let value: Value = serde_json::from_slice(outputs.values.get(0).unwrap()).unwrap();
    assert_eq!(value.pointer(&pointer), Some(&json!("gap/a/b")));
}

#[tokio::test]
async fn a_component_of_changes_is_refused_where_rows_are_read() {
    let plugins = plugins_for(Shape::Rows, LIMITS);
    let Err(error) = plugins.any(&guest("shapes", json!({}))).await else {
        panic!("it loads")
    };
    assert_eq!(
        error.to_string(),
        "it is a Spanner deserializer, and here rows are read"
    );
    let place = builtin(json!({}));
    let changes = plugins_for(Shape::Spanner, LIMITS);
    let mut json = changes.deserializer(&place).await.unwrap();
    let error = json.deserialize(&batch([r#""7""#])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "a component for change records of Spanner was given rows"
    );
}

#[tokio::test]
async fn a_record_filter_answers_for_every_row() {
    let plugins = plugins_for(Shape::Rows, LIMITS);
    let place = guest("keep-even-rows", json!({}));
    let mut filter = plugins.record_filter(&place).await.unwrap();
    let rows = batch([r#""1""#, r#""2""#, r#""4""#]);
    assert_eq!(filter.keep(&rows).await.unwrap(), [false, true, true]);
    let error = filter.keep(&batch([r#""2""#, r#""x""#])).await.unwrap_err();
    assert!(matches!(error, CallError::Refused(_)), "{error}");
}

#[tokio::test]
async fn a_row_at_fault_is_found_and_the_others_pass() {
    let plugins = plugins_for(Shape::Rows, LIMITS);
    let place = guest("hostile-rows", json!({}));
    let mut hostile = plugins.deserializer(&place).await.unwrap();
    let rows = [r#""a""#, r#""trap""#, r#""long""#, r#""b""#];
    let result = hostile.deserialize_all(&batch(rows)).await.unwrap();
    assert_eq!(result.source, [0, 3]);
    let failed: Vec<_> = result
        .failures
        .iter()
        .map(|one| (one.record, one.kind))
        .collect();
    assert_eq!(failed, [(1, FailureKind::Trap), (2, FailureKind::Answer)]);
    assert!(result.outputs.keys.iter().eq([&br#""a""#[..], br#""b""#]));
}
