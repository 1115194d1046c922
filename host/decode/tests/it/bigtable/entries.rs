//! The kinds of entries, and the columns around them.

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::mutation::{
    AddToCell, DeleteFromColumn, DeleteFromRow, MergeToCell, Mutation as Kind,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, data_change::Type,
};
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::value::Kind as ValueKind;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::{TimestampRange, Value};

use super::drive::{Cell, Row, read_one};
use super::frames::{at, data, delete_column, delete_family, entry, set, whole};

fn only(chunk: MutationChunk) -> Cell {
    let row = read_one([data(whole([chunk]))]).unwrap();
    let [cell] = row.entries.as_slice() else {
        panic!("one entry");
    };
    cell.clone()
}

fn refused(chunk: MutationChunk) -> (String, String) {
    let error = read_one([data(whole([set("f", b"q", b""), chunk]))]).unwrap_err();
    (error.what().to_owned(), error.path().to_owned())
}

fn value(kind: ValueKind) -> Option<Value> {
    Some(Value {
        kind: Some(kind),
        ..Value::default()
    })
}

fn raw(bytes: &'static [u8]) -> Option<Value> {
    value(ValueKind::RawValue(Bytes::from_static(bytes)))
}

fn add(input: Option<Value>) -> AddToCell {
    AddToCell {
        family_name: "sum".to_owned(),
        column_qualifier: raw(b"\xff"),
        timestamp: value(ValueKind::RawTimestampMicros(-3)),
        input,
    }
}

#[test]
fn a_mutation_is_read_with_its_head() {
    let expected = Row {
        // The row key `row` in Base64, by `printf row | base64`.
        id: "1970-01-01T00:01:40.000007Z/1/c1/cm93".to_owned(),
        row_key: b"row".to_vec(),
        is_garbage_collection: 0,
        source_cluster_id: "c1".to_owned(),
        commit_timestamp: "1970-01-01T00:01:40.000007Z".to_owned(),
        commit_time: (100, 7_000),
        tie_breaker: 1,
        low_watermark: "1970-01-01T00:01:30.000000Z".to_owned(),
        entries: vec![Cell {
            kind: 0,
            family: "f".to_owned(),
            qualifier: b"q".to_vec(),
            timestamp_micros: 5_000,
            value: b"v".to_vec(),
            ..Cell::default()
        }],
        token: "token".to_owned(),
        dropped: 0,
    };
    assert_eq!(
        read_one([data(whole([set("f", b"q", b"v")]))]),
        Ok(expected)
    );
}

#[test]
fn garbage_collection_has_no_cluster() {
    let change = DataChange {
        r#type: Type::GarbageCollection.into(),
        source_cluster_id: String::new(),
        commit_timestamp: at(-1, 0),
        tiebreaker: -2,
        ..whole([delete_column("f", b"q")])
    };
    let row = read_one([data(change)]).unwrap();
    assert_eq!(row.id, "1969-12-31T23:59:59.000000Z/-2//cm93");
    assert_eq!(
        (row.is_garbage_collection, &*row.source_cluster_id),
        (1, "")
    );
    assert_eq!(row.entries[0].kind, 1);
}

#[test]
fn a_cell_may_have_an_empty_qualifier_and_an_empty_value() {
    let cell = only(set("f", b"", b""));
    assert_eq!((cell.qualifier, cell.value), (vec![], vec![]));
}

#[test]
fn deleted_cells_have_a_range_whose_end_of_0_is_no_bound() {
    let range = |time_range| {
        let cell = only(entry(Kind::DeleteFromColumn(DeleteFromColumn {
            family_name: "f".to_owned(),
            column_qualifier: Bytes::from_static(b"q"),
            time_range,
        })));
        assert_eq!((cell.kind, cell.timestamp_micros), (1, 0));
        cell.range
    };
    let between = |start_timestamp_micros, end_timestamp_micros| {
        range(Some(TimestampRange {
            start_timestamp_micros,
            end_timestamp_micros,
        }))
    };
    assert_eq!(range(None), (0, 0));
    assert_eq!(between(0, 0), (0, 0));
    assert_eq!(between(7, 0), (7, 0));
    assert_eq!(between(7, 9), (7, 9));
}

