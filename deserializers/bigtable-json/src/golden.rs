//! Expected texts are written by hand from the README. Base64 is that of Python's `base64`.

use acequia_guest::bigtable::testing::{Outcome, Row, batch, deserialize};
use acequia_guest::bigtable::{Change, Deserializer, Input};
use acequia_guest::{Control, Gap};

use crate::Json;

const ID: &str = "2026-05-08T12:00:00.123456Z/7/cluster-1/b3JkZXIjNw==";

/// One entry of each kind.
const EVERY_KIND: &[(&str, Change<'_>)] = &[
    (
        "state",
        Change::SetCell {
            qualifier: b"paid",
            timestamp_micros: 1_778_241_600_123_000,
            value: b"yes",
        },
    ),
    (
        "state",
        Change::DeleteCells {
            qualifier: b"paid",
            start_micros: 1_000,
            end_micros: Some(2_000),
        },
    ),
    ("old", Change::DeleteFamily),
    (
        "sums",
        Change::AddToCell {
            qualifier: b"total",
            timestamp_micros: 0,
            input: Input::Number(-9_223_372_036_854_775_808),
        },
    ),
    (
        "sums",
        Change::MergeToCell {
            qualifier: b"total",
            timestamp_micros: 5,
            input: Input::Bytes(b"hll\x00\x80"),
        },
    ),
];

const WRITE: Row<'_> = Row {
    id: ID,
    row_key: b"order#7",
    is_garbage_collection: false,
    source_cluster_id: "cluster-1",
    commit_timestamp: "2026-05-08T12:00:00.123456Z",
    commit_time: (1_778_241_600, 123_456_000),
    tie_breaker: 7,
    estimated_low_watermark: "2026-05-08T11:59:58.000000Z",
    entries: EVERY_KIND,
};

