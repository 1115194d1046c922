//! Expected texts are written by hand from Spanner's documentation.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>

use acequia_guest::spanner::testing::{Change, Outcome, Row, Values, batch, deserialize};
use acequia_guest::spanner::{Column, Deserializer};
use acequia_guest::{Control, Failure, Gap};

use crate::Json;

const fn column<'a>(name: &'a str, type_json: &'a str, position: i64) -> Column<'a> {
    Column {
        name,
        type_json,
        is_primary_key: position == 1,
        ordinal_position: position,
    }
}

const COLUMNS: [Column<'_>; 3] = [
    column("AccountId", r#"{"code":"STRING"}"#, 1),
    column("LastUpdate", r#"{"code":"TIMESTAMP"}"#, 2),
    column("Balance", r#"{"code":"INT64"}"#, 3),
];

const ID1: Row<'_> = Row {
    id: "2022-09-27T12:30:00.123456Z/6329047911/00000000/0",
    keys: Values::Members(&[("AccountId", "\"Id1\"")]),
    new_values: Values::Members(&[
        ("LastUpdate", "\"2022-09-27T12:30:00.123456Z\""),
        ("Balance", "\"500\""),
    ]),
    old_values: Values::Members(&[
        ("LastUpdate", "\"2022-09-26T11:28:00.189413Z\""),
        ("Balance", "\"1500\""),
    ]),
};

const ID2: Row<'_> = Row {
    id: "2022-09-27T12:30:00.123456Z/6329047911/00000000/1",
    keys: Values::Members(&[("AccountId", "\"Id2\"")]),
    new_values: Values::Members(&[("Balance", "null")]),
    old_values: Values::Null,
};

const TRANSFER: Change<'_> = Change {
    id: "2022-09-27T12:30:00.123456Z/6329047911/00000000",
    table: "AccountBalance",
    columns: &COLUMNS,
    commit_timestamp: "2022-09-27T12:30:00.123456Z",
    commit_time: (1_664_281_800, 123_456_000),
    record_sequence: "00000000",
    server_transaction_id: "6329047911",
    mod_type: "UPDATE",
    value_capture_type: "OLD_AND_NEW_VALUES",
    transaction_tag: "app=banking,env=prod",
    is_last_record_in_transaction_in_partition: true,
    is_system_transaction: false,
    number_of_records_in_transaction: 1,
    number_of_partitions_in_transaction: 2,
    mods: &[ID1, ID2],
};