#[test]
fn a_deleted_family_has_neither_column_nor_value() {
    let expected = Cell {
        kind: 2,
        family: "f".to_owned(),
        ..Cell::default()
    };
    assert_eq!(only(delete_family("f")), expected);
}

#[test]
fn an_aggregate_takes_a_number_or_bytes() {
    let base = Cell {
        kind: 3,
        family: "sum".to_owned(),
        qualifier: b"\xff".to_vec(),
        timestamp_micros: -3,
        ..Cell::default()
    };
    let added = add(value(ValueKind::IntValue(-5)));
    let expected = Cell {
        addend: Some(-5),
        ..base.clone()
    };
    assert_eq!(only(entry(Kind::AddToCell(added))), expected);
    let expected = Cell {
        value: b"x".to_vec(),
        ..base.clone()
    };
    assert_eq!(only(entry(Kind::AddToCell(add(raw(b"x"))))), expected);
    let AddToCell {
        family_name,
        column_qualifier,
        timestamp,
        input,
    } = add(raw(b"state"));
    let merged = MergeToCell {
        family_name,
        column_qualifier,
        timestamp,
        input,
    };
    let expected = Cell {
        kind: 4,
        value: b"state".to_vec(),
        ..base
    };
    assert_eq!(only(entry(Kind::MergeToCell(merged))), expected);
}

#[test]
fn an_aggregate_of_other_values_is_refused() {
    let place = |added: AddToCell| refused(entry(Kind::AddToCell(added))).1;
    let number = || value(ValueKind::IntValue(1));
    let path = "data_change.chunks[1].mutation.add_to_cell";
    let other = AddToCell {
        column_qualifier: number(),
        ..add(number())
    };
    assert_eq!(place(other), format!("{path}.column_qualifier"));
    let other = AddToCell {
        timestamp: number(),
        ..add(number())
    };
    assert_eq!(place(other), format!("{path}.timestamp"));
    for input in [
        None,
        value(ValueKind::BoolValue(true)),
        Some(Value::default()),
    ] {
        assert_eq!(place(add(input)), format!("{path}.input"));
    }
}

#[test]
fn what_is_not_known_names_an_upgrade() {
    let path = "data_change.chunks[1].mutation";
    let empty = MutationChunk::default();
    let what = "a kind of mutation that is known; a newer Acequia may be needed";
    assert_eq!(refused(empty), (what.to_owned(), path.to_owned()));
    let (what, place) = refused(entry(Kind::DeleteFromRow(DeleteFromRow {})));
    assert!(what.starts_with("delete_from_family"), "{what}");
    assert_eq!(place, path);
}

#[test]
fn every_entry_names_its_family() {
    let place = refused(delete_family("")).1;
    assert_eq!(
        place,
        "data_change.chunks[1].mutation.delete_from_family.family_name"
    );
}

#[test]
fn a_field_that_was_added_is_skipped() {
    use prost::Message as _;
    let mutation = set("f", b"q", b"v").mutation.unwrap().encode_to_vec();
    // `timestamp_origin`, field 7 of a newer `Mutation`, before the cell.
    let mutation = [b"\x38\x01", &mutation[..]].concat();
    let chunk = [&[0x12, mutation.len() as u8][..], &mutation].concat();
    let change = whole([]).encode_to_vec();
    let change = [
        &change[..],
        &[0x32, chunk.len() as u8],
        &chunk,
        b"\x7d\0\0\0\0",
    ]
    .concat();
    let frame = [&[0x0a, change.len() as u8][..], &change].concat();
    let row = read_one([Bytes::from(frame)]).unwrap();
    assert_eq!(row.entries[0].value, b"v");
}
