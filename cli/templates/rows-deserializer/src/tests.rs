//! Rows made by hand, without a recording and without a host.

use acequia_guest::Failure;
use acequia_guest::rows::Deserializer;
use acequia_guest::rows::testing::{Line, Outcome, Source, batch, deserialize};

use super::Lines;

fn outcomes(values: &[&str]) -> Vec<Outcome> {
    let source = Source {
        table: "Singers",
        columns: &[
            ("SingerId", r#"{"code":"INT64"}"#, true),
            ("Name", r#"{"code":"STRING"}"#, false),
            ("Score", r#"{"code":"FLOAT64"}"#, false),
        ],
        ..Source::default()
    };
    let line = Line {
        id: "id",
        key: r#"{"SingerId":"7"}"#,
        values,
    };
    deserialize(&Lines, &batch(&source, &[line]))
}

fn line(value: &str) -> Outcome {
    let key = br#"{"SingerId":"7"}"#.to_vec();
    Outcome::Output(0, String::new(), key, value.to_owned())
}

#[test]
fn a_row_is_its_values_with_tabs_between_them() {
    assert_eq!(
        outcomes(&[r#""7""#, r#""Ada""#, "1.5"]),
        [line("7\tAda\t1.5")]
    );
}

#[test]
fn a_null_is_empty() {
    assert_eq!(outcomes(&[r#""7""#, "null", "null"]), [line("7\t\t")]);
}

#[test]
fn a_text_that_needs_escapes_fails_its_row() {
    let failure = Failure::unsupported("a value of the column `Name` needs escapes");
    assert_eq!(
        outcomes(&[r#""7""#, r#""A\tB""#, "1.5"]),
        [Outcome::Failed(0, failure)]
    );
}

#[test]
fn parameters_are_refused() {
    assert!(Lines::configure("{}").is_ok());
    let errors = Lines::configure(r#"{"separator":";"}"#).err().unwrap();
    assert_eq!(errors[0].message, "there are no parameters");
}
