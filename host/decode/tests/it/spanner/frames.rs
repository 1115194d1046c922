//! Values, types and frames of the generated types, written short.

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, StructType, Type, TypeCode, struct_type::Field,
};
use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{ListValue, Value};

pub(crate) fn value(kind: Kind) -> Value {
    Value { kind: Some(kind) }
}

pub(crate) fn null() -> Value {
    value(Kind::NullValue(0))
}

pub(crate) fn text(text: impl Into<String>) -> Value {
    value(Kind::StringValue(text.into()))
}

pub(crate) fn flag(flag: bool) -> Value {
    value(Kind::BoolValue(flag))
}

pub(crate) fn number(number: f64) -> Value {
    value(Kind::NumberValue(number))
}

pub(crate) fn list(values: impl IntoIterator<Item = Value>) -> Value {
    let values = values.into_iter().collect();
    value(Kind::ListValue(ListValue { values }))
}

pub(crate) fn of(code: TypeCode) -> Type {
    Type {
        code: code.into(),
        ..Type::default()
    }
}

pub(crate) fn array(element: Type) -> Type {
    Type {
        array_element_type: Some(Box::new(element)),
        ..of(TypeCode::Array)
    }
}

/// An array of structs.
pub(crate) fn structs<'a>(fields: impl IntoIterator<Item = (&'a str, Type)>) -> Type {
    array(Type {
        struct_type: Some(struct_type(fields)),
        ..of(TypeCode::Struct)
    })
}

pub(crate) fn struct_type<'a>(fields: impl IntoIterator<Item = (&'a str, Type)>) -> StructType {
    let field = |(name, of): (&str, Type)| Field {
        name: name.to_owned(),
        r#type: Some(of),
    };
    StructType {
        fields: fields.into_iter().map(field).collect(),
    }
}

pub(crate) fn metadata(column: Type) -> ResultSetMetadata {
    ResultSetMetadata {
        row_type: Some(struct_type([("ChangeRecord", column)])),
        ..ResultSetMetadata::default()
    }
}

/// The row type that the emulator sends for a GoogleSQL stream.
pub(crate) fn google_sql_type() -> Type {
    use TypeCode::{Bool, Int64, Json, String, Timestamp};
    let column_types = structs([
        ("name", of(String)),
        ("type", of(Json)),
        ("is_primary_key", of(Bool)),
        ("ordinal_position", of(Int64)),
    ]);
    let mods = structs([
        ("keys", of(Json)),
        ("new_values", of(Json)),
        ("old_values", of(Json)),
    ]);
    let data = structs([
        ("commit_timestamp", of(Timestamp)),
        ("record_sequence", of(String)),
        ("server_transaction_id", of(String)),
        ("is_last_record_in_transaction_in_partition", of(Bool)),
        ("table_name", of(String)),
        ("column_types", column_types),
        ("mods", mods),
        ("mod_type", of(String)),
        ("value_capture_type", of(String)),
        ("number_of_records_in_transaction", of(Int64)),
        ("number_of_partitions_in_transaction", of(Int64)),
        ("transaction_tag", of(String)),
        ("is_system_transaction", of(Bool)),
    ]);
    let child = structs([
        ("token", of(String)),
        ("parent_partition_tokens", array(of(String))),
    ]);
    let children = structs([
        ("start_timestamp", of(Timestamp)),
        ("record_sequence", of(String)),
        ("child_partitions", child),
    ]);
    structs([
        ("data_change_record", data),
        ("heartbeat_record", structs([("timestamp", of(Timestamp))])),
        ("child_partitions_record", children),
    ])
}

pub(crate) fn encode(frame: &PartialResultSet) -> Bytes {
    Bytes::from(frame.encode_to_vec())
}

/// One frame with these rows and the metadata of a column of this type.
pub(crate) fn frame(column: Type, values: impl IntoIterator<Item = Value>) -> PartialResultSet {
    PartialResultSet {
        metadata: Some(metadata(column)),
        values: values.into_iter().collect(),
        ..PartialResultSet::default()
    }
}

/// A GoogleSQL row: one change record with these data, heartbeat and child partitions records.
pub(crate) fn envelope(data: Vec<Value>, heartbeats: Vec<Value>, children: Vec<Value>) -> Value {
    list([list([list(data), list(heartbeats), list(children)])])
}

/// A data change record of a table `T` with the key `k` and the columns `a` and `b`.
pub(crate) fn data(mods: impl IntoIterator<Item = Value>) -> Value {
    let column = |name: &str, code: &str, is_key, ordinal: &str| {
        let of = format!("{{\"code\":\"{code}\"}}");
        list([text(name), text(of), flag(is_key), text(ordinal)])
    };
    list([
        text("2026-11-30T20:41:00.5Z"),
        text("00000001"),
        text("txn"),
        flag(true),
        text("T"),
        list([
            column("k", "INT64", true, "1"),
            column("a", "STRING", false, "2"),
            column("b", "BOOL", false, "3"),
        ]),
        list(mods),
        text("UPDATE"),
        text("OLD_AND_NEW_VALUES"),
        text("2"),
        text("1"),
        text("tag"),
        flag(false),
    ])
}

/// A modification by its three JSON texts.
pub(crate) fn modification(keys: &str, new_values: &str, old_values: &str) -> Value {
    list([text(keys), text(new_values), text(old_values)])
}
