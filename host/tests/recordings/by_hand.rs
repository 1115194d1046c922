//! A recording that somebody wrote, with what is the rule left out.

use std::path::Path;

use acequia_decode::Texts;
use acequia_decode::spanner::{ChangeBatch, Objects};
use acequia_host::batch::Batch;
use acequia_host::recording::{Reader, Recorded};

const CASES: &str = r#"{"format":"acequia-recording","version":1,"shape":"spanner-changes"}

{"table":{"name":"T","columns":[{"name":"Id","type":{"code":"INT64"},"is_primary_key":true},{"name":"V","type":{"code":"NEW"}}]}}
{"table":{"as":"T before","name":"T","columns":[{"name":"Id","type":"","ordinal_position":9}]}}

{"change":{"table":"T","mod_type":"INSERT","mods":[{"keys": {"Id": "1"},"new_values":null}],"commit_timestamp":"2026-01-02T04:04:05.50+01:00","record_sequence":"0","server_transaction_id":"tx"}}
{"change":{"table":"T before","mod_type":"LATER","mods":[],"commit_timestamp":"2026-01-02T03:04:06Z","record_sequence":"0","server_transaction_id":"ty"}}
"#;

fn batch() -> ChangeBatch {
    let parts: Vec<Recorded> = Reader::over(CASES.as_bytes(), Path::new("cases"))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    match <[Recorded; 1]>::try_from(parts).unwrap() {
        [Recorded::Batch(batch)] => match *batch {
            Batch::Spanner(batch) => batch,
            Batch::Bigtable(_) | Batch::Rows(_) => panic!("the first line says Spanner"),
        },
        [Recorded::Control(_)] => panic!("there is no control record"),
    }
}

fn texts(texts: &Texts) -> Vec<&str> {
    texts
        .iter()
        .map(|text| std::str::from_utf8(text).unwrap())
        .collect()
}

#[test]
fn the_ids_follow_from_the_record_and_an_offset_becomes_a_z() {
    let batch = batch();
    assert_eq!(
        texts(&batch.ids),
        ["2026-01-02T03:04:05.50Z/tx/0", "2026-01-02T03:04:06Z/ty/0"]
    );
    assert_eq!(texts(&batch.mod_ids), ["2026-01-02T03:04:05.50Z/tx/0/0"]);
    assert_eq!(batch.commit_times.nanos, [500_000_000, 0]);
}

#[test]
fn what_is_left_out_is_what_spanner_mostly_sends() {
    let batch = batch();
    assert_eq!(texts(&batch.value_capture_types), ["OLD_AND_NEW_VALUES"; 2]);
    assert_eq!(texts(&batch.transaction_tags), [""; 2]);
    assert_eq!((batch.is_last, batch.is_system), (vec![1, 1], vec![0, 0]));
    assert_eq!(
        (
            batch.records_in_transaction,
            batch.partitions_in_transaction
        ),
        (vec![1, 1], vec![1, 1])
    );
    assert_eq!(batch.tables.column_ordinals, [1, 2, 9]);
    assert_eq!(batch.tables.column_keys, [1, 0, 0]);
}

#[test]
fn an_object_that_is_left_out_was_not_sent_and_a_null_was() {
    let batch = batch();
    assert_eq!(texts(&batch.keys.texts), [r#"{"Id": "1"}"#]);
    assert_eq!(texts(&batch.new_values.texts), ["null"]);
    assert_eq!(texts(&batch.old_values.texts), [""]);
    let Objects {
        cell_starts,
        cell_stops,
        ..
    } = batch.keys;
    assert_eq!((cell_starts, cell_stops), (vec![7], vec![10]));
}

#[test]
fn a_table_may_be_described_in_two_ways_under_two_names() {
    let batch = batch();
    assert_eq!(texts(&batch.tables.names), ["T", "T"]);
    assert_eq!(
        texts(&batch.tables.column_types),
        [r#"{"code":"INT64"}"#, r#"{"code":"NEW"}"#, ""]
    );
    assert_eq!(batch.table, [0, 1]);
}
