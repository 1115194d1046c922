//! Rows of a table as READ records.

use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{
    Change, ChangeBatch, Column, Mod, READ, ReadRecords, Rebuild, TableSchema,
};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::TypeCode;
use proptest::prelude::*;

use crate::random::Random;
use crate::spanner::frames::{encode, null, of, text};
use crate::spanner::rebuild::rebuilt;
use crate::spanner::rows::drive::{query, read, table, texts};
use crate::spanner::rows::frames::{columns, first};
use crate::spanner::rows::generate::rows;

/// Two rows of `Things`: the second has a null.
fn things() -> RowBatch {
    let metadata = columns([
        ("b", of(TypeCode::String)),
        ("k", of(TypeCode::Int64)),
        ("a", of(TypeCode::Bytes)),
    ]);
    let values = [
        text("x\"y"),
        text("1"),
        text("AP8="),
        null(),
        text("2"),
        null(),
    ];
    read(table(), [encode(&first(&metadata, values))]).unwrap()
}

fn records(rows: &RowBatch) -> ChangeBatch {
    let mut batch = ChangeBatch::default();
    ReadRecords::default().append(&mut batch, rows).unwrap();
    batch
}

#[test]
fn a_row_is_one_record_of_one_modification() {
    let batch = records(&things());
    assert_eq!(batch.records(), 2);
    assert_eq!(batch.mod_ends, [1, 2]);
    assert_eq!(texts(&batch.tables.names), ["Things"]);
    assert_eq!(batch.table, [0, 0]);
    assert_eq!(texts(&batch.tables.column_names), ["b", "k", "a"]);
    assert_eq!(batch.tables.column_keys, [0, 1, 0]);
    assert_eq!(batch.tables.column_ordinals, [1, 2, 3]);
    let ids = [
        r#"2026-11-30T20:41:00.5Z/Things/{"k":"1"}"#,
        r#"2026-11-30T20:41:00.5Z/Things/{"k":"2"}"#,
    ];
    assert_eq!(texts(&batch.ids), ids);
    assert_eq!(texts(&batch.mod_ids), ids);
    assert_eq!(
        texts(&batch.commit_timestamps),
        ["2026-11-30T20:41:00.5Z"; 2]
    );
    assert_eq!(batch.commit_times.nanos, [500_000_000; 2]);
    assert_eq!(texts(&batch.mod_types), ["READ"; 2]);
    assert_eq!(texts(&batch.value_capture_types), ["NEW_ROW"; 2]);
    for empty in [
        &batch.record_sequences,
        &batch.transaction_ids,
        &batch.transaction_tags,
    ] {
        assert_eq!(texts(empty), [""; 2]);
    }
    assert_eq!(
        (batch.is_last.as_slice(), batch.is_system.as_slice()),
        (&[0; 2][..], &[0; 2][..])
    );
    assert_eq!(batch.records_in_transaction, [0; 2]);
    assert_eq!(batch.partitions_in_transaction, [0; 2]);
    assert_eq!(texts(&batch.keys.texts), [r#"{"k":"1"}"#, r#"{"k":"2"}"#]);
    let new_values = [r#"{"b":"x\"y","a":"AP8="}"#, r#"{"b":null,"a":null}"#];
    assert_eq!(texts(&batch.new_values.texts), new_values);
    assert_eq!(texts(&batch.old_values.texts), ["{}"; 2]);
    assert_eq!(batch.new_values.cell_columns, [0, 2, 0, 2]);
}

#[test]
fn batches_of_one_table_share_its_description() {
    let (mut batch, mut reads) = (ChangeBatch::default(), ReadRecords::default());
    for _ in 0..2 {
        reads.append(&mut batch, &things()).unwrap();
    }
    assert_eq!(batch.records(), 4);
    assert_eq!(batch.tables.names.len(), 1);
}

#[test]
fn rows_without_a_key_are_no_rows_of_a_table() {
    let metadata = columns([("k", of(TypeCode::Int64))]);
    let rows = read(query(), [encode(&first(&metadata, [text("1")]))]).unwrap();
    let mut batch = ChangeBatch::default();
    let error = ReadRecords::default()
        .append(&mut batch, &rows)
        .unwrap_err();
    assert_eq!(error.path(), "rows[0].keys");
    assert!(batch == ChangeBatch::default());
}

/// A READ record made by hand.
fn rebuild(transaction_id: &str, mods: &[Mod<'_>]) -> Result<ChangeBatch, String> {
    let column = |name: &str, is_key| Column {
        name: name.to_owned(),
        is_key,
        ..Column::default()
    };
    let table = TableSchema::new("Things", vec![column("k", true)]).unwrap();
    let change = Change {
        commit_timestamp: "2026-11-30T20:41:00Z",
        record_sequence: "",
        transaction_id,
        mod_type: READ,
        value_capture_type: "NEW_ROW",
        transaction_tag: "",
        is_last: false,
        is_system: false,
        records_in_transaction: 0,
        partitions_in_transaction: 0,
        mods,
    };
    let mut batch = ChangeBatch::default();
    let appended = Rebuild::default().append(&mut batch, &table, &change);
    assert!(appended.is_ok() || batch == ChangeBatch::default());
    appended
        .map(|()| batch)
        .map_err(|error| error.path().to_owned())
}

#[test]
fn a_row_made_by_hand_has_one_modification_with_its_key() {
    let row = Mod {
        keys: Some(r#"{"k":"1"}"#),
        ..Mod::default()
    };
    let batch = rebuild("", &[row]).unwrap();
    assert_eq!(
        texts(&batch.ids),
        [r#"2026-11-30T20:41:00Z/Things/{"k":"1"}"#]
    );
    assert_eq!(
        rebuild("", &[Mod::default()]),
        Err("mods[0].keys".to_owned())
    );
    for mods in [&[][..], &[row, row]] {
        assert_eq!(rebuild("", mods), Err("mods".to_owned()));
    }
    // With a transaction it is a change like any other, and that has a sequence.
    assert_eq!(rebuild("tx", &[row]), Err("record_sequence".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_recording_of_rows_gives_the_same_batch(seed: u64, size in 0_usize..6) {
        let random = &mut Random(seed);
        let frames = rows(random, size, true).cut(random);
        let rows = read(table(), frames.iter().map(encode)).unwrap();
        let batch = records(&rows);
        prop_assert_eq!(batch.records(), size);
        prop_assert_eq!(texts(&batch.keys.texts), texts(&rows.keys));
        prop_assert!(rebuilt(&batch) == batch);
    }
}
