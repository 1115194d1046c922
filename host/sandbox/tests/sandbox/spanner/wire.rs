//! Layouts of the same records on the wire: whatever the layout, the records are the same.

use acequia_sandbox::spanner::{
    Dialect, History, Mode, Sandbox, Script, Wire,
    history::{RowChange, Size, shop},
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;
use prost_types::{Value, value::Kind};
use serde_json::json;

use super::{
    client::{Client, ask, at, script},
    decode::{Record, records},
};

async fn frames(history: &History, dialect: Dialect, wire: Wire) -> Vec<PartialResultSet> {
    let script = Script {
        dialect,
        wire,
        ..script(history.clone())
    };
    let sandbox = Sandbox::start(script).unwrap();
    let client = Client::connect(&sandbox, dialect, Mode::Immutable).await;
    let token = history.partitions().keys().next().unwrap();
    client
        .frames(&ask(Some(token), history.created()).until(at(3000.0)))
        .await
}

/// A busy first partition with some rows of about 20 kB.
fn busy() -> History {
    let size = Size {
        splits: 0,
        merges: 0,
        moves: 0,
        partitions_first: 1,
        large_row_bytes: Some(20_000),
        ..Size::small(at(0.0))
    };
    History::random(7, &size)
}

fn nulls_and_unknown_removed(mut records: Vec<Record>) -> Vec<Record> {
    for record in &mut records {
        record
            .fields
            .as_object_mut()
            .unwrap()
            .remove("unfamiliar_field");
        for list in ["column_types", "mods", "child_partitions"] {
            for each in record
                .fields
                .get_mut(list)
                .and_then(|l| l.as_array_mut())
                .into_iter()
                .flatten()
            {
                each.as_object_mut().unwrap().remove("unfamiliar_field");
            }
        }
    }
    records
}

#[tokio::test]
async fn every_layout_carries_the_same_records() {
    let history = busy();
    for dialect in [Dialect::GoogleSql, Dialect::Postgres] {
        let plain = records(&frames(&history, dialect, Wire::default()).await);
        assert!(plain.len() > 100);
        let layouts = [
            Wire {
                rows_per_frame: 7,
                ..Wire::default()
            },
            Wire {
                chunk_bytes: Some(64),
                ..Wire::default()
            },
            Wire {
                chunk_bytes: Some(1000),
                rows_per_frame: 5,
                empty_frame_every: Some(3),
                ..Wire::default()
            },
            Wire {
                metadata_every: Some(2),
                resume_tokens: true,
                chunk_bytes: Some(300),
                ..Wire::default()
            },
            Wire {
                unfamiliar_fields: true,
                null_for_empty: true,
                ..Wire::default()
            },
        ];
        for wire in layouts {
            let read = records(&frames(&history, dialect, wire.clone()).await);
            assert_eq!(
                nulls_and_unknown_removed(read),
                plain,
                "{dialect:?} {wire:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_frame_holds_as_many_rows_as_asked() {
    let history = busy();
    let plain = frames(&history, Dialect::GoogleSql, Wire::default()).await;
    assert!(plain.iter().all(|frame| frame.values.len() == 1));
    let seven = frames(
        &history,
        Dialect::GoogleSql,
        Wire {
            rows_per_frame: 7,
            ..Wire::default()
        },
    )
    .await;
    let (last, full) = seven.split_last().unwrap();
    assert!(full.iter().all(|frame| frame.values.len() == 7) && last.values.len() <= 7);
    assert_eq!(seven.len(), plain.len().div_ceil(7));
}

#[tokio::test]
async fn metadata_comes_first_and_again_only_when_asked() {
    let history = busy();
    let plain = frames(&history, Dialect::GoogleSql, Wire::default()).await;
    assert!(plain[0].metadata.is_some());
    assert!(plain[1..].iter().all(|frame| frame.metadata.is_none()));
    let again = Wire {
        metadata_every: Some(3),
        ..Wire::default()
    };
    let again = frames(&history, Dialect::GoogleSql, again).await;
    for (index, frame) in again.iter().enumerate() {
        assert_eq!(frame.metadata.is_some(), index % 3 == 0);
    }
}

#[tokio::test]
async fn a_large_value_is_chunked_down_to_the_string_seven_lists_deep() {
    let wire = Wire {
        chunk_bytes: Some(1000),
        resume_tokens: true,
        ..Wire::default()
    };
    let secret = "x".repeat(5000);
    let row = json!({"CustomerId": "1", "OrderId": "1", "Secret": secret});
    let history = History::starting_at(at(0.0)).partition("a");
    let history = history.commit(at(1.0), "a", [RowChange::insert(&shop::orders(), row)]);
    let frames = frames(&history.build().unwrap(), Dialect::GoogleSql, wire).await;
    let chunked = frames.iter().filter(|frame| frame.chunked_value);
    assert!(chunked.clone().count() >= 5);
    assert!(
        chunked.clone().all(|frame| !frame.resume_token.is_empty()),
        "tokens amid a value"
    );
    assert!(
        chunked.skip(1).any(|frame| depth(&frame.values[0]) == 6),
        "list of structs of lists"
    );
    assert_eq!(
        records(&frames)[0].fields["mods"][0]["new_values"]["Secret"],
        secret
    );
}

/// How many lists enclose the first string.
fn depth(value: &Value) -> usize {
    match &value.kind {
        Some(Kind::ListValue(list)) => list.values.first().map_or(0, |first| 1 + depth(first)),
        _ => 0,
    }
}

#[tokio::test]
async fn messages_without_values_come_where_asked_and_never_amid_a_value() {
    let wire = Wire {
        empty_frame_every: Some(2),
        chunk_bytes: Some(500),
        ..Wire::default()
    };
    let frames = frames(&busy(), Dialect::GoogleSql, wire).await;
    let empty = frames
        .iter()
        .filter(|frame| frame.values.is_empty())
        .count();
    assert!(empty > 10);
    for pair in frames.windows(2) {
        assert!(!pair[0].chunked_value || !pair[1].values.is_empty());
    }
}

#[tokio::test]
async fn first_partitions_can_have_a_null_parent() {
    for dialect in [Dialect::GoogleSql, Dialect::Postgres] {
        let wire = Wire {
            null_root_parents: true,
            ..Wire::default()
        };
        let script = Script {
            dialect,
            wire,
            ..script(busy())
        };
        let sandbox = Sandbox::start(script).unwrap();
        let client = Client::connect(&sandbox, dialect, Mode::Immutable).await;
        let records = client.read(&ask(None, at(0.0))).await;
        assert_eq!(
            records[0].fields["child_partitions"][0]["parent_partition_tokens"],
            json!([null])
        );
    }
}

#[tokio::test]
async fn values_stay_as_spanner_encodes_them() {
    let row = json!({
        "CustomerId": "9007199254740993", "OrderId": "-1", "Total": "99999999999999999999999999999.999999999",
        "Tags": ["a", null, ""], "Note": r#"{"a":[1,"\"\\"]}"#, "Rating": "-Infinity", "Photo": "AAECAw==",
    });
    let history = History::starting_at(at(0.0)).partition("a");
    let history = history.commit(
        at(1.0),
        "a",
        [RowChange::insert(&shop::orders(), row.clone())],
    );
    let history = history.build().unwrap();
    for dialect in [Dialect::GoogleSql, Dialect::Postgres] {
        let records = records(&frames(&history, dialect, Wire::default()).await);
        let changed = &records[0].fields["mods"][0];
        let mut all = changed["keys"].as_object().unwrap().clone();
        all.extend(changed["new_values"].as_object().unwrap().clone());
        assert_eq!(serde_json::Value::Object(all), row);
    }
}
