//! Tables as records describe them, remembered so that a repeated one costs a comparison.

/// A table and its columns.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) table: String,
    pub(crate) columns: Vec<Column>,
}

/// One column of a table.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) type_json: String,
    pub(crate) is_key: bool,
    pub(crate) ordinal: i64,
}
