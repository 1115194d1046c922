//! A record of a stream with mutable key ranges: a `google.spanner.v1.ChangeStreamRecord` in base64.
//!
//! Source: `google/spanner/v1/change_stream.proto`.

use base64::{Engine, prelude::BASE64_STANDARD};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ChangeStreamRecord, StructType, Type, TypeAnnotationCode, TypeCode,
    change_stream_record::{
        DataChangeRecord, HeartbeatRecord, PartitionEndRecord, PartitionEventRecord,
        PartitionStartRecord, Record,
        data_change_record::{
            ColumnMetadata, Mod as ProtoMod, ModType as ProtoModType, ModValue, ValueCaptureType,
        },
        partition_event_record::{MoveInEvent, MoveOutEvent},
    },
    struct_type::Field,
};
use jiff::Timestamp;
use prost::Message;
use prost_types::Value;
use serde_json::Value as Json;

use super::{
    build::{list, null, text, truth},
    schema::annotated,
};
use crate::spanner::{
    history::{Column, DataChange, Entry, Mod, Row},
    script::Dialect,
};

/// What an enum's unknown name becomes on the wire: a number that no release of the proto uses.
const UNKNOWN: i32 = 9_999;

/// The value of the one column.
pub(super) fn value(entry: &Entry, dialect: Dialect) -> Value {
    let record = ChangeStreamRecord {
        record: record(entry, dialect),
    };
    text(BASE64_STANDARD.encode(record.encode_to_vec()))
}

fn record(entry: &Entry, dialect: Dialect) -> Option<Record> {
    Some(match entry {
        Entry::Change(record) => Record::DataChangeRecord(change(record, dialect)),
        Entry::Heartbeat(at) => Record::HeartbeatRecord(HeartbeatRecord {
            timestamp: instant(*at),
        }),
        Entry::PartitionStart {
            start,
            sequence,
            tokens,
        } => Record::PartitionStartRecord(PartitionStartRecord {
            start_timestamp: instant(*start),
            record_sequence: sequence.clone(),
            partition_tokens: tokens.clone(),
        }),
        Entry::PartitionEnd {
            end,
            sequence,
            token,
        } => Record::PartitionEndRecord(PartitionEndRecord {
            end_timestamp: instant(*end),
            record_sequence: sequence.clone(),
            partition_token: token.clone(),
        }),
        Entry::PartitionEvent {
            commit,
            sequence,
            token,
            move_in,
            move_out,
        } => {
            let source = |token: &String| MoveInEvent {
                source_partition_token: token.clone(),
            };
            let target = |token: &String| MoveOutEvent {
                destination_partition_token: token.clone(),
            };
            Record::PartitionEventRecord(PartitionEventRecord {
                commit_timestamp: instant(*commit),
                record_sequence: sequence.clone(),
                partition_token: token.clone(),
                move_in_events: move_in.iter().map(source).collect(),
                move_out_events: move_out.iter().map(target).collect(),
            })
        }
        // A stream with mutable key ranges has no such record; the script is checked for it.
        Entry::Children { .. } => return None,
    })
}

fn change(record: &DataChange, dialect: Dialect) -> DataChangeRecord {
    let mod_type = ProtoModType::from_str_name(record.mod_type.as_str());
    let capture = ValueCaptureType::from_str_name(record.value_capture_type.as_str());
    DataChangeRecord {
        commit_timestamp: instant(record.commit_timestamp),
        record_sequence: record.record_sequence.clone(),
        server_transaction_id: record.server_transaction_id.clone(),
        is_last_record_in_transaction_in_partition: record
            .is_last_record_in_transaction_in_partition,
        table: record.table_name.clone(),
        column_metadata: record
            .column_types
            .iter()
            .map(|each| column(each, dialect))
            .collect(),
        mods: record
            .mods
            .iter()
            .map(|row| self::row(row, &record.column_types))
            .collect(),
        mod_type: mod_type.map_or(UNKNOWN, Into::into),
        value_capture_type: capture.map_or(UNKNOWN, Into::into),
        number_of_records_in_transaction: narrow(record.number_of_records_in_transaction),
        number_of_partitions_in_transaction: narrow(record.number_of_partitions_in_transaction),
        transaction_tag: record.transaction_tag.clone(),
        is_system_transaction: record.is_system_transaction,
    }
}

fn column(column: &Column, dialect: Dialect) -> ColumnMetadata {
    ColumnMetadata {
        name: column.name.clone(),
        r#type: Some(r#type(&annotated(&column.r#type, dialect))),
        is_primary_key: column.is_primary_key,
        ordinal_position: column.ordinal_position,
    }
}

/// The message that a type's JSON form stands for.
pub(crate) fn r#type(json: &Json) -> Type {
    let name = |member: &str| json.get(member).and_then(Json::as_str);
    let code = name("code").and_then(TypeCode::from_str_name);
    let annotation = name("type_annotation").and_then(TypeAnnotationCode::from_str_name);
    let element = json
        .get("array_element_type")
        .map(|element| Box::new(r#type(element)));
    let fields = json.pointer("/struct_type/fields").and_then(Json::as_array);
    Type {
        code: code.map_or(UNKNOWN, Into::into),
        array_element_type: element,
        struct_type: fields.map(|fields| StructType {
            fields: fields.iter().map(field).collect(),
        }),
        type_annotation: annotation.map_or(0, Into::into),
        proto_type_fqn: name("proto_type_fqn").unwrap_or_default().to_owned(),
    }
}

fn field(json: &Json) -> Field {
    let name = json.get("name").and_then(Json::as_str).unwrap_or_default();
    Field {
        name: name.to_owned(),
        r#type: json.get("type").map(r#type),
    }
}

fn row(row: &Mod, columns: &[Column]) -> ProtoMod {
    let optional = |values: &Option<Row>| {
        values
            .as_ref()
            .map(|values| self::values(values, columns))
            .unwrap_or_default()
    };
    ProtoMod {
        keys: values(&row.keys, columns),
        old_values: optional(&row.old_values),
        new_values: optional(&row.new_values),
    }
}

fn values(row: &Row, columns: &[Column]) -> Vec<ModValue> {
    let cells = columns
        .iter()
        .zip(0..)
        .filter_map(|(column, column_metadata_index)| {
            let value = Some(cell(row.get(&column.name)?));
            Some(ModValue {
                column_metadata_index,
                value,
            })
        });
    cells.collect()
}

fn cell(json: &Json) -> Value {
    match json {
        Json::Null => null(),
        Json::Bool(value) => truth(*value),
        Json::Number(number) => Value {
            kind: Some(prost_types::value::Kind::NumberValue(
                number.as_f64().unwrap_or(f64::NAN),
            )),
        },
        Json::String(value) => text(value),
        Json::Array(values) => list(values.iter().map(cell)),
        Json::Object(_) => text(json.to_string()),
    }
}

fn instant(instant: Timestamp) -> Option<prost_types::Timestamp> {
    let (seconds, nanos) = (instant.as_second(), instant.subsec_nanosecond());
    // Before the epoch both parts are negative here, while the proto wants nanos from zero up.
    let before = nanos < 0;
    let seconds = if before { seconds - 1 } else { seconds };
    let nanos = if before { nanos + 1_000_000_000 } else { nanos };
    Some(prost_types::Timestamp { seconds, nanos })
}

fn narrow(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
