//! Recordings of rows: what is written comes back equal, and what is written by hand is read.

use std::collections::BTreeMap;
use std::path::Path;

use acequia_decode::rows::RowBatch;
use acequia_host::batch::{Batch, Shape};
use acequia_host::recording::{Reader, Recorded, Writer};
use serde_json::{Value, json};

const HEADER: &str = r#"{"format":"acequia-recording","version":1,"shape":"rows"}"#;
const TABLE: &str = r#"{"table":{"name":"T","columns":[{"name":"Id","type":{"code":"INT64"},"is_primary_key":true},{"name":"V","type":{"code":"JSON"}}]}}"#;
const READ_AT: &str = "2026-01-31T12:00:00.000000001Z";

fn empty(table: &str, partition: &str, columns: &[(&str, &str, u8)]) -> RowBatch {
    let mut batch = RowBatch::default();
    batch.table.push_str(table);
    batch.read_timestamp.push_str(READ_AT);
    batch.partition.push_str(partition);
    for (name, type_json, is_key) in columns {
        batch.column_names.push(name.as_bytes());
        batch.column_types.push(type_json.as_bytes());
        batch.column_keys.push(*is_key);
    }
    batch
}

/// Two rows of a table, with values of every kind that JSON has.
fn of_table(partition: &str) -> Batch {
    let columns = [
        ("Id", r#"{"code":"INT64"}"#, 1),
        ("V", r#"{"code":"JSON"}"#, 0),
    ];
    let mut batch = empty("T", partition, &columns);
    for (id, value) in [("1", r#""{\"a\": 1}""#), ("2", r#"[ 1.50,{"b":null}]"#)] {
        let key = format!(r#"{{"Id": "{id}"}}"#);
        batch.ids.push(format!("{READ_AT}/T/{key}").as_bytes());
        batch.keys.push(key.as_bytes());
        batch.cells.push(format!("\"{id}\"").as_bytes());
        batch.cells.push(value.as_bytes());
    }
    batch.into()
}

/// A row of a query that names two columns alike and one not at all.
fn of_query() -> Batch {
    let columns = [
        ("a", r#"{"code":"INT64"}"#, 0),
        ("a", r#"{"code":"BOOL"}"#, 0),
        ("", r#"{"code":"STRING"}"#, 0),
    ];
    let mut batch = empty("", "query/0", &columns);
    batch.ids.push(format!("{READ_AT}/5f1d/7").as_bytes());
    batch.keys.push(b"");
    for value in [r#""1""#, "true", "null"] {
        batch.cells.push(value.as_bytes());
    }
    batch.into()
}

fn written(batches: &[Batch]) -> String {
    let mut bytes = Vec::new();
    let mut writer = Writer::begin(&mut bytes, Shape::Rows, &BTreeMap::new()).unwrap();
    for batch in batches {
        writer.batch(batch).unwrap();
    }
    String::from_utf8(bytes).unwrap()
}

fn reader(text: &str) -> Reader<&[u8]> {
    Reader::over(text.as_bytes(), Path::new("cases")).unwrap()
}

fn part(batch: Batch) -> Recorded {
    Recorded::Batch(Box::new(batch))
}

/// A row by hand with other members.
fn row(others: Value) -> String {
    let mut row = json!({
        "table": "T", "read_timestamp": READ_AT, "partition": "T/0",
        "key": {"Id": "1"}, "values": ["1", null],
    });
    for (name, value) in others.as_object().unwrap() {
        row[name] = value.clone();
    }
    json!({ "row": row }).to_string()
}

#[test]
fn what_is_written_comes_back_equal_in_every_column() {
    let batches = [
        of_table("T/0"),
        of_query(),
        of_table("T/1"),
        of_table("T/1"),
    ];
    let text = written(&batches);
    let read: Vec<Recorded> = reader(&text).map(Result::unwrap).collect();
    assert_eq!(read, batches.map(part));
    // A table that was described is not described again.
    assert_eq!(text.matches(r#"{"table":{"name""#).count(), 2);
    assert_eq!(reader(&text).shape(), Shape::Rows);
}

#[test]
fn an_id_stands_in_a_row_only_where_it_does_not_follow() {
    let text = written(&[of_table("T/0"), of_query()]);
    let ids: Vec<Option<String>> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| line.get("row").cloned())
        .map(|row| row.get("id").map(|id| id.as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(ids, [None, None, Some(format!("{READ_AT}/5f1d/7"))]);
}

#[test]
fn what_is_the_rule_may_be_left_out() {
    let query = r#"{"table":{"name":"","columns":[{"name":"","type":{"code":"INT64"}}]}}"#;
    let row = r#"{"row":{"read_timestamp":"2026-01-31T12:00:00Z","id":"i","values":[7]}}"#;
    let text = format!("{HEADER}\n{query}\n\n{row}");
    let read = reader(&text).next().unwrap().unwrap();
    let Recorded::Batch(batch) = &read else {
        panic!("{read:?}");
    };
    let Batch::Rows(batch) = batch.as_ref() else {
        panic!("{batch:?}");
    };
    assert_eq!((batch.table.as_str(), batch.partition.as_str()), ("", ""));
    assert_eq!(
        (batch.keys.get(0), batch.ids.get(0)),
        (Some(&b""[..]), Some(&b"i"[..]))
    );
    assert_eq!(
        (batch.column_keys.as_slice(), batch.cell(0, 0)),
        (&[0][..], Some(&b"7"[..]))
    );
}

#[test]
fn batches_that_are_cut_anew_are_of_one_partition_each() {
    let text = written(&[
        of_table("T/0"),
        of_table("T/0"),
        of_query(),
        of_table("T/1"),
    ]);
    let cut = |records: usize| {
        let reader = reader(&text).with_batch_records(records.try_into().unwrap());
        let records = reader.map(|part| match part.unwrap() {
            Recorded::Batch(batch) => batch.records(),
            Recorded::Control(_) => panic!("there is no control record"),
        });
        records.collect::<Vec<_>>()
    };
    assert_eq!(cut(100), [4, 1, 2]);
    assert_eq!(cut(3), [3, 1, 1, 2]);
    assert_eq!(cut(1), [1; 7]);
}

#[test]
fn a_row_that_follows_rows_of_another_partition_needs_an_end_between_them() {
    let (first, second) = (row(json!({})), row(json!({ "partition": "T/1" })));
    let text = format!("{HEADER}\n{TABLE}\n{first}\n{second}");
    let said = reader(&text).next().unwrap().unwrap_err().to_string();
    assert!(
        said.starts_with("cases, line 4: the batch so far has rows of another"),
        "{said}"
    );
    let text = format!("{HEADER}\n{TABLE}\n{first}\n{{\"end\":\"batch\"}}\n{second}");
    assert_eq!(reader(&text).filter(Result::is_ok).count(), 2);
}

#[test]
fn a_line_that_is_no_row_is_refused_with_the_reason() {
    for (others, reason) in [
        (
            json!({ "values": ["1"] }),
            "the row has 1 values, and its table has 2 columns",
        ),
        (json!({ "table": "U" }), "no table \"U\" is described above"),
        (json!({ "key": null }), "a row without a key needs an id"),
        (
            json!({ "read_timestamp": "2026-01-31T12:00:00+01:00" }),
            "is no RFC 3339 instant with a Z",
        ),
        (json!({ "rows": [] }), "unknown field `rows`"),
    ] {
        let text = format!("{HEADER}\n{TABLE}\n{}", row(others));
        let said = reader(&text).next().unwrap().unwrap_err().to_string();
        assert!(
            said.starts_with("cases, line 3: ") && said.contains(reason),
            "{said}"
        );
    }
    let placed = TABLE.replace(r#""name":"V","#, r#""name":"V","ordinal_position":2,"#);
    let text = format!("{HEADER}\n{placed}");
    let said = reader(&text).next().unwrap().unwrap_err().to_string();
    assert!(said.contains("has no ordinal_position"), "{said}");
}
