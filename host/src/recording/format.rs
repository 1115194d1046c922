//! The lines of a recording. The names are those of Spanner's documentation; those of a mutation of
//! Bigtable, which has none in JSON, are those of the JSON deserializer.
//!
//! Source: <https://cloud.google.com/spanner/docs/change-streams/details#data-change-records>

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::mutation::Mutation;
use super::row::Row;
use crate::batch::Shape;

/// What the first line calls the format.
pub(super) const FORMAT: &str = "acequia-recording";
/// The version that is written, and the only one that is read.
pub(super) const VERSION: u64 = 1;
/// What kind of records there are: the interface of `wit/` whose batches they make, and the batch.
const SHAPES: [(&str, Shape); 3] = [
    ("spanner-changes", Shape::Spanner),
    ("bigtable-mutations", Shape::Bigtable),
    ("rows", Shape::Rows),
];

/// What the first line calls records of a shape.
pub(super) fn word(shape: Shape) -> &'static str {
    let mut shapes = SHAPES.into_iter();
    let word = shapes.find_map(|(word, of)| (of == shape).then_some(word));
    word.unwrap_or_default()
}

/// The shape of the records that the first line calls so.
pub(super) fn shape(word: &str) -> Option<Shape> {
    let mut shapes = SHAPES.into_iter();
    shapes.find_map(|(known, shape)| (known == word).then_some(shape))
}

/// All shapes, for errors.
pub(super) fn shapes() -> String {
    SHAPES.map(|(word, _)| format!("{word:?}")).join(", ")
}

/// A JSON value whose text is kept.
pub(super) type Json<'a> = Cow<'a, RawValue>;

/// What tells a recording from other files. It is read alone first, so that a newer version is told
/// by its number and not by a member that is not known here.
#[derive(Deserialize)]
pub(super) struct Mark {
    pub(super) format: String,
    pub(super) version: u64,
}

/// The first line.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) shape: String,
    /// What was recorded, as a checkpoint names it. Default: nothing.
    #[serde(default)]
    pub(super) source: BTreeMap<String, String>,
}

/// Any other line.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line<'a> {
    Table(Table<'a>),
    #[serde(borrow)]
    Change(Change<'a>),
    Mutation(Mutation<'a>),
    Row(Row<'a>),
    Gap(Gap),
    SnapshotRestart(SnapshotRestart),
    End(End),
}

/// A table, or a query, as records describe it. It stands before the first of them.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table<'a> {
    /// What records call it. Default: its name. A table that is described in several ways has
    /// several lines, each with another of these.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub(super) alias: Option<String>,
    pub(super) name: String,
    pub(super) columns: Vec<Column<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column<'a> {
    pub(super) name: String,
    /// As Spanner sends it, such as `{"code":"INT64"}`.
    pub(super) r#type: Json<'a>,
    /// Default: false.
    #[serde(default)]
    pub(super) is_primary_key: bool,
    /// Default: its place in the list, from 1. A column of rows has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ordinal_position: Option<i64>,
}

/// A change record.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change<'a> {
    /// The `as` of a table, or its name where it has none.
    pub(super) table: String,
    pub(super) mod_type: String,
    #[serde(borrow)]
    pub(super) mods: Vec<Mod<'a>>,
    pub(super) commit_timestamp: String,
    pub(super) record_sequence: String,
    pub(super) server_transaction_id: String,
    /// Default: `OLD_AND_NEW_VALUES`, which is Spanner's.
    #[serde(default = "old_and_new_values")]
    pub(super) value_capture_type: String,
    /// Default: empty, which is none.
    #[serde(default)]
    pub(super) transaction_tag: String,
    /// Default: true.
    #[serde(default = "yes")]
    pub(super) is_last_record_in_transaction_in_partition: bool,
    /// Default: false.
    #[serde(default)]
    pub(super) is_system_transaction: bool,
    /// Default: 1.
    #[serde(default = "one")]
    pub(super) number_of_records_in_transaction: i64,
    /// Default: 1.
    #[serde(default = "one")]
    pub(super) number_of_partitions_in_transaction: i64,
}

/// A modification. An object that is left out was not sent; `null` was sent as null.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mod<'a> {
    #[serde(
        borrow,
        default,
        deserialize_with = "sent",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) keys: Option<Json<'a>>,
    #[serde(
        borrow,
        default,
        deserialize_with = "sent",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) new_values: Option<Json<'a>>,
    #[serde(
        borrow,
        default,
        deserialize_with = "sent",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) old_values: Option<Json<'a>>,
}

/// An interval that was lost: what a deserializer sees as a control record.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gap {
    pub(super) id: String,
    pub(super) lost_from: String,
    pub(super) resumed_at: String,
    pub(super) reason: String,
}

/// A snapshot that began anew: what a deserializer sees as a control record.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotRestart {
    pub(super) id: String,
    pub(super) abandoned_at: String,
    pub(super) restarted_at: String,
    pub(super) reason: String,
}

/// What ends here. The last batch of a file needs no end.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum End {
    Batch,
}

/// A member that is there, null included.
fn sent<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<Json<'a>>, D::Error> {
    let value: &'a RawValue = Deserialize::deserialize(from)?;
    Ok(Some(Cow::Borrowed(value)))
}

fn old_and_new_values() -> String {
    "OLD_AND_NEW_VALUES".to_owned()
}

fn yes() -> bool {
    true
}

fn one() -> i64 {
    1
}
