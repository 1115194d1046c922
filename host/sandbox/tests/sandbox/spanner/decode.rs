//! The slow and obvious reading of result sets: merge chunks, name struct fields by the metadata,
//! and turn every record into the same JSON.

use base64::{Engine, prelude::BASE64_STANDARD};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ChangeStreamRecord, PartialResultSet, Type, TypeCode,
    change_stream_record::{Record as Proto, data_change_record::ModValue},
    struct_type::Field,
};
use prost::Message;
use prost_types::{ListValue, Value, value::Kind};
use serde_json::{Map, Value as Json, json};

/// A record: its kind and its fields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) kind: String,
    pub(crate) fields: Json,
}

impl Record {
    pub(crate) fn text(&self, field: &str) -> &str {
        self.fields[field].as_str().unwrap()
    }

    pub(crate) fn at(&self, field: &str) -> jiff::Timestamp {
        self.text(field).parse().unwrap()
    }
}

pub(crate) fn records(frames: &[PartialResultSet]) -> Vec<Record> {
    let metadata = frames.iter().find_map(|frame| frame.metadata.clone());
    let Some(metadata) = metadata else {
        return Vec::new();
    };
    let column = metadata.row_type.unwrap().fields.remove(0);
    let r#type = column.r#type.unwrap();
    values(frames)
        .into_iter()
        .flat_map(|value| row(value, &r#type))
        .collect()
}

/// The values of all frames with chunks merged.
pub(crate) fn values(frames: &[PartialResultSet]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut chunked = false;
    for frame in frames {
        let mut new = frame.values.iter().cloned();
        if chunked {
            let merged = merge(values.pop().unwrap(), new.next().expect("a chunk goes on"));
            values.push(merged);
        }
        values.extend(new);
        chunked = frame.chunked_value;
    }
    assert!(!chunked, "the last chunk is there");
    values
}

fn merge(left: Value, right: Value) -> Value {
    let kind = match (left.kind.unwrap(), right.kind.unwrap()) {
        (Kind::StringValue(left), Kind::StringValue(right)) => Kind::StringValue(left + &right),
        (Kind::ListValue(mut left), Kind::ListValue(right)) => {
            let mut right = right.values.into_iter().peekable();
            let goes_on = matches!(
                (
                    left.values.last().and_then(|v| v.kind.as_ref()),
                    right.peek().and_then(|v| v.kind.as_ref())
                ),
                (Some(Kind::StringValue(_)), Some(Kind::StringValue(_)))
                    | (Some(Kind::ListValue(_)), Some(Kind::ListValue(_)))
            );
            if goes_on {
                let merged = merge(left.values.pop().unwrap(), right.next().unwrap());
                left.values.push(merged);
            }
            left.values.extend(right);
            Kind::ListValue(left)
        }
        (left, right) => panic!("{left:?} and {right:?} are never chunked"),
    };
    Value { kind: Some(kind) }
}

fn row(value: Value, r#type: &Type) -> Vec<Record> {
    match r#type.code() {
        TypeCode::Array => {
            let Json::Array(envelopes) = named(&value, r#type) else {
                panic!("an array")
            };
            assert_eq!(envelopes.len(), 1, "one envelope in a row");
            envelopes.into_iter().flat_map(envelope).collect()
        }
        TypeCode::Json => {
            let record: Json = serde_json::from_str(&string(&value)).unwrap();
            let Json::Object(members) = record else {
                panic!("an object")
            };
            members
                .into_iter()
                .map(|(kind, fields)| Record { kind, fields })
                .collect()
        }
        TypeCode::Proto | TypeCode::Bytes => vec![proto(&string(&value))],
        other => panic!("{other:?} is not a change record"),
    }
}

fn envelope(envelope: Json) -> Vec<Record> {
    let Json::Object(members) = envelope else {
        panic!("a struct")
    };
    let arrays = members
        .into_iter()
        .filter(|(name, _)| name.ends_with("_record"));
    let of_array = |(kind, array): (String, Json)| {
        let elements = array.as_array().cloned().unwrap_or_default();
        elements.into_iter().map(move |fields| Record {
            kind: kind.clone(),
            fields,
        })
    };
    arrays.flat_map(of_array).collect()
}

fn named(value: &Value, r#type: &Type) -> Json {
    let list = |value: &Value| match &value.kind {
        Some(Kind::ListValue(ListValue { values })) => values.clone(),
        other => panic!("a list, not {other:?}"),
    };
    match (&value.kind, r#type.code()) {
        (Some(Kind::NullValue(_)), _) => Json::Null,
        (_, TypeCode::Array) => {
            let element = r#type.array_element_type.as_deref().unwrap();
            list(value)
                .iter()
                .map(|value| named(value, element))
                .collect()
        }
        (_, TypeCode::Struct) => {
            let fields = &r#type.struct_type.as_ref().unwrap().fields;
            let values = list(value);
            assert_eq!(fields.len(), values.len(), "a value for every field");
            let member = |(field, value): (&Field, &Value)| {
                (
                    field.name.clone(),
                    named(value, field.r#type.as_ref().unwrap()),
                )
            };
            Json::Object(
                fields
                    .iter()
                    .zip(&values)
                    .map(member)
                    .collect::<Map<_, _>>(),
            )
        }
        (_, TypeCode::Json) => serde_json::from_str(&string(value)).unwrap(),
        (_, TypeCode::Int64) => json!(string(value).parse::<i64>().unwrap()),
        (Some(Kind::BoolValue(value)), TypeCode::Bool) => json!(value),
        (Some(Kind::StringValue(value)), _) => json!(value),
        (other, code) => panic!("{other:?} is not a {code:?}"),
    }
}

fn string(value: &Value) -> String {
    match &value.kind {
        Some(Kind::StringValue(text)) => text.clone(),
        other => panic!("a string, not {other:?}"),
    }
}

fn proto(base64: &str) -> Record {
    let bytes = BASE64_STANDARD.decode(base64).unwrap();
    let record = ChangeStreamRecord::decode(bytes.as_slice())
        .unwrap()
        .record
        .unwrap();
    let instant = |t: Option<prost_types::Timestamp>| {
        let t = t.unwrap();
        let instant = jiff::Timestamp::new(t.seconds, t.nanos).unwrap();
        acequia_sandbox::rfc3339(instant)
    };
    let (kind, fields) = match record {
        Proto::DataChangeRecord(r) => {
            let name = |index: i32| {
                r.column_metadata[usize::try_from(index).unwrap()]
                    .name
                    .clone()
            };
            let mods = r.mods.iter().map(|m| {
                let cells = |cells: &[ModValue]| {
                    let cell = |c: &ModValue| {
                        (name(c.column_metadata_index), plain(c.value.as_ref().unwrap()))
                    };
                    Json::Object(cells.iter().map(cell).collect())
                };
                json!({ "keys": cells(&m.keys), "new_values": cells(&m.new_values), "old_values": cells(&m.old_values) })
            });
            let fields = json!({
                "commit_timestamp": instant(r.commit_timestamp),
                "record_sequence": r.record_sequence,
                "server_transaction_id": r.server_transaction_id,
                "table_name": r.table,
                "mods": mods.collect::<Vec<_>>(),
                "mod_type": r.mod_type().as_str_name(),
            });
            ("data_change_record", fields)
        }
        Proto::HeartbeatRecord(r) => (
            "heartbeat_record",
            json!({ "timestamp": instant(r.timestamp) }),
        ),
        Proto::PartitionStartRecord(r) => (
            "partition_start_record",
            json!({ "start_timestamp": instant(r.start_timestamp), "partition_tokens": r.partition_tokens }),
        ),
        Proto::PartitionEndRecord(r) => (
            "partition_end_record",
            json!({ "end_timestamp": instant(r.end_timestamp), "partition_token": r.partition_token }),
        ),
        Proto::PartitionEventRecord(r) => (
            "partition_event_record",
            json!({
                "commit_timestamp": instant(r.commit_timestamp),
                "record_sequence": r.record_sequence,
                "move_in": r.move_in_events.iter().map(|e| &e.source_partition_token).collect::<Vec<_>>(),
                "move_out": r.move_out_events.iter().map(|e| &e.destination_partition_token).collect::<Vec<_>>(),
            }),
        ),
    };
    Record {
        kind: kind.to_owned(),
        fields,
    }
}

fn plain(value: &Value) -> Json {
    match value.kind.as_ref().unwrap() {
        Kind::NullValue(_) => Json::Null,
        Kind::NumberValue(number) => json!(number),
        Kind::StringValue(text) => json!(text),
        Kind::BoolValue(flag) => json!(flag),
        Kind::ListValue(list) => list.values.iter().map(plain).collect(),
        Kind::StructValue(_) => panic!("change records hold no structs"),
    }
}
