//! Rows in columns: of a table or of a query, read at one timestamp.
//!
//! A batch holds rows of one partition, each as its id, its primary key and one JSON value per
//! column. What reads them stands in the room of its source.

mod batch;
mod head;

pub use batch::RowBatch;
pub(crate) use head::{Head, HeadColumn};
