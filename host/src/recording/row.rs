//! A row as JSON, and the columns of its table.

use std::borrow::Cow;

use acequia_decode::Texts;
use acequia_decode::rows::RowBatch;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::format::Json;
use super::tables::{Described, DescribedColumn};
use super::text::json_of;

/// A row.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row<'a> {
    /// The `as` of a table, or its name where it has none. Default: empty, as a query is called.
    #[serde(default)]
    pub(super) table: String,
    /// RFC 3339 with a `Z`.
    pub(super) read_timestamp: Cow<'a, str>,
    /// Default: empty.
    #[serde(default)]
    pub(super) partition: Cow<'a, str>,
    /// The primary key, an object. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Json<'a>>,
    /// Default: `read timestamp/table/key`. A row without a key has no default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<Cow<'a, str>>,
    /// One per column.
    pub(super) values: Vec<Json<'a>>,
}

impl<'a> Row<'a> {
    /// A row of a batch, whose table has been given a name.
    pub(super) fn of(
        batch: &'a RowBatch,
        row: usize,
        called: &str,
    ) -> Result<Self, serde_json::Error> {
        let key = text(&batch.keys, row);
        let id = text(&batch.ids, row);
        let follows = !key.is_empty() && id == default_id(&batch.read_timestamp, &batch.table, key);
        let values = batch
            .row(row)
            .map(|cell| value_of(text(&batch.cells, cell)));
        Ok(Self {
            table: called.to_owned(),
            read_timestamp: Cow::Borrowed(&batch.read_timestamp),
            partition: Cow::Borrowed(&batch.partition),
            key: Some(key)
                .filter(|key| !key.is_empty())
                .map(json_of)
                .transpose()?,
            id: (!follows).then_some(Cow::Borrowed(id)),
            values: values.collect::<Result<_, _>>()?,
        })
    }
}

/// The id of a row that has a key.
pub(super) fn default_id(read_timestamp: &str, table: &str, key: &str) -> String {
    format!("{read_timestamp}/{table}/{key}")
}

/// What all rows of a batch are of.
pub(super) fn described(batch: &RowBatch) -> Described {
    let columns = (0..batch.columns()).map(|column| DescribedColumn {
        name: text(&batch.column_names, column).to_owned(),
        type_json: text(&batch.column_types, column).to_owned(),
        is_key: batch.column_keys.get(column) == Some(&1),
        ordinal: None,
    });
    Described {
        name: batch.table.clone(),
        columns: columns.collect(),
    }
}

/// A value stands in a line as its own text, which must be JSON of one line.
fn value_of(text: &str) -> Result<Json<'_>, serde_json::Error> {
    if text.contains(['\n', '\r']) {
        return Err(serde_json::Error::custom("a value has several lines"));
    }
    serde_json::from_str::<&RawValue>(text).map(Cow::Borrowed)
}

/// Every text of a batch is UTF-8.
fn text(texts: &Texts, index: usize) -> &str {
    std::str::from_utf8(texts.get(index).unwrap_or_default()).unwrap_or_default()
}
