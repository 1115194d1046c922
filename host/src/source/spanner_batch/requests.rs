//! The configured read as requests of the service say it.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::key_range::{
    EndKeyType, StartKeyType,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    self as proto, Type, TypeAnnotationCode, TypeCode,
};
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value};

use crate::config::{
    KeyBound, KeyRange, KeySet, QueryOperation, ReadOperation, ScalarType, SqlType, SqlValue,
    TableOperation,
};
use crate::spanner::snapshot::Read;

/// The configured read.
pub(crate) fn read(operation: &ReadOperation) -> Read {
    match operation {
        ReadOperation::Query(query) => of_query(query),
        ReadOperation::Table(table) => of_table(table),
    }
}

fn of_query(query: &QueryOperation) -> Read {
    let params = query.params.iter();
    let values = params
        .clone()
        .map(|param| (param.name.clone(), value(&param.value)));
    let types = params.map(|param| (param.name.clone(), of_type(param.r#type)));
    Read::Query {
        sql: query.sql.clone(),
        params: Struct {
            fields: values.collect(),
        },
        param_types: types.collect(),
    }
}

fn of_table(table: &TableOperation) -> Read {
    Read::Table {
        table: table.table.clone(),
        index: table.index.clone().unwrap_or_default(),
        columns: table.columns.clone(),
        key_set: key_set(&table.key_set),
    }
}

fn key_set(keys: &KeySet) -> proto::KeySet {
    match keys {
        KeySet::All => proto::KeySet {
            all: true,
            ..proto::KeySet::default()
        },
        KeySet::Some { keys, ranges } => proto::KeySet {
            keys: keys.iter().map(|key| list(key)).collect(),
            ranges: ranges.iter().map(range).collect(),
            all: false,
        },
    }
}

fn range(range: &KeyRange) -> proto::KeyRange {
    proto::KeyRange {
        start_key_type: Some(match &range.start {
            KeyBound::Closed(parts) => StartKeyType::StartClosed(list(parts)),
            KeyBound::Open(parts) => StartKeyType::StartOpen(list(parts)),
        }),
        end_key_type: Some(match &range.end {
            KeyBound::Closed(parts) => EndKeyType::EndClosed(list(parts)),
            KeyBound::Open(parts) => EndKeyType::EndOpen(list(parts)),
        }),
    }
}

fn list(parts: &[SqlValue]) -> ListValue {
    ListValue {
        values: parts.iter().map(value).collect(),
    }
}

fn value(value: &SqlValue) -> Value {
    of_json(value.json())
}

/// Source: google/protobuf/struct.proto, `Value`, whose JSON is the value itself.
fn of_json(json: &serde_json::Value) -> Value {
    use serde_json::Value as Json;

    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(flag) => Kind::BoolValue(*flag),
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => Kind::StringValue(text.clone()),
        Json::Array(values) => Kind::ListValue(ListValue {
            values: values.iter().map(of_json).collect(),
        }),
        Json::Object(members) => Kind::StructValue(Struct {
            fields: members
                .iter()
                .map(|(name, value)| (name.clone(), of_json(value)))
                .collect(),
        }),
    };
    Value { kind: Some(kind) }
}

fn of_type(of: SqlType) -> Type {
    match of {
        SqlType::Scalar(scalar) => of_scalar(scalar),
        SqlType::Array(scalar) => Type {
            code: TypeCode::Array.into(),
            array_element_type: Some(Box::new(of_scalar(scalar))),
            ..Type::default()
        },
    }
}

fn of_scalar(scalar: ScalarType) -> Type {
    let code = match scalar {
        ScalarType::Bool => TypeCode::Bool,
        ScalarType::Int64 => TypeCode::Int64,
        ScalarType::Float32 => TypeCode::Float32,
        ScalarType::Float64 => TypeCode::Float64,
        ScalarType::Numeric | ScalarType::PgNumeric => TypeCode::Numeric,
        ScalarType::String => TypeCode::String,
        ScalarType::Bytes => TypeCode::Bytes,
        ScalarType::Date => TypeCode::Date,
        ScalarType::Timestamp => TypeCode::Timestamp,
        ScalarType::Json | ScalarType::PgJsonb => TypeCode::Json,
        ScalarType::Uuid => TypeCode::Uuid,
        ScalarType::Interval => TypeCode::Interval,
    };
    let annotation = match scalar {
        ScalarType::PgNumeric => TypeAnnotationCode::PgNumeric,
        ScalarType::PgJsonb => TypeAnnotationCode::PgJsonb,
        ScalarType::Bool
        | ScalarType::Int64
        | ScalarType::Float32
        | ScalarType::Float64
        | ScalarType::Numeric
        | ScalarType::String
        | ScalarType::Bytes
        | ScalarType::Date
        | ScalarType::Timestamp
        | ScalarType::Json
        | ScalarType::Uuid
        | ScalarType::Interval => TypeAnnotationCode::Unspecified,
    };
    Type {
        code: code.into(),
        type_annotation: annotation.into(),
        ..Type::default()
    }
}
