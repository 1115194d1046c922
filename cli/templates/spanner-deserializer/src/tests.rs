//! Records made by hand, without a recording and without a host.

use acequia_guest::Failure;
use acequia_guest::spanner::testing::{Change, Outcome, Row, Values, batch, deserialize};
use acequia_guest::spanner::{Column, Deserializer};

use super::Rows;

const COLUMNS: &[Column<'_>] = &[
    Column {
        name: "CustomerId",
        type_json: r#"{"code":"INT64"}"#,
        is_primary_key: true,
        ordinal_position: 1,
    },
    Column {
        name: "City",
        type_json: r#"{"code":"STRING"}"#,
        is_primary_key: false,
        ordinal_position: 2,
    },
];

fn outcomes(mod_type: &str, rows: &[Row<'_>]) -> Vec<Outcome> {
    let changes = batch(&[Change {
        table: "Customers",
        columns: COLUMNS,
        commit_timestamp: "2026-01-31T12:00:00Z",
        mod_type,
        mods: rows,
        ..Change::default()
    }]);
    deserialize(&Rows, &changes)
}

#[test]
fn a_row_is_its_key_and_its_new_values() {
    let row = Row {
        id: "id/0",
        keys: Values::Members(&[("CustomerId", "\"7\"")]),
        new_values: Values::Members(&[("City", "null")]),
        ..Row::default()
    };
    let value = r#"{"id":"id/0","table":"Customers","change":"UPDATE","at":"2026-01-31T12:00:00Z","row":{"CustomerId":"7","City":null}}"#;
    assert_eq!(
        outcomes("UPDATE", &[row]),
        [Outcome::Output(
            0,
            String::new(),
            r#"{"CustomerId":"7"}"#.into(),
            value.to_owned()
        )]
    );
}

#[test]
fn a_row_without_a_key_fails_the_whole_record() {
    let good = Row {
        keys: Values::Members(&[("CustomerId", "\"7\"")]),
        ..Row::default()
    };
    assert_eq!(
        outcomes("INSERT", &[good, Row::default()]),
        [Outcome::Failed(
            0,
            Failure::malformed("modification 1 has no key")
        )]
    );
}

#[test]
fn a_kind_of_change_that_is_not_known_fails() {
    assert_eq!(
        outcomes("TRUNCATE", &[]),
        [Outcome::Failed(
            0,
            Failure::unsupported("TRUNCATE is not handled")
        )]
    );
}

#[test]
fn parameters_are_refused() {
    assert!(Rows::configure("{}").is_ok());
    let errors = Rows::configure(r#"{"granularity":"row"}"#).err().unwrap();
    assert_eq!(errors[0].message, "there are no parameters");
}
