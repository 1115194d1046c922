//! Values as result sets carry them.

use prost_types::{Value, value::Kind};
use serde_json::Value as Json;

use super::types::{code, element, fields};
use crate::spanner::wire::build::{list, null, text, truth};

/// The value of a column of that type. A struct is given as a list by place, or as an object by name.
///
/// Source: `google/spanner/v1/type.proto`, `TypeCode`, on how each type is encoded.
pub(super) fn cell(r#type: &Json, value: &Json) -> Value {
    match (code(r#type), value) {
        // A column of type JSON is a string; its own null is the string "null".
        ("JSON", Json::Object(_) | Json::Array(_) | Json::Number(_) | Json::Bool(_)) => {
            text(value.to_string())
        }
        (_, Json::Null) => null(),
        ("STRUCT", Json::Array(values)) => {
            let values = values.iter().chain(std::iter::repeat(&Json::Null));
            list(
                fields(r#type)
                    .zip(values)
                    .map(|((_, r#type), value)| cell(r#type, value)),
            )
        }
        ("STRUCT", Json::Object(values)) => list(
            fields(r#type)
                .map(|(name, r#type)| cell(r#type, values.get(name).unwrap_or(&Json::Null))),
        ),
        (_, Json::Array(values)) => list(values.iter().map(|value| cell(element(r#type), value))),
        ("FLOAT64" | "FLOAT32", Json::Number(number)) => Value {
            kind: number.as_f64().map(Kind::NumberValue),
        },
        (_, Json::Number(number)) => text(number.to_string()),
        (_, Json::Bool(flag)) => truth(*flag),
        (_, Json::String(string)) => text(string),
        (_, Json::Object(_)) => text(value.to_string()),
    }
}

/// A value that stands for itself, as a parameter does: an INT64 is written as a string.
pub(super) fn plain(value: &Json) -> Value {
    match value {
        Json::Number(number) => Value {
            kind: number.as_f64().map(Kind::NumberValue),
        },
        Json::Array(values) => list(values.iter().map(plain)),
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Object(_) => cell(&Json::Null, value),
    }
}
