//! The cutter of `mods` objects against `serde_json`, on texts that are right and wrong.

use acequia_decode::spanner::{Options, Shape};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::random::Random;
use crate::soak;
use crate::spanner::drive::{Keep, Read, read, read_all};
use crate::spanner::frames::{self, encode, envelope, flag, google_sql_type, list, text};
use crate::spanner::generate::{json_object, json_text};
use crate::spanner::slow;

/// A stream of one record whose only modification has these new values.
fn stream(columns: &[String], new_values: &str) -> bytes::Bytes {
    let column = |name: &String| {
        let of = text("{\"code\":\"JSON\"}");
        list([text(name), of, flag(false), text("1")])
    };
    let mut record = frames::data([frames::modification("{}", new_values, "{}")]);
    if let Some(prost_types::value::Kind::ListValue(fields)) = &mut record.kind {
        fields.values[5] = list(columns.iter().map(column));
    }
    encode(&frames::frame(
        google_sql_type(),
        [envelope(vec![record], vec![], vec![])],
    ))
}

/// The new values as text and cells, or that they were refused.
fn cut(columns: &[&str], new_values: &str) -> Result<Json, String> {
    let columns: Vec<_> = columns.iter().map(|name| (*name).to_owned()).collect();
    let reads = read_all(Shape::GoogleSql, [stream(&columns, new_values)]);
    match reads.map_err(|error| error.to_string())?.as_slice() {
        [Read::Record(record)] => Ok(record["mods"][0]["new"].clone()),
        other => panic!("one record, not {other:?}"),
    }
}

fn refused(columns: &[&str], new_values: &str) -> String {
    cut(columns, new_values).unwrap_err()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: soak::times(2048, 100), ..ProptestConfig::default() })]

    #[test]
    fn cells_are_the_members_that_serde_json_finds(seed: u64, size in 0_usize..6, damage in 0_usize..3) {
        let random = &mut Random(seed);
        let members: Vec<_> = (0..size)
            .map(|index| (format!("{}{}", random.text(3), index % 5), json_text(random, 3)))
            .collect();
        let mut columns: Vec<_> = members.iter().map(|member| member.0.clone()).collect();
        columns.sort();
        columns.dedup();
        let mut chars: Vec<_> = json_object(random, &members).chars().collect();
        for _ in 0..damage {
            let at = random.below(chars.len());
            match random.below(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, ['"', '\\', ',', '{', ' ', '0', '\u{1}'][random.below(7)]),
                _ => chars.truncate(at.max(1)),
            }
        }
        let new_values: String = chars.into_iter().collect();
        let expected = slow::members(&new_values).ok().filter(|members| {
            members.iter().all(|(name, _)| columns.contains(name))
        });
        let found = read_all(Shape::GoogleSql, [stream(&columns, &new_values)]);
        match expected {
            None => prop_assert!(found.is_err(), "{:?}", new_values),
            Some(members) => {
                let cells: Vec<_> = members.iter().map(|(name, value)| json!([name, value.get()])).collect();
                let found = found.unwrap();
                let [Read::Record(record)] = found.as_slice() else { panic!("one record") };
                prop_assert_eq!(&record["mods"][0]["new"], &json!([new_values, cells]));
            }
        }
    }
}

#[test]
fn values_pass_as_they_were_sent() {
    let sent = r#"{ "a" :"NaN","b": [1, null ,{"c":"\u00e9"}] , "c":9007199254740993}"#;
    let cells = json!([
        ["a", "\"NaN\""],
        ["b", r#"[1, null ,{"c":"\u00e9"}]"#],
        ["c", "9007199254740993"]
    ]);
    assert_eq!(cut(&["a", "b", "c"], sent), Ok(json!([sent, cells])));
}

#[test]
fn an_escaped_name_is_the_column_that_it_spells() {
    let found = cut(&["a\u{1f600}"], r#"{"\u0061\ud83d\ude00":1}"#).unwrap();
    assert_eq!(found[1], json!([["a\u{1f600}", "1"]]));
}

#[test]
fn a_repeated_member_is_malformed_however_it_is_spelled() {
    assert_eq!(
        refused(&["a"], r#"{"a":1,"\u0061":2}"#),
        "malformed message: expected each member once \
         at data_change_record.mods[0].new_values, offset 7"
    );
}

#[test]
fn a_member_that_no_column_names_is_malformed() {
    let error = refused(&["a"], r#"{"a":1,"secret":2}"#);
    assert!(
        error.contains("a member that column_types names"),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
}

#[test]
fn anything_around_or_instead_of_an_object_is_malformed() {
    for sent in [
        "{}x", "{}{}", "[]", "1", "\"a\"", "true", "", "nul", "null1", "{\"a\":1",
    ] {
        refused(&["a"], sent);
    }
}

#[test]
fn null_is_not_an_empty_object_and_not_an_absent_one() {
    assert_eq!(cut(&["a"], " null "), Ok(json!(["null", []])));
    assert_eq!(cut(&["a"], "{ }"), Ok(json!(["{ }", []])));
}

#[test]
fn a_dropped_member_leaves_no_trace_and_the_rest_stays_as_sent() {
    let keep: Keep = |_, column| column != "b" && column != "d";
    let columns = ["a", "b", "c", "d"].map(str::to_owned);
    let sent = r#" { "a" : 1 , "b" : 2, "\u0063":[ 3 ],"d":4 } "#;
    let reads = read(
        Shape::GoogleSql,
        Options::default(),
        keep,
        [stream(&columns, sent)],
    );
    let reads = reads.unwrap();
    let [Read::Record(record)] = reads.as_slice() else {
        panic!("one record");
    };
    let expected = json!([r#"{"a" : 1,"\u0063":[ 3 ]}"#, [["a", "1"], ["c", "[ 3 ]"]]]);
    assert_eq!(record["mods"][0]["new"], expected);
    assert_eq!(record["dropped"], 2);
}
