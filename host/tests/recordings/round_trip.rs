//! Any batch comes back equal in every column.

use std::collections::BTreeMap;
use std::path::Path;

use acequia_decode::spanner::{Change, ChangeBatch, Column, Mod, Rebuild, TableSchema};
use acequia_host::batch::{Batch, Shape};
use acequia_host::guest::Control;
use acequia_host::guest::Gap;
use acequia_host::recording::{Reader, Recorded, Writer};
use proptest::prelude::*;
use proptest::sample::select;

/// Texts that a line-based, JSON-based format could get wrong.
fn text() -> impl Strategy<Value = String> {
    let nasty = [
        "",
        " ",
        "null",
        "\"",
        "\\",
        "\n",
        "\r\n",
        "\u{2028}",
        "\u{0}",
        "{",
        "{}",
        "Orders#2",
        "é水🦀",
    ];
    prop_oneof![
        select(nasty.to_vec()).prop_map(str::to_owned),
        "[ -~]{1,8}",
        "\\PC{1,6}"
    ]
}

/// JSON values as a source may encode them: white space, escapes and numbers are kept as they are.
fn value() -> impl Strategy<Value = String> {
    let fixed = [
        "null",
        "\"NaN\"",
        "-0.0E-2",
        "1e400",
        "9007199254740993",
        "[ 1 , null ]",
        "\"\\u00e9\\/\"",
        "{\"a\":{\"b\": [\n]}}",
        "\"a\\nb\"",
        "true",
    ];
    prop_oneof![
        select(fixed.to_vec()).prop_map(str::to_owned),
        text().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ]
}

#[derive(Clone, Debug)]
struct Table {
    name: String,
    columns: Vec<(String, String, bool, i64)>,
}

