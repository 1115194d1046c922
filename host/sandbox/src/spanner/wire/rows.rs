//! Plain rows, as INFORMATION_SCHEMA queries return them.

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSet, ResultSetMetadata, TypeCode,
};
use prost::Message;
use prost_types::{ListValue, Value};

use super::schema::{field, of, scalar};

/// Columns and rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<(String, TypeCode)>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// All rows in one message of a stream.
pub(crate) fn frame_of(rows: Rows) -> Bytes {
    let metadata = Some(metadata(&rows));
    let values = rows.rows.into_iter().flatten().collect();
    let frame = PartialResultSet {
        metadata,
        values,
        last: true,
        ..PartialResultSet::default()
    };
    frame.encode_to_vec().into()
}

/// All rows as the answer to a call that does not stream.
pub(crate) fn result_set(rows: Rows) -> Bytes {
    let metadata = Some(metadata(&rows));
    let rows = rows
        .rows
        .into_iter()
        .map(|values| ListValue { values })
        .collect();
    ResultSet {
        metadata,
        rows,
        ..ResultSet::default()
    }
    .encode_to_vec()
    .into()
}

fn metadata(rows: &Rows) -> ResultSetMetadata {
    of(rows
        .columns
        .iter()
        .map(|(name, code)| field(name, scalar(*code)))
        .collect())
}
