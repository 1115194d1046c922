//! What all rows of a batch have in common.

/// Where rows come from, and their columns. Batches of one partition share it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) table: String,
    pub(crate) read_timestamp: String,
    pub(crate) partition: String,
    pub(crate) columns: Vec<HeadColumn>,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeadColumn {
    pub(crate) name: String,
    pub(crate) type_json: String,
    pub(crate) is_key: bool,
}
