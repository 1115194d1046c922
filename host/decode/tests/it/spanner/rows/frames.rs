//! Frames of rows, written short.

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, Type, TypeCode,
};
use prost_types::Value;

use crate::spanner::frames::{of, struct_type};

/// The metadata of rows with these columns.
pub(crate) fn columns<'a>(columns: impl IntoIterator<Item = (&'a str, Type)>) -> ResultSetMetadata {
    ResultSetMetadata {
        row_type: Some(struct_type(columns)),
        ..ResultSetMetadata::default()
    }
}

/// The columns `k` and `a` of the table `Things`.
pub(crate) fn things() -> ResultSetMetadata {
    columns([("k", of(TypeCode::Int64)), ("a", of(TypeCode::String))])
}

/// The first frame of a stream, with some values.
pub(crate) fn first(
    metadata: &ResultSetMetadata,
    values: impl IntoIterator<Item = Value>,
) -> PartialResultSet {
    PartialResultSet {
        metadata: Some(metadata.clone()),
        ..more(values)
    }
}

/// A frame that follows another.
pub(crate) fn more(values: impl IntoIterator<Item = Value>) -> PartialResultSet {
    PartialResultSet {
        values: values.into_iter().collect(),
        ..PartialResultSet::default()
    }
}

/// The same frame with its last value going on in the next.
pub(crate) fn chunked(frame: PartialResultSet) -> PartialResultSet {
    PartialResultSet {
        chunked_value: true,
        ..frame
    }
}

/// The same frame with a resume token.
pub(crate) fn with_token(frame: PartialResultSet, token: &str) -> PartialResultSet {
    PartialResultSet {
        resume_token: Bytes::copy_from_slice(token.as_bytes()),
        ..frame
    }
}
