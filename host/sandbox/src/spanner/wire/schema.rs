//! The metadata of change-stream results.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    ResultSetMetadata, StructType, Type, TypeAnnotationCode, TypeCode, struct_type::Field,
};

use serde_json::{Value as Json, json};

use crate::spanner::script::{Dialect, Wire};

/// The name of the field that readers have not met.
pub(super) const UNFAMILIAR: &str = "unfamiliar_field";

/// `ChangeRecord ARRAY<STRUCT<..>>`.
///
/// Source: <https://cloud.google.com/spanner/docs/change-streams/details>, GoogleSQL records; field
/// order as in Cloud Spanner emulator `common/constants.h`.
pub(super) fn googlesql(wire: &Wire) -> ResultSetMetadata {
    let structure = |fields: Vec<Field>| structure(fields, wire);
    let column = structure(vec![
        field("name", scalar(TypeCode::String)),
        field("type", scalar(TypeCode::Json)),
        field("is_primary_key", scalar(TypeCode::Bool)),
        field("ordinal_position", scalar(TypeCode::Int64)),
    ]);
    let row = structure(vec![
        field("keys", scalar(TypeCode::Json)),
        field("new_values", scalar(TypeCode::Json)),
        field("old_values", scalar(TypeCode::Json)),
    ]);
    let change = structure(vec![
        field("commit_timestamp", scalar(TypeCode::Timestamp)),
        field("record_sequence", scalar(TypeCode::String)),
        field("server_transaction_id", scalar(TypeCode::String)),
        field(
            "is_last_record_in_transaction_in_partition",
            scalar(TypeCode::Bool),
        ),
        field("table_name", scalar(TypeCode::String)),
        field("column_types", array(column)),
        field("mods", array(row)),
        field("mod_type", scalar(TypeCode::String)),
        field("value_capture_type", scalar(TypeCode::String)),
        field("number_of_records_in_transaction", scalar(TypeCode::Int64)),
        field(
            "number_of_partitions_in_transaction",
            scalar(TypeCode::Int64),
        ),
        field("transaction_tag", scalar(TypeCode::String)),
        field("is_system_transaction", scalar(TypeCode::Bool)),
    ]);
    let heartbeat = structure(vec![field("timestamp", scalar(TypeCode::Timestamp))]);
    let child = structure(vec![
        field("token", scalar(TypeCode::String)),
        field("parent_partition_tokens", array(scalar(TypeCode::String))),
    ]);
    let children = structure(vec![
        field("start_timestamp", scalar(TypeCode::Timestamp)),
        field("record_sequence", scalar(TypeCode::String)),
        field("child_partitions", array(child)),
    ]);
    let record = structure(vec![
        field("data_change_record", array(change)),
        field("heartbeat_record", array(heartbeat)),
        field("child_partitions_record", array(children)),
    ]);
    of(vec![field("ChangeRecord", array(record))])
}

/// One JSONB column named like the function.
pub(super) fn postgres(function: &str) -> ResultSetMetadata {
    let mut json = scalar(TypeCode::Json);
    json.type_annotation = TypeAnnotationCode::PgJsonb.into();
    of(vec![field(function, json)])
}

/// `ChangeRecord` as a `google.spanner.v1.ChangeStreamRecord`.
pub(super) fn proto_column() -> ResultSetMetadata {
    let mut proto = scalar(TypeCode::Proto);
    "google.spanner.v1.ChangeStreamRecord".clone_into(&mut proto.proto_type_fqn);
    of(vec![field("ChangeRecord", proto)])
}

/// The same as BYTES, in a column named like the function.
pub(super) fn bytes_column(function: &str) -> ResultSetMetadata {
    of(vec![field(function, scalar(TypeCode::Bytes))])
}

pub(crate) fn of(fields: Vec<Field>) -> ResultSetMetadata {
    let row_type = Some(StructType { fields });
    ResultSetMetadata {
        row_type,
        ..ResultSetMetadata::default()
    }
}

pub(super) fn field(name: &str, r#type: Type) -> Field {
    Field {
        name: name.to_owned(),
        r#type: Some(r#type),
    }
}

pub(super) fn scalar(code: TypeCode) -> Type {
    Type {
        code: code.into(),
        ..Type::default()
    }
}

/// A column's type as the dialect names it.
///
/// Source: `google/spanner/v1/type.proto`, `TypeAnnotationCode`.
pub(crate) fn annotated(r#type: &Json, dialect: Dialect) -> Json {
    let mut annotated = r#type.clone();
    let annotation = match (dialect, r#type.get("code").and_then(Json::as_str)) {
        (Dialect::Postgres, Some("NUMERIC")) => "PG_NUMERIC",
        (Dialect::Postgres, Some("JSON")) => "PG_JSONB",
        (Dialect::Postgres | Dialect::GoogleSql, _) => return annotated,
    };
    if let Some(members) = annotated.as_object_mut() {
        let annotation = || json!(annotation);
        members.entry("type_annotation").or_insert_with(annotation);
    }
    annotated
}

fn array(element: Type) -> Type {
    let array_element_type = Some(Box::new(element));
    Type {
        code: TypeCode::Array.into(),
        array_element_type,
        ..Type::default()
    }
}

fn structure(mut fields: Vec<Field>, wire: &Wire) -> Type {
    if wire.unfamiliar_fields {
        fields.insert(0, field(UNFAMILIAR, scalar(TypeCode::String)));
    }
    let struct_type = Some(StructType { fields });
    Type {
        code: TypeCode::Struct.into(),
        struct_type,
        ..Type::default()
    }
}
