//! Short ways to write values of columns as change records write them.
//!
//! Source: `google/spanner/v1/type.proto`, `TypeCode`, on how each type is encoded.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use crate::clock::rfc3339;

/// INT64: a string.
#[must_use]
pub fn int64(value: i64) -> Json {
    Json::String(value.to_string())
}

/// FLOAT64 or FLOAT32: a number, or a string where it is none.
#[must_use]
pub fn float(value: f64) -> Json {
    if value.is_nan() {
        json!("NaN")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        json!(value)
    }
}

/// BYTES: Base64.
#[must_use]
pub fn bytes(value: &[u8]) -> Json {
    Json::String(STANDARD.encode(value))
}

/// JSON: a string that holds JSON.
#[must_use]
pub fn json_column(value: &Json) -> Json {
    Json::String(value.to_string())
}

/// TIMESTAMP: RFC 3339 with Z.
#[must_use]
pub fn timestamp(value: Timestamp) -> Json {
    Json::String(rfc3339(value))
}
