//! A batch that is built again from what it holds equals itself in every column.

use acequia_decode::spanner::{
    Change, ChangeBatch, Column, Mod, Objects, Options, Rebuild, Shape, TableSchema,
};
use acequia_decode::{Malformed, Texts};
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{Type, TypeCode};
use proptest::prelude::*;

use crate::random::Random;
use crate::spanner::chunker::cut;
use crate::spanner::drive::{Keep, read_into};
use crate::spanner::frames::{encode, google_sql_type, of};
use crate::spanner::generate::{
    google_sql_row, mutable_record, mutable_row, postgres_row, record, shuffle,
};

const FILTERS: [Keep; 2] = [
    |_table, _column| true,
    |_table, column| column.len() % 2 == 1 || column.is_empty(),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_decoded_can_be_built_again(seed: u64, size in 0_usize..6) {
        let random = &mut Random(seed);
        let mut google_sql = google_sql_type();
        shuffle(random, &mut google_sql);
        for shape in [Shape::GoogleSql, Shape::PostgresJson, Shape::MutableProto] {
            let (column, rows): (Type, Vec<_>) = match shape {
                Shape::GoogleSql => {
                    let rows = (0..size).map(|_| google_sql_row(random, &google_sql));
                    (google_sql.clone(), rows.collect())
                }
                Shape::PostgresJson => {
                    let rows = (0..size).map(|_| {
                        let record = record(random);
                        postgres_row(random, &record)
                    });
                    (of(TypeCode::Json), rows.collect())
                }
                Shape::MutableProto => {
                    let rows = (0..size).map(|_| mutable_row(&mutable_record(random)));
                    (of(TypeCode::Proto), rows.collect())
                }
            };
            let frames = cut(random, &column, &rows);
            for keep in FILTERS {
                let mut batch = ChangeBatch::default();
                let frames = frames.iter().map(encode);
                read_into(&mut batch, shape, Options::default(), keep, frames).unwrap();
                prop_assert!(rebuilt(&batch) == batch);
            }
        }
    }
}

/// A batch of the records that this one holds.
pub(crate) fn rebuilt(batch: &ChangeBatch) -> ChangeBatch {
    let mut again = ChangeBatch::default();
    let mut rebuild = Rebuild::default();
    let tables: Vec<_> = (0..batch.tables.names.len())
        .map(|table| schema(batch, table))
        .collect();
    for record in 0..batch.records() {
        let mods: Vec<_> = span(&batch.mod_ends, record)
            .map(|index| Mod {
                keys: object(&batch.keys, index),
                new_values: object(&batch.new_values, index),
                old_values: object(&batch.old_values, index),
            })
            .collect();
        let change = Change {
            commit_timestamp: at(&batch.commit_timestamps, record),
            record_sequence: at(&batch.record_sequences, record),
            transaction_id: at(&batch.transaction_ids, record),
            mod_type: at(&batch.mod_types, record),
            value_capture_type: at(&batch.value_capture_types, record),
            transaction_tag: at(&batch.transaction_tags, record),
            is_last: batch.is_last[record] == 1,
            is_system: batch.is_system[record] == 1,
            records_in_transaction: batch.records_in_transaction[record],
            partitions_in_transaction: batch.partitions_in_transaction[record],
            mods: &mods,
        };
        let table = &tables[batch.table[record] as usize];
        rebuild.append(&mut again, table, &change).unwrap();
    }
    again
}

fn schema(batch: &ChangeBatch, table: usize) -> TableSchema {
    let tables = &batch.tables;
    let columns = span(&tables.column_ends, table).map(|column| Column {
        name: at(&tables.column_names, column).to_owned(),
        type_json: at(&tables.column_types, column).to_owned(),
        is_key: tables.column_keys[column] == 1,
        ordinal: tables.column_ordinals[column],
    });
    TableSchema::new(at(&tables.names, table), columns.collect()).unwrap()
}

fn object(objects: &Objects, index: usize) -> Option<&str> {
    Some(at(&objects.texts, index)).filter(|text| !text.is_empty())
}

fn at(texts: &Texts, index: usize) -> &str {
    std::str::from_utf8(texts.get(index).unwrap()).unwrap()
}

fn span(ends: &[u32], index: usize) -> std::ops::Range<usize> {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start as usize..ends[index] as usize
}

/// A record of one row of a table with the key `Id`.
fn append(batch: &mut ChangeBatch, timestamp: &str, keys: &str) -> Result<(), Malformed> {
    let column = Column {
        name: "Id".to_owned(),
        is_key: true,
        ..Column::default()
    };
    let table = TableSchema::new("Things", vec![column]).unwrap();
    let change = Change {
        commit_timestamp: timestamp,
        record_sequence: "00000000",
        transaction_id: "tx",
        mod_type: "INSERT",
        value_capture_type: "NEW_ROW",
        transaction_tag: "",
        is_last: true,
        is_system: false,
        records_in_transaction: 1,
        partitions_in_transaction: 1,
        mods: &[Mod {
            keys: Some(keys),
            ..Mod::default()
        }],
    };
    Rebuild::default().append(batch, &table, &change)
}

#[test]
fn a_record_made_by_hand_gets_the_ids_that_a_decoded_one_has() {
    let mut batch = ChangeBatch::default();
    append(&mut batch, "2026-01-02T03:04:05.5Z", r#"{"Id":"1"}"#).unwrap();
    assert_eq!(at(&batch.ids, 0), "2026-01-02T03:04:05.5Z/tx/00000000");
    assert_eq!(
        at(&batch.mod_ids, 0),
        "2026-01-02T03:04:05.5Z/tx/00000000/0"
    );
    assert_eq!(batch.commit_times.seconds, [1_767_323_045]);
    assert_eq!(batch.commit_times.nanos, [500_000_000]);
}

#[test]
fn a_record_that_a_stream_would_be_refused_for_leaves_the_batch_as_it_was() {
    let mut batch = ChangeBatch::default();
    append(&mut batch, "2026-01-02T03:04:05Z", r#"{"Id":"1"}"#).unwrap();
    let before = batch.clone();
    for (timestamp, keys, place) in [
        ("yesterday", "{}", "commit_timestamp"),
        ("2026-01-02T03:04:05Z", r#"{"Name":"Ada"}"#, "mods[0].keys"),
        ("2026-01-02T03:04:05Z", r#"{"Id":1,"Id":1}"#, "mods[0].keys"),
        ("2026-01-02T03:04:05Z", r#"{"Id":1"#, "mods[0].keys"),
    ] {
        let error = append(&mut batch, timestamp, keys).unwrap_err();
        assert_eq!(error.path(), place);
        assert!(batch == before, "{keys}");
    }
}
