//! Streams with mutable key ranges.

use acequia_decode::spanner::{Shape, Step};
use acequia_decode::Malformed;
use base64::Engine as _;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::data_change_record::{
    ColumnMetadata, Mod, ModValue,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::partition_event_record::{
    MoveInEvent, MoveOutEvent,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::change_stream_record::{
    DataChangeRecord, HeartbeatRecord, PartitionEndRecord, PartitionEventRecord,
    PartitionStartRecord, Record,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ChangeStreamRecord, StructType, Type, TypeAnnotationCode, TypeCode, struct_type::Field,
};
use jiff::Timestamp;
use prost::Message as _;

use crate::spanner::drive::{Read, read_all};
use crate::spanner::frames::{array, encode, frame, number, of, text};

fn rows(code: TypeCode, rows: &[Vec<u8>]) -> Result<Vec<Read>, Malformed> {
    let engine = base64::engine::general_purpose::STANDARD;
    let rows = rows.iter().map(|row| text(engine.encode(row)));
    read_all(Shape::MutableProto, [encode(&frame(of(code), rows))])
}

fn read(record: Record) -> Result<Vec<Read>, Malformed> {
    let record = Some(record);
    rows(
        TypeCode::Proto,
        &[ChangeStreamRecord { record }.encode_to_vec()],
    )
}

fn at(seconds: i64) -> (Option<prost_types::Timestamp>, Timestamp) {
    let sent = prost_types::Timestamp { seconds, nanos: 5 };
    (Some(sent), Timestamp::new(seconds, 5).unwrap())
}

#[test]
fn partition_records_become_steps() {
    let (sent, at) = at(1_796_071_260);
    let (sequence, token) = (|| "00000001".to_owned(), || "P1".to_owned());
    let records = [
        Record::HeartbeatRecord(HeartbeatRecord { timestamp: sent }),
        Record::PartitionStartRecord(PartitionStartRecord {
            start_timestamp: sent,
            record_sequence: sequence(),
            partition_tokens: vec![token(), "P2".to_owned()],
        }),
        Record::PartitionEventRecord(PartitionEventRecord {
            commit_timestamp: sent,
            record_sequence: sequence(),
            partition_token: token(),
            move_in_events: vec![MoveInEvent {
                source_partition_token: "P2".to_owned(),
            }],
            move_out_events: vec![MoveOutEvent {
                destination_partition_token: "P3".to_owned(),
            }],
        }),
        Record::PartitionEndRecord(PartitionEndRecord {
            end_timestamp: sent,
            record_sequence: sequence(),
            partition_token: token(),
        }),
    ];
    let expected = [
        Step::Heartbeat(at),
        Step::PartitionStart {
            at,
            sequence: sequence(),
            tokens: vec![token(), "P2".to_owned()],
        },
        Step::PartitionEvent {
            at,
            sequence: sequence(),
            token: token(),
            move_in: vec!["P2".to_owned()],
            move_out: vec!["P3".to_owned()],
        },
        Step::PartitionEnd {
            at,
            sequence: sequence(),
            token: token(),
        },
    ];
    let encode = |record: Record| {
        let record = Some(record);
        ChangeStreamRecord { record }.encode_to_vec()
    };
    let records = records.map(encode);
    // PROTO in GoogleSQL and BYTES in PostgreSQL are the same base64.
    for code in [TypeCode::Proto, TypeCode::Bytes] {
        let found = rows(code, &records).unwrap();
        assert_eq!(found, expected.clone().map(Read::Step));
    }
}

fn data(column: Type, values: Vec<ModValue>) -> DataChangeRecord {
    DataChangeRecord {
        commit_timestamp: at(7).0,
        record_sequence: "1".to_owned(),
        server_transaction_id: "txn".to_owned(),
        table: "T".to_owned(),
        column_metadata: vec![ColumnMetadata {
            name: "a\"b".to_owned(),
            r#type: Some(column),
            is_primary_key: false,
            ordinal_position: 3,
        }],
        mods: vec![Mod {
            new_values: values,
            ..Mod::default()
        }],
        mod_type: 77,
        value_capture_type: 40,
        ..DataChangeRecord::default()
    }
}

fn record(data: DataChangeRecord) -> serde_json::Value {
    match read(Record::DataChangeRecord(data)).unwrap().as_slice() {
        [Read::Record(record)] => record.clone(),
        other => panic!("one record, not {other:?}"),
    }
}

fn value(number: f64) -> ModValue {
    ModValue {
        column_metadata_index: 0,
        value: Some(crate::spanner::frames::number(number)),
    }
}

#[test]
fn types_are_written_as_the_other_shapes_send_them() {
    let annotated = Type {
        type_annotation: TypeAnnotationCode::PgNumeric.into(),
        ..of(TypeCode::Numeric)
    };
    let proto = Type {
        proto_type_fqn: "a.B".to_owned(),
        ..of(TypeCode::Proto)
    };
    let members = Type {
        struct_type: Some(StructType {
            fields: vec![Field {
                name: "f".to_owned(),
                r#type: Some(of(TypeCode::Bool)),
            }],
        }),
        ..of(TypeCode::Struct)
    };
    let unknown = Type {
        code: 99,
        ..Type::default()
    };
    for (column, expected) in [
        (of(TypeCode::Int64), r#"{"code":"INT64"}"#),
        (
            array(of(TypeCode::Uuid)),
            r#"{"code":"ARRAY","array_element_type":{"code":"UUID"}}"#,
        ),
        (
            annotated,
            r#"{"code":"NUMERIC","type_annotation":"PG_NUMERIC"}"#,
        ),
        (proto, r#"{"code":"PROTO","proto_type_fqn":"a.B"}"#),
        (
            members,
            r#"{"code":"STRUCT","struct_type":{"fields":[{"name":"f","type":{"code":"BOOL"}}]}}"#,
        ),
        (unknown, r#"{"code":"99"}"#),
    ] {
        let found = record(data(column, vec![]));
        assert_eq!(
            found["columns"][0],
            serde_json::json!(["a\"b", expected, false, 3])
        );
    }
}

#[test]
fn every_type_code_has_the_name_of_the_proto() {
    for number in 0..64 {
        if let Ok(code) = TypeCode::try_from(number) {
            let found = record(data(of(code), vec![]));
            let expected = serde_json::json!({ "code": code.as_str_name() }).to_string();
            assert_eq!(found["columns"][0][1], expected);
        }
    }
}

#[test]
fn names_and_values_become_json() {
    let found = record(data(of(TypeCode::Float64), vec![value(f64::NAN)]));
    let expected = serde_json::json!([r#"{"a\"b":"NaN"}"#, [["a\"b", "\"NaN\""]]]);
    assert_eq!(found["mods"][0]["new"], expected);
    assert_eq!(found["mods"][0]["keys"], serde_json::json!(["{}", []]));
    assert_eq!(found["mod_type"], "77");
    assert_eq!(found["capture"], "NEW_ROW_AND_OLD_VALUES");
    assert_eq!(found["commit"], "1970-01-01T00:00:07.000000005Z");
}

#[test]
fn an_index_past_the_columns_is_malformed() {
    for index in [1, -1, i32::MAX] {
        let mut values = vec![value(1.0)];
        values[0].column_metadata_index = index;
        let data = data(of(TypeCode::Float64), values);
        let error = read(Record::DataChangeRecord(data)).unwrap_err();
        assert_eq!(
            error.path(),
            "data_change_record.mods[0].column_metadata_index"
        );
    }
}

#[test]
fn a_column_twice_in_one_object_is_malformed() {
    let data = data(of(TypeCode::Float64), vec![value(1.0), value(2.0)]);
    let error = read(Record::DataChangeRecord(data)).unwrap_err();
    assert_eq!(error.what(), "each member once");
}

#[test]
fn a_kind_of_record_that_is_not_known_is_malformed() {
    // Field 9 with an empty message.
    let error = rows(TypeCode::Proto, &[vec![0x4a, 0x00]]).unwrap_err();
    assert_eq!(error.what(), "a known kind of record");
}

#[test]
fn what_is_not_base64_is_malformed() {
    for value in [text("*"), number(1.0)] {
        let frames = [encode(&frame(of(TypeCode::Proto), [value]))];
        assert!(read_all(Shape::MutableProto, frames).is_err());
    }
}

#[test]
fn a_time_out_of_range_is_malformed() {
    for (seconds, nanos) in [(i64::MAX, 0), (i64::MIN, 0), (0, -1), (0, 1_000_000_000)] {
        let timestamp = Some(prost_types::Timestamp { seconds, nanos });
        let found = read(Record::HeartbeatRecord(HeartbeatRecord { timestamp }));
        assert!(found.is_err(), "{seconds} {nanos}");
    }
}
