//! A row as JSON.

use acequia_decode::Texts;
use acequia_decode::rows::RowBatch;
use serde::Serialize;
use serde_json::value::RawValue;

use super::text;

/// The row with the columns that a recording describes its table by; values stay the texts that were
/// read. Columns and values are lists, since a query may name two columns alike.
#[derive(Serialize)]
struct Raw<'a> {
    table: &'a str,
    read_timestamp: &'a str,
    partition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Box<RawValue>>,
    columns: Vec<Column>,
    values: Vec<Option<Box<RawValue>>>,
}

#[derive(Serialize)]
struct Column {
    name: String,
    r#type: Option<Box<RawValue>>,
    is_primary_key: bool,
}

pub(super) fn raw(batch: &RowBatch, row: usize) -> String {
    let columns = (0..batch.columns()).map(|column| Column {
        name: text(&batch.column_names, column),
        r#type: json(&batch.column_types, column),
        is_primary_key: batch.column_keys.get(column) == Some(&1),
    });
    let raw = Raw {
        table: &batch.table,
        read_timestamp: &batch.read_timestamp,
        partition: &batch.partition,
        key: json(&batch.keys, row),
        columns: columns.collect(),
        values: batch
            .row(row)
            .map(|cell| json(&batch.cells, cell))
            .collect(),
    };
    serde_json::to_string(&raw).unwrap_or_default()
}

/// A JSON text as it was read; none where there is none.
fn json(texts: &Texts, index: usize) -> Option<Box<RawValue>> {
    RawValue::from_string(text(texts, index)).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_row_is_kept_whole_with_its_columns_in_order() {
        let mut batch = RowBatch::default();
        batch
            .read_timestamp
            .push_str("2026-01-31T12:00:00.000000001Z");
        batch.partition.push_str("query/0");
        for (name, code) in [("a", "INT64"), ("a", "JSON"), ("", "FLOAT64")] {
            batch.column_names.push(name.as_bytes());
            let type_json = format!(r#"{{"code":"{code}"}}"#);
            batch.column_types.push(type_json.as_bytes());
            batch.column_keys.push(0);
        }
        batch.ids.push(b"2026-01-31T12:00:00.000000001Z/5f/0");
        batch.keys.push(b"");
        for value in [r#""1""#, "null", "1.50"] {
            batch.cells.push(value.as_bytes());
        }
        let text = raw(&batch, 0);
        assert!(text.contains("1.50"), "{text}");
        let raw: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            raw,
            json!({
                "table": "",
                "read_timestamp": "2026-01-31T12:00:00.000000001Z",
                "partition": "query/0",
                "columns": [
                    {"name": "a", "type": {"code": "INT64"}, "is_primary_key": false},
                    {"name": "a", "type": {"code": "JSON"}, "is_primary_key": false},
                    {"name": "", "type": {"code": "FLOAT64"}, "is_primary_key": false},
                ],
                "values": ["1", null, 1.5],
            })
        );
    }
}
