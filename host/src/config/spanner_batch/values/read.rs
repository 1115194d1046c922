//! From a value of the file to one of the service.

use serde_json::json;

use super::sql_type::{self, TYPE, TYPED, VALUE};
use super::{ScalarType, SqlType, SqlValue, encode};
use crate::config::parse_instant;
use crate::config::read::{Field, Read, Report, Reported, Section, UnknownKeys, Value};

/// Reads the value of a parameter, whose type goes to the service with it.
pub(in crate::config::spanner_batch) fn parameter(
    field: &Field<'_>,
    report: &mut Report,
) -> Read<(SqlType, SqlValue)> {
    let (of, json) = match &field.node.value {
        Value::Map(_) => typed(field, report)?,
        Value::List(_) => untyped_list(field, report)?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            let (of, json) = untyped(field, report)?;
            (SqlType::Scalar(of), json)
        }
    };
    Ok((of, SqlValue::new(json)))
}

/// Reads a part of a key. Its type is that of the column, which only the service knows: what is sent is
/// the same for all types that a value may be of, or it is refused.
pub(in crate::config::spanner_batch) fn key_part(
    field: &Field<'_>,
    report: &mut Report,
) -> Read<SqlValue> {
    let json = match &field.node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => json!(value),
        Value::Number(_) => untyped(field, report)?.1,
        Value::Text(_) => {
            let text = field.text(report, "a text")?;
            if parse_instant(text).is_ok_and(|instant| instant.to_string() != text) {
                return Err(ambiguous(field, report, "TIMESTAMP", "STRING"));
            }
            json!(text)
        }
        Value::Map(_) => match typed(field, report)? {
            (SqlType::Scalar(_), json) => json,
            (SqlType::Array(_), _) => {
                return Err(field.problem(report, "no part of a key is an array"));
            }
        },
        Value::List(_) => return Err(field.expected(report, "a part of a key")),
    };
    Ok(SqlValue::new(json))
}

/// `{ type: …, value: … }`.
fn typed(field: &Field<'_>, report: &mut Report) -> Read<(SqlType, serde_json::Value)> {
    let section = Section::open(field, TYPED, UnknownKeys::Refused, report)?;
    let of = section.read(&TYPE, report, sql_type::read);
    let json = section.read(&VALUE, report, |field, report| match of? {
        SqlType::Scalar(of) => encode::scalar(field, report, of),
        SqlType::Array(of) => array(field, report, of),
    });
    section.close();
    Ok((of?, json?))
}

fn array(field: &Field<'_>, report: &mut Report, of: ScalarType) -> Read<serde_json::Value> {
    if let Value::Null = field.node.value {
        return Ok(serde_json::Value::Null);
    }
    let elements = field.list(report, "a list")?;
    let elements: Vec<_> = elements
        .iter()
        .map(|element| encode::scalar(element, report, of))
        .collect();
    elements.into_iter().collect()
}

/// A list of values that are all of one type.
fn untyped_list(field: &Field<'_>, report: &mut Report) -> Read<(SqlType, serde_json::Value)> {
    const HOW: &str = "write { type: ARRAY<INT64>, value: […] }, with the type that is meant";
    let elements = field.list(report, "a list")?;
    let elements: Vec<_> = elements
        .iter()
        .map(|element| untyped(element, report))
        .collect();
    let elements: Vec<_> = elements.into_iter().collect::<Read<_>>()?;
    let Some((of, _)) = elements.first().cloned() else {
        return Err(field.problem(report, format!("is empty, and so of no type; {HOW}")));
    };
    if elements.iter().any(|(other, _)| *other != of) {
        return Err(field.problem(report, format!("has values of several types; {HOW}")));
    }
    let json = elements.into_iter().map(|(_, json)| json).collect();
    Ok((SqlType::Array(of), json))
}

/// One value that says its type by itself.
fn untyped(field: &Field<'_>, report: &mut Report) -> Read<(ScalarType, serde_json::Value)> {
    match &field.node.value {
        Value::Bool(value) => Ok((ScalarType::Bool, json!(value))),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Ok((ScalarType::Int64, json!(number.to_string()))),
            None if number.is_f64() => Err(ambiguous(field, report, "FLOAT64", "NUMERIC")),
            None => {
                let message = "is no INT64; write { type: NUMERIC, value: … } if that is meant";
                Err(field.problem(report, message))
            }
        },
        Value::Text(_) => {
            let text = field.text(report, "a text")?;
            if encode::is_date(text) {
                return Err(ambiguous(field, report, "DATE", "STRING"));
            }
            if parse_instant(text).is_ok() {
                return Err(ambiguous(field, report, "TIMESTAMP", "STRING"));
            }
            Ok((ScalarType::String, json!(text)))
        }
        Value::Null => Err(field.problem(
            report,
            "has no value, and so no type; write { type: STRING, value: null }, with the type that \
             is meant",
        )),
        Value::List(_) | Value::Map(_) => Err(field.expected(
            report,
            "a value, or { type: …, value: … } around the whole list",
        )),
    }
}

fn ambiguous(field: &Field<'_>, report: &mut Report, one: &str, other: &str) -> Reported {
    let decimal = if other == "NUMERIC" { "'…'" } else { "…" };
    let message = format!(
        "may be a {one} or a {other}; write {{ type: {one}, value: … }} or {{ type: {other}, value: \
         {decimal} }}"
    );
    field.problem(report, message)
}
