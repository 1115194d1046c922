//! Types of values.

use crate::config::Kind;
use crate::config::option::{OptionSpec, Presence};
use crate::config::read::{Field, Read, Report, unknown_word};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlType {
    /// One value.
    Scalar(ScalarType),
    /// A list of values.
    Array(ScalarType),
}

/// The type of one value. Those of PostgreSQL have the names of the annotations that tell them from the
/// others.
///
/// Source: google.spanner.v1.TypeCode, google.spanner.v1.TypeAnnotationCode
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarType {
    /// `BOOL`.
    Bool,
    /// `INT64`.
    Int64,
    /// `FLOAT32`.
    Float32,
    /// `FLOAT64`.
    Float64,
    /// `NUMERIC` of GoogleSQL.
    Numeric,
    /// `NUMERIC` of PostgreSQL.
    PgNumeric,
    /// `STRING`.
    String,
    /// `BYTES`.
    Bytes,
    /// `DATE`.
    Date,
    /// `TIMESTAMP`.
    Timestamp,
    /// `JSON` of GoogleSQL.
    Json,
    /// `JSONB` of PostgreSQL.
    PgJsonb,
    /// `UUID`.
    Uuid,
    /// `INTERVAL`.
    Interval,
}

/// The form that says which type a value is of. Members of parameters and of keys stand in lists and
/// under names of the user's, so it is in no table of a section.
pub(super) const TYPED: &[&OptionSpec] = &[&TYPE, &VALUE];

pub(super) const TYPE: OptionSpec = OptionSpec::new(
    "type",
    "a type such as INT64 or ARRAY<STRING>",
    Presence::Required,
    "The type of the value.",
)
.of_kind(Kind::Text);

pub(super) const VALUE: OptionSpec = OptionSpec::new(
    "value",
    "a value of that type",
    Presence::Required,
    "The value.",
)
.of_kind(Kind::Anything);

const NAMES: [(&str, ScalarType); 14] = [
    ("BOOL", ScalarType::Bool),
    ("INT64", ScalarType::Int64),
    ("FLOAT32", ScalarType::Float32),
    ("FLOAT64", ScalarType::Float64),
    ("NUMERIC", ScalarType::Numeric),
    ("PG_NUMERIC", ScalarType::PgNumeric),
    ("STRING", ScalarType::String),
    ("BYTES", ScalarType::Bytes),
    ("DATE", ScalarType::Date),
    ("TIMESTAMP", ScalarType::Timestamp),
    ("JSON", ScalarType::Json),
    ("PG_JSONB", ScalarType::PgJsonb),
    ("UUID", ScalarType::Uuid),
    ("INTERVAL", ScalarType::Interval),
];

/// Reads `INT64`, or `ARRAY<INT64>`.
pub(super) fn read(field: &Field<'_>, report: &mut Report) -> Read<SqlType> {
    let text = field.text(report, "a text, the name of a type")?;
    let element = text
        .strip_prefix("ARRAY<")
        .and_then(|rest| rest.strip_suffix('>'));
    let name = element.unwrap_or(text);
    let found = NAMES.iter().find(|(known, _)| *known == name);
    match (found, element) {
        (Some((_, scalar)), None) => Ok(SqlType::Scalar(*scalar)),
        (Some((_, scalar)), Some(_)) => Ok(SqlType::Array(*scalar)),
        (None, _) => {
            let known = NAMES.map(|(known, _)| known);
            let message = format!("{}, or ARRAY<…> of one", unknown_word(name, &known));
            Err(field.problem(report, message))
        }
    }
}

impl ScalarType {
    /// What a value of it looks like in the file, for a message that expected one.
    pub(super) fn looks(self) -> &'static str {
        match self {
            Self::Bool => "a BOOL, true or false",
            Self::Int64 => "an INT64, a whole number from -2^63 to 2^63-1",
            Self::Float32 => "a FLOAT32, a number, NaN, Infinity or -Infinity",
            Self::Float64 => "a FLOAT64, a number, NaN, Infinity or -Infinity",
            Self::Numeric => {
                "a NUMERIC, a whole number, or decimal digits in quotes such as '1.50'"
            }
            Self::PgNumeric => {
                "a PG_NUMERIC, a whole number, or decimal digits in quotes such as '1.50', or NaN"
            }
            Self::String => "a text",
            Self::Bytes => "BYTES, a text in padded standard Base64",
            Self::Date => "a DATE, such as 2026-01-31",
            Self::Timestamp => {
                "a TIMESTAMP, an RFC 3339 instant with an offset, such as 2026-01-31T12:00:00Z"
            }
            Self::Json => "a JSON value, or a text that holds one",
            Self::PgJsonb => "a PG_JSONB value, or a text that holds one",
            Self::Uuid => "a UUID, such as 00000000-0000-4000-8000-000000000000",
            Self::Interval => "an INTERVAL as ISO 8601 has it, such as P1Y2M3DT4H",
        }
    }
}