fn table() -> impl Strategy<Value = Table> {
    let name = select(&["Orders", "Orders#2", "Customers", "a\nb"][..]);
    let r#type = prop_oneof![
        Just("{\"code\":\"INT64\"}".to_owned()),
        Just("{ \"code\" : \"NEW\" }".to_owned()),
        text()
    ];
    let column = (text(), r#type, any::<bool>(), any::<i64>());
    (name, prop::collection::vec(column, 1..5)).prop_map(|(name, columns)| Table {
        name: name.to_owned(),
        // Each column has one name, which is not empty.
        columns: (0..)
            .zip(columns)
            .map(|(place, (name, r#type, key, ordinal))| {
                (format!("{name}{place}"), r#type, key, ordinal)
            })
            .collect(),
    })
}

/// An object of some columns, by their places and values; none, or a null.
#[derive(Clone, Debug)]
enum Object {
    Absent,
    Null,
    Members(Vec<(usize, String)>, &'static str),
}

fn object() -> impl Strategy<Value = Object> {
    let members = prop::collection::btree_map(0_usize..5, value(), 0..4);
    let space = select(&["", " ", "\n"][..]);
    prop_oneof![
        1 => Just(Object::Absent),
        1 => Just(Object::Null),
        4 => (members, space).prop_map(|(members, space)| {
            Object::Members(members.into_iter().rev().collect(), space)
        }),
    ]
}

impl Object {
    fn text(&self, table: &Table) -> Option<String> {
        match self {
            Self::Absent => None,
            Self::Null => Some("null".to_owned()),
            Self::Members(members, space) => {
                let members = members.iter().filter_map(|(place, value)| {
                    let name = &table.columns.get(*place)?.0;
                    Some(format!("{}:{value}", serde_json::to_string(name).unwrap()))
                });
                let members: Vec<String> = members.collect();
                Some(format!("{space}{{{space}{}}}", members.join(",")))
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Record {
    table: prop::sample::Index,
    texts: [String; 3],
    ids: (String, String),
    commit: &'static str,
    flags: (bool, bool),
    numbers: (i64, i64),
    mods: Vec<[Object; 3]>,
}

fn record() -> impl Strategy<Value = Record> {
    let commits = [
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.000Z",
        "1969-12-31T23:59:59.123456789Z",
    ];
    (
        any::<prop::sample::Index>(),
        [text(), text(), text()],
        ("[0-9]{8}", "[ -~]{1,20}"),
        select(commits.to_vec()),
        any::<(bool, bool)>(),
        any::<(i64, i64)>(),
        prop::collection::vec([object(), object(), object()], 0..4),
    )
        .prop_map(|(table, texts, ids, commit, flags, numbers, mods)| Record {
            table,
            texts,
            ids,
            commit,
            flags,
            numbers,
            mods,
        })
}

/// Batches of records of a few tables; each batch describes its tables anew, as a reader that was
/// opened again does.
fn batches(tables: &[Table], batches: &[Vec<Record>]) -> Vec<Batch> {
    let mut rebuild = Rebuild::default();
    batches
        .iter()
        .map(|records| {
            let schemas: Vec<TableSchema> = tables.iter().map(schema).collect();
            let mut batch = ChangeBatch::default();
            for record in records {
                let place = record.table.index(tables.len());
                append(
                    &mut rebuild,
                    &mut batch,
                    &tables[place],
                    &schemas[place],
                    record,
                );
            }
            batch.into()
        })
        .collect()
}

fn schema(table: &Table) -> TableSchema {
    let columns = table.columns.iter().cloned();
    let columns = columns.map(|(name, type_json, is_key, ordinal)| Column {
        name,
        type_json,
        is_key,
        ordinal,
    });
    TableSchema::new(&table.name, columns.collect()).unwrap()
}

fn append(
    rebuild: &mut Rebuild,
    batch: &mut ChangeBatch,
    table: &Table,
    schema: &TableSchema,
    record: &Record,
) {
    let mods = record.mods.iter();
    let texts: Vec<_> = mods
        .map(|mods| mods.each_ref().map(|one| one.text(table)))
        .collect();
    let mods: Vec<Mod<'_>> = texts
        .iter()
        .map(|[keys, new_values, old_values]| Mod {
            keys: keys.as_deref(),
            new_values: new_values.as_deref(),
            old_values: old_values.as_deref(),
        })
        .collect();
    let change = Change {
        commit_timestamp: record.commit,
        record_sequence: &record.ids.0,
        transaction_id: &record.ids.1,
        mod_type: &record.texts[0],
        value_capture_type: &record.texts[1],
        transaction_tag: &record.texts[2],
        is_last: record.flags.0,
        is_system: record.flags.1,
        records_in_transaction: record.numbers.0,
        partitions_in_transaction: record.numbers.1,
        mods: &mods,
    };
    rebuild.append(batch, schema, &change).unwrap();
}

fn gap() -> Gap {
    Gap {
        id: "gap/a/b".to_owned(),
        lost_from: "2026-01-01T00:00:00Z".to_owned(),
        resumed_at: "2026-01-02T00:00:00Z".to_owned(),
        reason: "a\nb".to_owned(),
    }
}

fn written(batches: &[Batch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let source = BTreeMap::from([("database".to_owned(), "a \"b\"".to_owned())]);
    let mut writer = Writer::begin(&mut bytes, Shape::Spanner, &source).unwrap();
    for batch in batches {
        writer.batch(batch).unwrap();
        writer.control(&Control::Gap(gap())).unwrap();
    }
    bytes
}

fn read(bytes: &[u8]) -> Reader<&[u8]> {
    Reader::over(bytes, Path::new("recording")).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_comes_back_equal_in_every_column(
        tables in prop::collection::vec(table(), 1..4),
        records in prop::collection::vec(prop::collection::vec(record(), 1..6), 0..4),
    ) {
        let batches = batches(&tables, &records);
        let bytes = written(&batches);
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        prop_assert_eq!(std::str::from_utf8(&bytes).unwrap().lines().count(), lines);

        let reader = read(&bytes);
        prop_assert_eq!(&reader.source()["database"], "a \"b\"");
        let parts: Vec<Recorded> = reader.map(Result::unwrap).collect();
        let expected: Vec<Recorded> = batches
            .into_iter()
            .flat_map(|batch| [Recorded::Batch(Box::new(batch)), Recorded::Control(Control::Gap(gap()))])
            .collect();
        prop_assert_eq!(parts, expected);
    }

    #[test]
    fn batches_can_be_cut_anew_and_no_record_is_lost(
        tables in prop::collection::vec(table(), 1..3),
        records in prop::collection::vec(prop::collection::vec(record(), 1..6), 1..4),
        size in 1_usize..5,
    ) {
        let batches = batches(&tables, &records);
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, Shape::Spanner, &BTreeMap::new()).unwrap();
        batches.iter().for_each(|batch| writer.batch(batch).unwrap());
        let reader = read(&bytes).with_batch_records(size.try_into().unwrap());
        let cut: Vec<Box<Batch>> = reader
            .map(|part| match part.unwrap() {
                Recorded::Batch(batch) => batch,
                Recorded::Control(_) => panic!("there is no control record"),
            })
            .collect();
        let ids = |batch: &Batch| batch.ids().iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
        prop_assert!(cut.iter().rev().skip(1).all(|batch| batch.records() == size));
        let (before, after): (Vec<_>, Vec<_>) =
            (batches.iter().flat_map(ids).collect(), cut.iter().flat_map(|batch| ids(batch)).collect());
        prop_assert_eq!(before, after);
    }

    /// Whatever is done to a file, reading it ends, with batches or with a line and a reason.
    #[test]
    fn a_damaged_file_never_breaks_the_reader(
        tables in prop::collection::vec(table(), 1..3),
        records in prop::collection::vec(prop::collection::vec(record(), 1..4), 1..3),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = written(&batches(&tables, &records));
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(reader) = Reader::over(&bytes[..], Path::new("recording")) {
            for part in reader {
                if let Err(error) = part {
                    prop_assert!(error.to_string().starts_with("recording, line "), "{}", error);
                }
            }
        }
    }
}
