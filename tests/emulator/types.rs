//! A table with a column of every type, and rows of it.
//!
//! What the emulator is known to get wrong is of change streams; reads of it are right.

use googleapis_tonic_google_spanner_v1::google::spanner::v1::Mutation;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::mutation::{Operation, Write};
use prost_types::value::Kind;
use prost_types::{ListValue, Value};

use super::shop::Dialect;

/// The table and its columns, of which the first is the key.
pub(crate) struct Everything {
    pub(crate) table: &'static str,
    pub(crate) columns: &'static [&'static str],
    pub(crate) statement: &'static str,
}

pub(crate) fn everything(dialect: Dialect) -> Everything {
    match dialect {
        Dialect::GoogleSql => Everything {
            table: "Everything",
            columns: &[
                "Id", "Flag", "Float", "Single", "Text", "Raw", "Day", "Moment", "Exact", "Doc",
                "Words", "Numbers", "Floats",
            ],
            statement: "CREATE TABLE Everything (Id INT64 NOT NULL, Flag BOOL, Float FLOAT64, \
                 Single FLOAT32, Text STRING(MAX), Raw BYTES(MAX), Day DATE, Moment TIMESTAMP, \
                 Exact NUMERIC, Doc JSON, Words ARRAY<STRING(MAX)>, Numbers ARRAY<INT64>, \
                 Floats ARRAY<FLOAT64>) PRIMARY KEY (Id)",
        },
        Dialect::PostgreSql => Everything {
            table: "everything",
            columns: &[
                "id", "flag", "float", "single", "text", "raw", "day", "moment", "exact", "doc",
                "words", "numbers", "floats",
            ],
            statement: "CREATE TABLE everything (id bigint PRIMARY KEY, flag boolean, \
                 \"float\" double precision, single real, text varchar, raw bytea, day date, \
                 moment timestamptz, exact numeric, doc jsonb, words varchar[], numbers bigint[], \
                 floats double precision[])",
        },
    }
}

/// The row of a number: every seventh has nothing but its key.
pub(crate) fn row(number: u32) -> Vec<Value> {
    let text = |text: String| Some(Kind::StringValue(text));
    let id = text(number.to_string());
    if number % 7 == 6 {
        let nulls = std::iter::repeat_n(Some(Kind::NullValue(0)), 12);
        return [id].into_iter().chain(nulls).map(value).collect();
    }
    let float = f64::from(number) / 3.0;
    let special = ["NaN", "Infinity", "-Infinity"];
    let float_or_special = special
        .get(number as usize % 11)
        .map_or(Kind::NumberValue(float), |special| {
            Kind::StringValue((*special).to_owned())
        });
    let day = 1 + number % 28;
    let words = [
        "\u{e9}\"\\".to_owned(),
        String::new(),
        format!("word {number}"),
    ];
    let words = words.map(|word| value(text(word)));
    let numbers = [
        value(text(i64::MIN.to_string())),
        value(Some(Kind::NullValue(0))),
    ];
    let floats = [
        value(Some(Kind::NumberValue(float))),
        value(text("NaN".to_owned())),
    ];
    [
        id,
        Some(Kind::BoolValue(number.is_multiple_of(2))),
        Some(float_or_special),
        Some(Kind::NumberValue(0.5)),
        text(format!("row {number} \u{1f600}\n")),
        text("AP8+".to_owned()),
        text(format!("2026-02-{day:02}")),
        text(format!(
            "2026-02-{day:02}T01:02:03.{:06}Z",
            number % 1_000_000
        )),
        text(format!("{number}.5")),
        text(format!("{{\"a\":[1,null,\"{number}\"]}}")),
        list(words),
        list(numbers),
        list(floats),
    ]
    .into_iter()
    .map(value)
    .collect()
}

/// One mutation with the rows of these numbers.
pub(crate) fn insert(everything: &Everything, numbers: std::ops::Range<u32>) -> Mutation {
    let values = numbers.map(|number| ListValue {
        values: row(number),
    });
    Mutation {
        operation: Some(Operation::Insert(Write {
            table: everything.table.to_owned(),
            columns: everything
                .columns
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            values: values.collect(),
        })),
    }
}

fn list(values: impl IntoIterator<Item = Value>) -> Option<Kind> {
    Some(Kind::ListValue(ListValue {
        values: values.into_iter().collect(),
    }))
}

fn value(kind: Option<Kind>) -> Value {
    Value { kind }
}