fn run(config: &str, rows: &[Row<'_>]) -> Vec<Outcome> {
    let guest = Json::configure(config).unwrap_or_else(|errors| panic!("{errors:?}"));
    deserialize(&guest, &batch("orders", rows))
}

/// The values of a batch whose records all gave outputs, each with the row key of `WRITE`.
fn values(config: &str, rows: &[Row<'_>]) -> Vec<String> {
    let value = |outcome| match outcome {
        Outcome::Output(_, topic, key, value) => {
            assert_eq!((topic.as_str(), key.as_slice()), ("", WRITE.row_key));
            value
        }
        Outcome::Failed(..) => panic!("{outcome:?}"),
    };
    run(config, rows).into_iter().map(value).collect()
}

/// The fields of `WRITE` between its id and its entries, its row key as it is shown.
fn fields(row_key: &str) -> String {
    format!(
        concat!(
            r#""table":"orders","row_key":{},"mutation_type":"user","#,
            r#""source_cluster_id":"cluster-1","commit_timestamp":"2026-05-08T12:00:00.123456Z","#,
            r#""tie_breaker":7,"estimated_low_watermark":"2026-05-08T11:59:58.000000Z""#,
        ),
        row_key
    )
}

const IN_BASE64: [&str; 5] = [
    r#"{"kind":"set_cell","family":"state","qualifier":"cGFpZA==","timestamp_micros":1778241600123000,"value":"eWVz"}"#,
    r#"{"kind":"delete_cells","family":"state","qualifier":"cGFpZA==","start_timestamp_micros":1000,"end_timestamp_micros":2000}"#,
    r#"{"kind":"delete_family","family":"old"}"#,
    r#"{"kind":"add_to_cell","family":"sums","qualifier":"dG90YWw=","timestamp_micros":0,"input":-9223372036854775808}"#,
    r#"{"kind":"merge_to_cell","family":"sums","qualifier":"dG90YWw=","timestamp_micros":5,"input":"aGxsAIA="}"#,
];

const IN_UTF8: [&str; 5] = [
    r#"{"kind":"set_cell","family":"state","qualifier":"paid","timestamp_micros":1778241600123000,"value":"yes"}"#,
    r#"{"kind":"delete_cells","family":"state","qualifier":"paid","start_timestamp_micros":1000,"end_timestamp_micros":2000}"#,
    r#"{"kind":"delete_family","family":"old"}"#,
    r#"{"kind":"add_to_cell","family":"sums","qualifier":"total","timestamp_micros":0,"input":-9223372036854775808}"#,
    r#"{"kind":"merge_to_cell","family":"sums","qualifier":"total","timestamp_micros":5,"input":{"base64":"aGxsAIA="}}"#,
];

#[test]
fn a_mutation_is_one_json_text_with_all_its_entries() {
    for (config, row_key, entries) in [
        ("{}", r#""b3JkZXIjNw==""#, IN_BASE64),
        (r#"{"encoding":"utf8"}"#, r#""order#7""#, IN_UTF8),
    ] {
        let expected = format!(
            r#"{{"id":"{ID}",{},"entries":[{}]}}"#,
            fields(row_key),
            entries.join(",")
        );
        assert_eq!(values(config, &[WRITE]), [expected], "{config}");
    }
}

#[test]
fn an_entry_is_one_json_text_with_the_fields_of_its_mutation() {
    for (encoding, row_key, entries) in [
        ("base64", r#""b3JkZXIjNw==""#, IN_BASE64),
        ("utf8", r#""order#7""#, IN_UTF8),
    ] {
        let config = format!(r#"{{"granularity":"entry","encoding":"{encoding}"}}"#);
        let fields = fields(row_key);
        let expected: Vec<String> = (0..)
            .zip(entries)
            .map(|(place, entry)| format!(r#"{{"id":"{ID}#{place}",{fields},"entry":{entry}}}"#))
            .collect();
        assert_eq!(values(&config, &[WRITE]), expected, "{config}");
    }
}

#[test]
fn an_open_range_ends_in_null_and_begins_at_0() {
    let deleted = Row {
        entries: &[(
            "state",
            Change::DeleteCells {
                qualifier: b"",
                start_micros: 0,
                end_micros: None,
            },
        )],
        ..WRITE
    };
    let values = values("{}", &[deleted]);
    let entry = r#""entries":[{"kind":"delete_cells","family":"state","qualifier":"","start_timestamp_micros":0,"end_timestamp_micros":null}]}"#;
    assert!(values[0].ends_with(entry), "{}", values[0]);
}

#[test]
fn an_input_is_a_number_or_bytes_whatever_was_done_with_it() {
    let change = |input| Change::AddToCell {
        qualifier: b"",
        timestamp_micros: 0,
        input,
    };
    let merge = |input| Change::MergeToCell {
        qualifier: b"",
        timestamp_micros: 0,
        input,
    };
    let entries = [
        ("sums", change(Input::Bytes(b"7"))),
        ("sums", merge(Input::Number(7))),
        ("sums", merge(Input::Bytes(b""))),
        ("sums", merge(Input::Number(0))),
    ];
    let row = Row {
        entries: &entries,
        ..WRITE
    };
    let values = values(r#"{"granularity":"entry","encoding":"utf8"}"#, &[row]);
    for (value, input) in values.iter().zip([r#""7""#, "7", r#""""#, "0"]) {
        assert!(
            value.ends_with(&format!(r#""input":{input}}}}}"#)),
            "{value}"
        );
    }
    assert_eq!(values.len(), entries.len());
}

#[test]
fn garbage_collection_has_no_source_cluster() {
    let collected = Row {
        is_garbage_collection: true,
        source_cluster_id: "",
        entries: &[("old", Change::DeleteFamily)],
        ..WRITE
    };
    let values = values("{}", &[collected]);
    let type_and_cluster = r#","mutation_type":"garbage_collection","source_cluster_id":"","#;
    assert!(values[0].contains(type_and_cluster), "{}", values[0]);
}

#[test]
fn a_mutation_without_entries_is_an_output_and_has_no_output_per_entry() {
    let empty = Row {
        entries: &[],
        ..WRITE
    };
    let whole = values("{}", &[empty]);
    assert!(whole[0].ends_with(r#","entries":[]}"#), "{}", whole[0]);
    assert_eq!(run(r#"{"granularity":"entry"}"#, &[empty]), []);
}

#[test]
fn keys_are_the_bytes_of_the_row_key_however_they_are_shown() {
    let row_key = b"\xfb\xff\x00";
    let row = Row {
        row_key,
        entries: &[],
        ..WRITE
    };
    for (config, shown) in [
        ("{}", r#""row_key":"+/8A","#),
        (r#"{"encoding":"utf8"}"#, r#""row_key":{"base64":"+/8A"},"#),
    ] {
        let outcomes = run(config, &[row]);
        let [Outcome::Output(0, _, key, value)] = outcomes.as_slice() else {
            panic!("{outcomes:?}");
        };
        assert_eq!(key, row_key);
        assert!(value.contains(shown), "{value}");
    }
}

#[test]
fn a_text_that_looks_like_the_object_of_other_bytes_stays_a_string() {
    let row = Row {
        entries: &[(
            "state",
            Change::SetCell {
                qualifier: b"n\xc3\xa9",
                timestamp_micros: 1,
                value: br#"{"base64":"/w=="}"#,
            },
        )],
        ..WRITE
    };
    let values = values(r#"{"encoding":"utf8"}"#, &[row]);
    let cell = r#""qualifier":"né","timestamp_micros":1,"value":"{\"base64\":\"/w==\"}"}]}"#;
    assert!(values[0].ends_with(cell), "{}", values[0]);
}

#[test]
fn a_gap_is_a_control_text_without_a_key() {
    let guest = Json::configure("{}").unwrap_or_else(|errors| panic!("{errors:?}"));
    let outputs = guest.control(&Control::Gap(Gap {
        id: "gap/1".to_owned(),
        lost_from: "2026-05-08T12:00:00Z".to_owned(),
        resumed_at: "2026-05-09T00:00:00Z".to_owned(),
        reason: "the position expired".to_owned(),
    }));
    let [output] = outputs.as_slice() else {
        panic!("{outputs:?}");
    };
    let value = concat!(
        r#"{"id":"gap/1","control":"gap","lost_from":"2026-05-08T12:00:00Z","#,
        r#""resumed_at":"2026-05-09T00:00:00Z","reason":"the position expired"}"#,
    );
    assert_eq!((output.key.as_str(), output.value.as_str()), ("", value));
}
