//! A value of a known type in the encoding of the service. No message shows the value.
//!
//! Source: google.spanner.v1.TypeCode

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::ScalarType;
use crate::config::parse_instant;
use crate::config::read::{Field, Read, Report, Value};

/// Encodes a value of the type. Nothing is a value of every type.
pub(super) fn scalar(
    field: &Field<'_>,
    report: &mut Report,
    of: ScalarType,
) -> Read<serde_json::Value> {
    match &field.node.value {
        Value::Null => Ok(serde_json::Value::Null),
        Value::Bool(value) => or_expected(field, report, of, boolean(of, *value)),
        Value::Number(value) => or_expected(field, report, of, number(of, value)),
        Value::Text(_) => {
            let text = field.text(report, of.looks())?;
            match self::text(of, text) {
                Some(json) => Ok(json),
                None => Err(field.problem(report, format!("expected {}", of.looks()))),
            }
        }
        Value::List(_) | Value::Map(_) if is_json(of) => Ok(field.json(report)?.to_string().into()),
        Value::List(_) | Value::Map(_) => Err(field.expected(report, of.looks())),
    }
}

fn or_expected(
    field: &Field<'_>,
    report: &mut Report,
    of: ScalarType,
    json: Option<serde_json::Value>,
) -> Read<serde_json::Value> {
    // `text` says of a text that it needs quotes; `expected` says the rest.
    match (json, of) {
        (Some(json), _) => Ok(json),
        (None, ScalarType::String) => field.text(report, of.looks()).map(Into::into),
        (None, _) => Err(field.expected(report, of.looks())),
    }
}

fn is_json(of: ScalarType) -> bool {
    matches!(of, ScalarType::Json | ScalarType::PgJsonb)
}

fn boolean(of: ScalarType, value: bool) -> Option<serde_json::Value> {
    if of == ScalarType::Bool {
        return Some(value.into());
    }
    is_json(of).then(|| value.to_string().into())
}

/// A number with a fraction is read as binary digits, which a decimal is not made of.
fn number(of: ScalarType, number: &serde_json::Number) -> Option<serde_json::Value> {
    match of {
        ScalarType::Int64 => number.as_i64().map(|number| number.to_string().into()),
        ScalarType::Float32 | ScalarType::Float64 => Some(number.clone().into()),
        ScalarType::Numeric | ScalarType::PgNumeric => {
            (!number.is_f64()).then(|| number.to_string().into())
        }
        ScalarType::Json | ScalarType::PgJsonb => Some(number.to_string().into()),
        ScalarType::Bool
        | ScalarType::String
        | ScalarType::Bytes
        | ScalarType::Date
        | ScalarType::Timestamp
        | ScalarType::Uuid
        | ScalarType::Interval => None,
    }
}

fn text(of: ScalarType, text: &str) -> Option<serde_json::Value> {
    let fits = match of {
        ScalarType::Bool => false,
        ScalarType::Int64 => return Some(text.parse::<i64>().ok()?.to_string().into()),
        ScalarType::Float32 | ScalarType::Float64 => {
            matches!(text, "NaN" | "Infinity" | "-Infinity")
        }
        ScalarType::Numeric => is_decimal(text),
        ScalarType::PgNumeric => text == "NaN" || is_decimal(text),
        ScalarType::String => true,
        ScalarType::Bytes => STANDARD.decode(text).is_ok(),
        ScalarType::Date => is_date(text),
        // The service takes no other offset.
        ScalarType::Timestamp => return Some(parse_instant(text).ok()?.to_string().into()),
        ScalarType::Json | ScalarType::PgJsonb => {
            serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
        }
        ScalarType::Uuid => is_uuid(text),
        ScalarType::Interval => text.strip_prefix('-').unwrap_or(text).starts_with('P'),
    };
    fits.then(|| json!(text))
}

/// `[+-]`, digits with or without a point among them, and an exponent.
///
/// Source: google.spanner.v1.TypeCode.NUMERIC
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = |text: &str| -> bool { !text.is_empty() && digits(text) };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let mantissa = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(unsigned)
}

/// `YYYY-MM-DD`. jiff reads more than that, so the shape is checked first.
pub(super) fn is_date(text: &str) -> bool {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(place, b)| match place {
            4 | 7 => b == b'-',
            _ => b.is_ascii_digit(),
        });
    shaped && text.parse::<jiff::civil::Date>().is_ok()
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, b)| match place {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_is_digits_a_point_and_an_exponent() {
        for decimal in ["0", "-1", "+1.50", ".5", "5.", "1e10", "1.5E-3"] {
            assert!(is_decimal(decimal), "{decimal}");
        }
        for other in [
            "", ".", "1.5.0", "e5", "1e", "0x1", "1,5", "NaN", " 1", "1e5e5",
        ] {
            assert!(!is_decimal(other), "{other:?}");
        }
    }

    #[test]
    fn a_date_is_a_day_of_the_calendar_with_two_hyphens() {
        assert!(is_date("2024-02-29") && is_date("0001-01-01"));
        for other in [
            "2026-02-29",
            "20260131",
            "2026-1-31",
            "2026-01-31T",
            "+002026-01",
            "é",
        ] {
            assert!(!is_date(other), "{other:?}");
        }
    }

    #[test]
    fn an_instant_is_sent_with_a_z() {
        assert_eq!(
            text(ScalarType::Timestamp, "2026-01-31T12:00:00.25+01:00"),
            Some(json!("2026-01-31T11:00:00.25Z"))
        );
    }
}
