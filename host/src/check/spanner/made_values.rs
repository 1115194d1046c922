//! A value of each type, as a change record writes it.
//!
//! Source: https://cloud.google.com/spanner/docs/change-streams/details#data-change-records (types
//! and values are JSON), google.spanner.v1.TypeCode, and the DDL pages of both dialects for the names.

use serde_json::{Value, json};

use crate::spanner::request::Dialect;

/// A type as a change record describes it, and a value of it.
#[derive(Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) r#type: Value,
    pub(super) value: Value,
}

/// Reads a type as the dialect's DDL writes it. One that is not known here, such as a PROTO's or an
/// ENUM's own name, has no value: a null is of every type.
pub(super) fn sample(type_text: &str, dialect: Dialect) -> Sample {
    match element(type_text, dialect) {
        Some(element) => {
            let element = sample(element, dialect);
            Sample {
                r#type: json!({ "code": "ARRAY", "array_element_type": element.r#type }),
                value: json!([element.value]),
            }
        }
        None => scalar(type_text, dialect),
    }
}

/// The type of an array's elements.
fn element(type_text: &str, dialect: Dialect) -> Option<&str> {
    match dialect {
        Dialect::GoogleSql => type_text.strip_prefix("ARRAY<")?.split('>').next(),
        Dialect::PostgreSql => type_text.strip_suffix("[]"),
    }
}

fn scalar(type_text: &str, dialect: Dialect) -> Sample {
    // Lengths and precisions are no part of the type in a change record.
    let name = type_text.split('(').next().unwrap_or_default().trim();
    let (code, annotation) = match dialect {
        Dialect::GoogleSql => (name, None),
        Dialect::PostgreSql => postgres(name),
    };
    let r#type = match annotation {
        None => json!({ "code": code }),
        Some(annotation) => json!({ "code": code, "type_annotation": annotation }),
    };
    Sample {
        r#type,
        value: value(code),
    }
}

/// The code of a PostgreSQL type, and its annotation where it has one.
fn postgres(name: &str) -> (&str, Option<&str>) {
    match name {
        "bigint" => ("INT64", None),
        "oid" => ("INT64", Some("PG_OID")),
        "boolean" => ("BOOL", None),
        "real" => ("FLOAT32", None),
        "double precision" => ("FLOAT64", None),
        "numeric" => ("NUMERIC", Some("PG_NUMERIC")),
        "character varying" | "text" => ("STRING", None),
        "bytea" => ("BYTES", None),
        "date" => ("DATE", None),
        "timestamp with time zone" | "spanner.commit_timestamp" => ("TIMESTAMP", None),
        "jsonb" => ("JSON", Some("PG_JSONB")),
        "uuid" => ("UUID", None),
        "interval" => ("INTERVAL", None),
        other => (other, None),
    }
}

/// Numbers of 64 bits and decimals are texts, bytes are base64, a JSON column is a text of JSON.
fn value(code: &str) -> Value {
    match code {
        "INT64" | "NUMERIC" => json!("1"),
        "BOOL" => json!(true),
        "FLOAT32" | "FLOAT64" => json!(1.5),
        "STRING" => json!("made for a check"),
        "BYTES" => json!("bWFkZQ=="),
        "DATE" => json!("2026-01-31"),
        "TIMESTAMP" => json!("2026-01-31T12:00:00Z"),
        "JSON" => json!("{\"made\":true}"),
        "UUID" => json!("00000000-0000-4000-8000-000000000000"),
        "INTERVAL" => json!("P1D"),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_left_out_and_arrays_hold_their_element() {
        let text = sample("STRING(36)", Dialect::GoogleSql);
        assert_eq!(text.r#type, json!({ "code": "STRING" }));
        let numbers = sample("ARRAY<INT64>", Dialect::GoogleSql);
        let array = json!({ "code": "ARRAY", "array_element_type": { "code": "INT64" } });
        assert_eq!(
            numbers,
            Sample {
                r#type: array,
                value: json!(["1"])
            }
        );
    }

    #[test]
    fn a_vector_is_an_array_whose_length_is_left_out() {
        let vector = sample("ARRAY<FLOAT32>(vector_length=>128)", Dialect::GoogleSql);
        assert_eq!(vector.value, json!([1.5]));
    }

    #[test]
    fn postgresql_types_have_the_codes_and_annotations_of_records() {
        let number = sample("numeric", Dialect::PostgreSql);
        let annotated = json!({ "code": "NUMERIC", "type_annotation": "PG_NUMERIC" });
        assert_eq!(number.r#type, annotated);
        let texts = sample("character varying(64)[]", Dialect::PostgreSql);
        assert_eq!(
            texts.r#type["array_element_type"],
            json!({ "code": "STRING" })
        );
        let instant = sample("timestamp with time zone", Dialect::PostgreSql);
        assert_eq!(instant.r#type, json!({ "code": "TIMESTAMP" }));
    }

    #[test]
    fn a_type_that_is_not_known_has_a_null() {
        assert_eq!(sample("shop.Order", Dialect::GoogleSql).value, Value::Null);
    }
}
