//! Mutations made by hand, without a recording and without a host.

use acequia_guest::Failure;
use acequia_guest::bigtable::testing::{Outcome, Row, batch, deserialize};
use acequia_guest::bigtable::{Change, Deserializer, Input};

use super::Cells;

const SET: Change<'_> = Change::SetCell {
    qualifier: b"paid",
    timestamp_micros: 1_000,
    value: b"yes",
};

fn outcomes(row_key: &[u8], entries: &[(&str, Change<'_>)]) -> Vec<Outcome> {
    let mutations = batch(
        "orders",
        &[Row {
            id: "id",
            row_key,
            commit_timestamp: "2026-01-31T12:00:00.000000Z",
            entries,
            ..Row::default()
        }],
    );
    deserialize(&Cells, &mutations)
}

#[test]
fn a_cell_is_its_row_its_column_and_its_value() {
    let value = r#"{"id":"id#0","table":"orders","row":"order#7","column":"state:paid","at":"2026-01-31T12:00:00.000000Z","value":"yes"}"#;
    assert_eq!(
        outcomes(b"order#7", &[("state", SET)]),
        [Outcome::Output(
            0,
            String::new(),
            b"order#7".to_vec(),
            value.to_owned()
        )]
    );
}

#[test]
fn a_deleted_family_has_no_value_and_no_qualifier() {
    let outcomes = outcomes(b"order#7", &[("old", Change::DeleteFamily)]);
    let [Outcome::Output(0, _, _, value)] = outcomes.as_slice() else {
        panic!("{outcomes:?}");
    };
    assert!(value.contains(r#""column":"old","#) && value.ends_with(r#""value":null}"#));
}

#[test]
fn a_row_key_that_is_no_text_fails_the_whole_mutation() {
    assert_eq!(
        outcomes(b"\xff", &[("state", SET)]),
        [Outcome::Failed(
            0,
            Failure::unsupported("the row key is not UTF-8")
        )]
    );
}

#[test]
fn an_aggregate_fails_the_whole_mutation() {
    let add = Change::AddToCell {
        qualifier: b"total",
        timestamp_micros: 0,
        input: Input::Number(1),
    };
    assert_eq!(
        outcomes(b"order#7", &[("state", SET), ("sums", add)]),
        [Outcome::Failed(
            0,
            Failure::unsupported("aggregates are not handled")
        )]
    );
}

#[test]
fn parameters_are_refused() {
    assert!(Cells::configure("{}").is_ok());
    let errors = Cells::configure(r#"{"granularity":"row"}"#).err().unwrap();
    assert_eq!(errors[0].message, "there are no parameters");
}
