//! Batches whose columns do not fit, and what a view shows of one that does.

use super::testing::{Line, Outcome, Source, batch, deserialize};
use super::{Batch, Cell, Deserializer, Row, Rows};
use crate::{ConfigError, Control, ControlOutput, Description, Failure, Output};

struct Names;

impl Deserializer for Names {
    fn describe() -> Description {
        Description::new("names", "0")
    }

    fn configure(_config: &str) -> Result<Self, Vec<ConfigError>> {
        Ok(Self)
    }

    fn deserialize(&self, row: &Row<'_>, out: &mut Output) -> Result<(), Failure> {
        let name = row.column("Name").map(|cell| cell.json);
        out.push(row.key().unwrap_or_default(), name.unwrap_or_default());
        Ok(())
    }

    fn control(&self, _event: &Control) -> Vec<ControlOutput> {
        Vec::new()
    }
}

const INT64: &str = r#"{"code":"INT64"}"#;
const STRING: &str = r#"{"code":"STRING"}"#;

fn two_rows() -> Rows {
    batch(
        &Source {
            table: "Singers",
            read_timestamp: "2026-01-31T12:00:00.000000001Z",
            partition: "Singers/3",
            columns: &[("SingerId", INT64, true), ("Name", STRING, false)],
        },
        &[
            Line {
                id: "first",
                key: r#"{"SingerId":"1"}"#,
                values: &[r#""1""#, "null"],
            },
            Line {
                id: "second",
                key: r#"{"SingerId":"2"}"#,
                values: &[r#""2""#, "\"\u{e9}\""],
            },
        ],
    )
}

#[test]
fn a_row_has_its_own_values_in_the_order_of_the_columns() {
    let rows = two_rows();
    let batch = Batch::open(&rows).unwrap();
    let row = batch.iter().nth(1).unwrap();
    let cell = |index, name, type_json, json| Cell {
        index,
        name,
        type_json,
        json,
    };
    assert!(row.cells().eq([
        cell(0, "SingerId", INT64, r#""2""#),
        cell(1, "Name", STRING, "\"\u{e9}\""),
    ]));
    let keys: Vec<bool> = row.columns().map(|column| column.is_primary_key).collect();
    assert_eq!(keys, [true, false]);
    assert_eq!((row.index(), row.id()), (1, "second"));
    assert_eq!(row.key(), Some(r#"{"SingerId":"2"}"#));
    assert_eq!((row.table(), row.partition()), ("Singers", "Singers/3"));
    assert_eq!(row.read_timestamp(), "2026-01-31T12:00:00.000000001Z");
    assert_eq!(row.column("name"), None);
}

#[test]
fn of_columns_with_one_name_the_first_is_found_and_all_are_there() {
    let rows = batch(
        &Source {
            columns: &[
                ("", INT64, false),
                ("a", INT64, false),
                ("a", STRING, false),
            ],
            ..Source::default()
        },
        &[Line {
            values: &["1", "2", "3"],
            ..Line::default()
        }],
    );
    let batch = Batch::open(&rows).unwrap();
    let row = batch.iter().next().unwrap();
    assert_eq!(row.column("a").map(|cell| cell.json), Some("2"));
    assert_eq!(row.column("").map(|cell| cell.json), Some("1"));
    assert_eq!(row.cells().map(|cell| cell.json).last(), Some("3"));
    assert_eq!(row.key(), None);
}

#[test]
fn every_row_gives_its_output() {
    let output = |source, key: &[u8], value: &str| {
        Outcome::Output(source, String::new(), key.to_vec(), value.to_owned())
    };
    assert_eq!(
        deserialize(&Names, &two_rows()),
        [
            output(0, br#"{"SingerId":"1"}"#, "null"),
            output(1, br#"{"SingerId":"2"}"#, "\"\u{e9}\""),
        ]
    );
}

/// A change of one column that breaks a rule, and the column's name.
type Fault = (&'static str, fn(&mut Rows));

/// One fault per column, and one of what the columns are together.
const FAULTS: &[Fault] = &[
    ("column-names", |rows| rows.column_names.ends.push(12)),
    ("column-types", |rows| rows.column_types.ends.reverse()),
    ("column-names", |rows| rows.column_keys.push(0)),
    ("ids", |rows| rows.ids.bytes.push(b'x')),
    ("keys", |rows| rows.keys.ends.truncate(1)),
    ("cells", |rows| rows.cells.ends.truncate(3)),
    ("cells", |rows| rows.cells.bytes[12] = 0xff),
];

#[test]
fn a_batch_whose_columns_do_not_fit_fails_row_by_row_and_names_the_column() {
    for (column, break_rule) in FAULTS {
        let mut rows = two_rows();
        break_rule(&mut rows);
        let outcomes = deserialize(&Names, &rows);
        let records: Vec<u32> = outcomes
            .iter()
            .map(|outcome| match outcome {
                Outcome::Failed(record, failure) => {
                    let name = format!("`{column}`");
                    assert!(failure.message.contains(&name), "{failure:?}");
                    *record
                }
                Outcome::Output(..) => panic!("{column}: {outcome:?}"),
            })
            .collect();
        assert_eq!(records, [0, 1], "{column}");
    }
}
