//! Expected texts are written by hand from the README. Encodings are those of Spanner's documentation.
//!
//! Source: `google.spanner.v1.TypeCode`

use acequia_guest::rows::Deserializer;
use acequia_guest::rows::testing::{Line, Outcome, Source, batch, deserialize};
use acequia_guest::{Control, Failure, FailureKind, Gap};

use crate::Json;

const SINGERS: Source<'_> = Source {
    table: "Singers",
    read_timestamp: "2026-01-31T12:00:00.000000001Z",
    partition: "Singers/3",
    columns: &[
        ("SingerId", r#"{"code":"INT64"}"#, true),
        ("Na\"me", r#"{"code":"STRING"}"#, false),
        ("Score", r#"{"code":"FLOAT64"}"#, false),
        (
            "Extra",
            r#"{"code":"ARRAY","array_element_type":{"code":"JSON"}}"#,
            false,
        ),
    ],
};

const ADA: Line<'_> = Line {
    id: r#"2026-01-31T12:00:00.000000001Z/Singers/{"SingerId":"1"}"#,
    key: r#"{"SingerId":"1"}"#,
    values: &[r#""1""#, r#""Ada""#, r#""NaN""#, r#"[null,"{\"a\":1}"]"#],
};

const QUERY: Source<'_> = Source {
    table: "",
    read_timestamp: "2026-01-31T12:00:00Z",
    partition: "query/0",
    columns: &[
        ("n", r#"{"code":"INT64"}"#, false),
        ("", r#"{"code":"FLOAT64"}"#, false),
        ("n", r#"{"code":"BOOL"}"#, false),
    ],
};

const COUNTED: Line<'_> = Line {
    id: "2026-01-31T12:00:00Z/5f1d/0",
    key: "",
    values: &[r#""7""#, "1.50", "null"],
};

fn run(config: &str, source: &Source<'_>, lines: &[Line<'_>]) -> Vec<Outcome> {
    deserialize(&json(config), &batch(source, lines))
}

fn json(config: &str) -> Json {
    Json::configure(config).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn output(source: u32, key: &str, value: &str) -> Outcome {
    Outcome::Output(source, String::new(), key.into(), value.to_owned())
}

#[test]
fn a_row_is_one_json_object_of_its_columns_under_its_key() {
    let value = r#"{"SingerId":"1","Na\"me":"Ada","Score":"NaN","Extra":[null,"{\"a\":1}"]}"#;
    assert_eq!(
        run("{}", &SINGERS, &[ADA, ADA]),
        [output(0, ADA.key, value), output(1, ADA.key, value)]
    );
}

#[test]
fn a_row_of_a_query_has_no_key_and_a_name_for_each_column() {
    assert_eq!(
        run("{}", &QUERY, &[COUNTED]),
        [output(0, "", r#"{"n":"7","_2":1.50,"n_2":null}"#)]
    );
}

#[test]
fn metadata_stands_behind_the_columns() {
    let value = concat!(
        r#"{"SingerId":"1","Na\"me":"Ada","Score":"NaN","Extra":[null,"{\"a\":1}"],"#,
        r#""_id":"2026-01-31T12:00:00.000000001Z/Singers/{\"SingerId\":\"1\"}","#,
        r#""_read_timestamp":"2026-01-31T12:00:00.000000001Z","_partition":"Singers/3"}"#,
    );
    assert_eq!(
        run(r#"{"metadata":true}"#, &SINGERS, &[ADA]),
        [output(0, ADA.key, value)]
    );
}

#[test]
fn a_column_that_is_called_as_metadata_fails_where_metadata_is_asked_for() {
    let source = Source {
        columns: &[("_partition", r#"{"code":"STRING"}"#, false)],
        ..QUERY
    };
    let line = Line {
        values: &[r#""p""#],
        ..COUNTED
    };
    let outcomes = run(r#"{"metadata":true}"#, &source, &[line]);
    let [Outcome::Failed(0, Failure { kind, message })] = outcomes.as_slice() else {
        panic!("{outcomes:?}");
    };
    assert_eq!(*kind, FailureKind::Unsupported);
    assert!(message.contains("`_partition`"), "{message}");
    assert_eq!(
        run("{}", &source, &[line]),
        [output(0, "", r#"{"_partition":"p"}"#)]
    );
}

#[test]
fn only_values_with_metadata_hold_their_id() {
    let pointer = |config| json(config).described().record_id;
    assert_eq!(Json::describe().record_id, None);
    assert_eq!(pointer("{}"), None);
    assert_eq!(pointer(r#"{"metadata":true}"#).as_deref(), Some("/_id"));
}

#[test]
fn rows_of_other_columns_get_other_names() {
    let guest = json("{}");
    for _again in 0..2 {
        let rows = batch(&QUERY, &[COUNTED]);
        let value = r#"{"n":"7","_2":1.50,"n_2":null}"#;
        assert_eq!(deserialize(&guest, &rows), [output(0, "", value)]);
        let first = Source {
            columns: &[("", r#"{"code":"BOOL"}"#, false)],
            ..QUERY
        };
        let line = Line {
            values: &["true"],
            ..COUNTED
        };
        let rows = batch(&first, &[line]);
        assert_eq!(
            deserialize(&guest, &rows),
            [output(0, "", r#"{"_1":true}"#)]
        );
    }
}

#[test]
fn a_gap_is_a_control_text_whose_members_no_column_is_taken_for() {
    let outputs = json("{}").control(&Control::Gap(Gap {
        id: "gap/1".to_owned(),
        lost_from: "2026-01-31T12:00:00Z".to_owned(),
        resumed_at: "2026-02-01T00:00:00Z".to_owned(),
        reason: "the position \"expired\"".to_owned(),
    }));
    let [output] = outputs.as_slice() else {
        panic!("{outputs:?}");
    };
    assert_eq!((output.key.as_str(), output.topic.as_str()), ("", ""));
    assert_eq!(
        output.value,
        concat!(
            r#"{"_id":"gap/1","_control":"gap","_lost_from":"2026-01-31T12:00:00Z","#,
            r#""_resumed_at":"2026-02-01T00:00:00Z","_reason":"the position \"expired\""}"#,
        )
    );
}
