//! Keys in Spanner's order.
//!
//! Source: <https://cloud.google.com/spanner/docs/reference/standard-sql/data-types>, orderable types:
//! NULL is the least, NaN the least but NULL, strings go by code points.

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use prost_types::{Value, value::Kind};
use serde_json::Value as Json;

use super::types::code;

/// Digits of a NUMERIC after its point.
const SCALE: usize = 9;

/// A key, or the beginning of one.
pub(super) type Key = Vec<Part>;

/// One column of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits, mapped so that they are in the order of the numbers.
    Float(u64),
    /// In units of the last digit.
    Decimal(i128),
    Text(String),
    Bytes(Vec<u8>),
    Time(Timestamp),
}

impl Part {
    /// What a value of that type is in a key; `None` when it is not of that type.
    pub(super) fn of(r#type: &Json, value: &Value) -> Option<Self> {
        let part = match (code(r#type), value.kind.as_ref()?) {
            (_, Kind::NullValue(_)) => Self::Null,
            ("BOOL", Kind::BoolValue(flag)) => Self::Bool(*flag),
            ("FLOAT64" | "FLOAT32", Kind::NumberValue(number)) => Self::Float(ordered(*number)),
            ("FLOAT64" | "FLOAT32", Kind::StringValue(text)) => {
                Self::Float(ordered(text.parse().ok()?))
            }
            ("INT64" | "ENUM", Kind::StringValue(text)) => Self::Int(text.parse().ok()?),
            ("NUMERIC", Kind::StringValue(text)) => Self::Decimal(decimal(text)?),
            ("BYTES" | "PROTO", Kind::StringValue(text)) => {
                Self::Bytes(STANDARD.decode(text).ok()?)
            }
            ("TIMESTAMP", Kind::StringValue(text)) => Self::Time(text.parse().ok()?),
            // A DATE has four digits for the year, a UUID is written in lower case.
            ("STRING" | "DATE" | "UUID", Kind::StringValue(text)) => Self::Text(text.clone()),
            _ => return None,
        };
        Some(part)
    }
}

fn ordered(number: f64) -> u64 {
    if number.is_nan() {
        return 0;
    }
    // Zero has one place, whatever its sign.
    let bits = if number == 0.0 { 0 } else { number.to_bits() };
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

fn decimal(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction: String = fraction
        .chars()
        .chain(std::iter::repeat('0'))
        .take(SCALE)
        .collect();
    let units: i128 = format!("{whole}{fraction}").parse().ok()?;
    Some(sign * units)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{super::cell::cell, Part};

    fn ascending(code: &str, values: &[Json]) {
        let r#type = json!({ "code": code });
        let parts: Vec<Part> = values
            .iter()
            .map(|value| Part::of(&r#type, &cell(&r#type, value)).unwrap())
            .collect();
        assert!(parts.windows(2).all(|pair| pair[0] < pair[1]), "{parts:?}");
    }

    #[test]
    fn keys_are_in_the_order_of_their_type() {
        let null = Json::Null;
        ascending(
            "INT64",
            &[null.clone(), json!("-10"), json!("9"), json!("10")],
        );
        ascending(
            "FLOAT64",
            &[
                null.clone(),
                json!("NaN"),
                json!("-Infinity"),
                json!(-2.5),
                json!(-1.0),
                json!(0.0),
                json!(1e-300),
                json!("Infinity"),
            ],
        );
        ascending(
            "NUMERIC",
            &[
                json!("-99999999999999999999999999999.999999999"),
                json!("-0.5"),
                json!("0.25"),
                json!("0.5"),
                json!("10"),
            ],
        );
        // U+FF41 is behind U+1F600 in UTF-16 only.
        ascending(
            "STRING",
            &[
                null,
                json!(""),
                json!("B"),
                json!("a"),
                json!("\u{ff41}"),
                json!("\u{1f600}"),
            ],
        );
        ascending("BYTES", &[json!(""), json!("AA=="), json!("/w==")]);
        ascending("BOOL", &[json!(false), json!(true)]);
    }
}
