//! Rows that nobody read, to try components on: one with a value of each type of Spanner, and one with
//! nulls. They tell a component's answer to a type whatever the columns of a query are, which are not
//! known before it is read.

use acequia_decode::rows::RowBatch;
use jiff::Timestamp;
use serde_json::Value;

use super::made_values::{Sample, sample};
use crate::check::components::Made;
use crate::spanner::request::Dialect;

/// The type of the key, and of each column after it.
const TYPES: [&str; 13] = [
    "INT64",
    "BOOL",
    "INT64",
    "FLOAT32",
    "FLOAT64",
    "NUMERIC",
    "STRING(MAX)",
    "BYTES(MAX)",
    "DATE",
    "TIMESTAMP",
    "JSON",
    "UUID",
    "ARRAY<STRING(MAX)>",
];

/// Makes rows of a table, or of a query where `table` is empty: those have no key.
pub(in crate::check) fn make(table: &str, at: Timestamp) -> Made {
    let samples = TYPES.map(|r#type| sample(r#type, Dialect::GoogleSql));
    let mut batch = RowBatch::default();
    batch.table.push_str(table);
    batch.read_timestamp.push_str(&at.to_string());
    batch.partition.push_str("made-for-a-check/0");
    for (place, Sample { r#type, .. }) in samples.iter().enumerate() {
        batch.column_names.push(format!("made_{place}").as_bytes());
        batch.column_types.push(r#type.to_string().as_bytes());
        let is_key = place == 0 && !table.is_empty();
        batch.column_keys.push(u8::from(is_key));
    }
    push(&mut batch, 0, samples.iter().skip(1).map(|of| &of.value));
    push(
        &mut batch,
        1,
        samples.iter().skip(1).map(|_of| &Value::Null),
    );
    Made {
        of: format!("{} types", TYPES.len() - 1),
        batch: batch.into(),
    }
}

/// A row that is told from others by its number.
fn push<'a>(batch: &mut RowBatch, number: u8, values: impl Iterator<Item = &'a Value>) {
    let (read_timestamp, table) = (&batch.read_timestamp, &batch.table);
    let (id, key) = if table.is_empty() {
        (
            format!("{read_timestamp}/made-for-a-check/{number}"),
            String::new(),
        )
    } else {
        let key = format!(r#"{{"made_0":"{number}"}}"#);
        (format!("{read_timestamp}/{table}/{key}"), key)
    };
    batch.ids.push(id.as_bytes());
    batch.keys.push(key.as_bytes());
    batch.cells.push(format!("\"{number}\"").as_bytes());
    for value in values {
        batch.cells.push(value.to_string().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use acequia_decode::rows::RowBatch;
    use jiff::Timestamp;

    use super::{TYPES, make};
    use crate::batch::Batch;

    fn made(table: &str) -> RowBatch {
        match make(table, Timestamp::UNIX_EPOCH).batch {
            Batch::Rows(batch) => batch,
            Batch::Spanner(_) | Batch::Bigtable(_) => panic!("rows were asked for"),
        }
    }

    fn text(value: Option<&[u8]>) -> &str {
        std::str::from_utf8(value.unwrap()).unwrap()
    }

    #[test]
    fn a_row_has_a_value_of_each_type_and_another_has_nulls() {
        let batch = made("Singers");
        assert_eq!((batch.rows(), batch.columns()), (2, TYPES.len()));
        assert_eq!(batch.cells.len(), 2 * TYPES.len());
        assert_eq!(text(batch.cell(0, 0)), r#""0""#);
        assert_eq!(text(batch.cell(0, 12)), r#"["made for a check"]"#);
        assert_eq!(text(batch.cell(1, 12)), "null");
        assert_eq!(
            text(batch.ids.get(1)),
            r#"1970-01-01T00:00:00Z/Singers/{"made_0":"1"}"#
        );
    }

    #[test]
    fn rows_of_a_query_have_no_key() {
        let batch = made("");
        assert!(batch.column_keys.iter().all(|is_key| *is_key == 0));
        assert_eq!(text(batch.keys.get(0)), "");
        assert_eq!(
            text(batch.ids.get(1)),
            "1970-01-01T00:00:00Z/made-for-a-check/1"
        );
    }
}