fn run(config: &str, records: &[Change<'_>]) -> Vec<Outcome> {
    let guest = Json::configure(config).unwrap_or_else(|errors| panic!("{errors:?}"));
    deserialize(&guest, &batch(records))
}

fn output(source: u32, key: &str, value: &str) -> Outcome {
    Outcome::Output(source, String::new(), key.into(), value.to_owned())
}

#[test]
fn every_row_change_is_one_json_text() {
    let first = concat!(
        r#"{"id":"2022-09-27T12:30:00.123456Z/6329047911/00000000/0","#,
        r#""table_name":"AccountBalance","mod_type":"UPDATE","keys":{"AccountId":"Id1"},"#,
        r#""new_values":{"LastUpdate":"2022-09-27T12:30:00.123456Z","Balance":"500"},"#,
        r#""old_values":{"LastUpdate":"2022-09-26T11:28:00.189413Z","Balance":"1500"},"#,
        r#""commit_timestamp":"2022-09-27T12:30:00.123456Z","record_sequence":"00000000","#,
        r#""server_transaction_id":"6329047911","mod_index":0,"#,
        r#""is_last_record_in_transaction_in_partition":true,"#,
        r#""number_of_records_in_transaction":1,"number_of_partitions_in_transaction":2,"#,
        r#""transaction_tag":"app=banking,env=prod","is_system_transaction":false,"#,
        r#""value_capture_type":"OLD_AND_NEW_VALUES"}"#,
    );
    let second = concat!(
        r#"{"id":"2022-09-27T12:30:00.123456Z/6329047911/00000000/1","#,
        r#""table_name":"AccountBalance","mod_type":"UPDATE","keys":{"AccountId":"Id2"},"#,
        r#""new_values":{"Balance":null},"old_values":null,"#,
        r#""commit_timestamp":"2022-09-27T12:30:00.123456Z","record_sequence":"00000000","#,
        r#""server_transaction_id":"6329047911","mod_index":1,"#,
        r#""is_last_record_in_transaction_in_partition":true,"#,
        r#""number_of_records_in_transaction":1,"number_of_partitions_in_transaction":2,"#,
        r#""transaction_tag":"app=banking,env=prod","is_system_transaction":false,"#,
        r#""value_capture_type":"OLD_AND_NEW_VALUES"}"#,
    );
    assert_eq!(
        run("{}", &[TRANSFER]),
        [
            output(0, r#"{"AccountId":"Id1"}"#, first),
            output(0, r#"{"AccountId":"Id2"}"#, second),
        ]
    );
}

#[test]
fn a_record_is_one_json_text_without_a_key_when_it_has_several_rows() {
    let value = concat!(
        r#"{"id":"2022-09-27T12:30:00.123456Z/6329047911/00000000","#,
        r#""table_name":"AccountBalance","mod_type":"UPDATE","mods":["#,
        r#"{"keys":{"AccountId":"Id1"},"#,
        r#""new_values":{"LastUpdate":"2022-09-27T12:30:00.123456Z","Balance":"500"},"#,
        r#""old_values":{"LastUpdate":"2022-09-26T11:28:00.189413Z","Balance":"1500"}},"#,
        r#"{"keys":{"AccountId":"Id2"},"new_values":{"Balance":null},"old_values":null}],"#,
        r#""commit_timestamp":"2022-09-27T12:30:00.123456Z","record_sequence":"00000000","#,
        r#""server_transaction_id":"6329047911","#,
        r#""is_last_record_in_transaction_in_partition":true,"#,
        r#""number_of_records_in_transaction":1,"number_of_partitions_in_transaction":2,"#,
        r#""transaction_tag":"app=banking,env=prod","is_system_transaction":false,"#,
        r#""value_capture_type":"OLD_AND_NEW_VALUES","column_types":["#,
        r#"{"name":"AccountId","type":{"code":"STRING"},"is_primary_key":true,"ordinal_position":1},"#,
        r#"{"name":"LastUpdate","type":{"code":"TIMESTAMP"},"is_primary_key":false,"ordinal_position":2},"#,
        r#"{"name":"Balance","type":{"code":"INT64"},"is_primary_key":false,"ordinal_position":3}]}"#,
    );
    assert_eq!(
        run(
            r#"{"granularity":"record","column-types":true}"#,
            &[TRANSFER]
        ),
        [output(0, "", value)]
    );
}

#[test]
fn a_record_of_a_single_row_has_that_rows_key() {
    let single = Change {
        mods: &[ID2],
        ..TRANSFER
    };
    let outcomes = run(r#"{"granularity":"record"}"#, &[single]);
    let [Outcome::Output(0, _, key, _)] = outcomes.as_slice() else {
        panic!("{outcomes:?}");
    };
    assert_eq!(key, br#"{"AccountId":"Id2"}"#);
}

#[test]
fn the_members_of_a_key_are_sorted_by_column_name_and_their_names_escaped() {
    let columns = [
        column("b\"\u{1}", r#"{"code":"INT64"}"#, 1),
        column("a", r#"{"code":"STRING"}"#, 1),
        column("Z", r#"{"code":"BOOL"}"#, 1),
    ];
    let members = [("b\"\u{1}", "\"2\""), ("a", "null"), ("Z", "true")];
    let row = Row {
        keys: Values::Members(&members),
        ..Row::default()
    };
    let outcomes = run(
        "{}",
        &[Change {
            columns: &columns,
            mods: &[row],
            ..Change::default()
        }],
    );
    let [Outcome::Output(0, _, key, _)] = outcomes.as_slice() else {
        panic!("{outcomes:?}");
    };
    assert_eq!(key, br#"{"Z":true,"a":null,"b\"\u0001":"2"}"#);
}

#[test]
fn values_pass_as_the_source_encodes_them_and_absent_objects_stay_away() {
    let columns = [
        column("Id", r#"{"code":"INT64"}"#, 1),
        column("F", r#"{"code":"FLOAT64"}"#, 2),
        column(
            "A",
            r#"{"code":"ARRAY","array_element_type":{"code":"JSON"}}"#,
            3,
        ),
        column("New", r#"{"code":"TYPE_OF_TOMORROW"}"#, 4),
    ];
    let members = [
        ("F", "\"NaN\""),
        ("A", r#"[null, "{\"a\":[1,2]}"]"#),
        ("New", r#"{"x": 1e400}"#),
    ];
    let row = Row {
        keys: Values::Members(&[("Id", "\"9223372036854775807\"")]),
        new_values: Values::Members(&members),
        ..Row::default()
    };
    let outcomes = run(
        "{}",
        &[Change {
            mod_type: "INSERT",
            columns: &columns,
            mods: &[row],
            ..Change::default()
        }],
    );
    let [Outcome::Output(0, _, key, value)] = outcomes.as_slice() else {
        panic!("{outcomes:?}");
    };
    assert_eq!(key, br#"{"Id":"9223372036854775807"}"#);
    let objects = concat!(
        r#""mod_type":"INSERT","keys":{"Id":"9223372036854775807"},"#,
        r#""new_values":{"F":"NaN","A":[null, "{\"a\":[1,2]}"],"New":{"x": 1e400}},"#,
        r#""commit_timestamp""#,
    );
    assert!(value.contains(objects), "{value}");
    assert!(!value.contains("old_values"), "{value}");
}

#[test]
fn a_row_without_a_primary_key_fails_its_whole_record_and_no_other() {
    let keyless = Change {
        mods: &[
            ID1,
            Row {
                keys: Values::Null,
                ..ID2
            },
        ],
        ..TRANSFER
    };
    let single = Change {
        mods: &[ID1],
        ..TRANSFER
    };
    let outcomes = run("{}", &[single, keyless, single]);
    let sources: Vec<u32> = outcomes
        .iter()
        .map(|outcome| match outcome {
            Outcome::Output(source, ..) | Outcome::Failed(source, _) => *source,
        })
        .collect();
    assert_eq!(sources, [0, 2, 1]);
    assert_eq!(
        outcomes.last(),
        Some(&Outcome::Failed(
            1,
            Failure::malformed("modification 1 has no keys")
        ))
    );
}

#[test]
fn a_gap_is_a_control_text_without_a_key() {
    let guest = Json::configure("{}").unwrap_or_else(|errors| panic!("{errors:?}"));
    let outputs = guest.control(&Control::Gap(Gap {
        id: "gap/1".to_owned(),
        lost_from: "2022-09-27T12:30:00Z".to_owned(),
        resumed_at: "2022-09-28T00:00:00Z".to_owned(),
        reason: "the position \"expired\"".to_owned(),
    }));
    let [output] = outputs.as_slice() else {
        panic!("{outputs:?}");
    };
    assert_eq!((output.key.as_str(), output.topic.as_str()), ("", ""));
    assert_eq!(
        output.value,
        concat!(
            r#"{"id":"gap/1","control":"gap","lost_from":"2022-09-27T12:30:00Z","#,
            r#""resumed_at":"2022-09-28T00:00:00Z","reason":"the position \"expired\""}"#,
        )
    );
}
