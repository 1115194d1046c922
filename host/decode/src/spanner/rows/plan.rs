//! Which columns of a row are appended, and what identifies it.

use std::io::Write as _;
use std::sync::Arc;

use crate::rows::{Head, HeadColumn, RowBatch};
use crate::spanner::RowOrigin;
use crate::spanner::rows::columns::RowColumn;
use crate::spanner::rows::key::Key;

/// What becomes of the columns.
#[derive(Debug)]
pub(crate) struct Plan {
    /// One entry per column.
    pub(crate) keep: Vec<bool>,
    pub(crate) head: Arc<Head>,
    key: Option<Key>,
}

impl Plan {
    /// The columns that are kept, and where the key stands among them.
    pub(crate) fn new(origin: &RowOrigin, columns: &[RowColumn], keep: Vec<bool>) -> Self {
        let kept = columns.iter().zip(&keep).filter(|(_, keep)| **keep);
        let kept = kept.map(|(column, _)| HeadColumn {
            name: column.name.clone(),
            type_json: column.type_json.clone(),
            is_key: origin.key.contains(&column.name),
        });
        let head = Head {
            table: origin.table.clone(),
            read_timestamp: origin.read_timestamp.clone(),
            partition: origin.partition.clone(),
            columns: kept.collect(),
        };
        let key = Key::new(origin.key_json, &origin.key, &head.columns);
        Self {
            keep,
            key: key.filter(|_| !origin.table.is_empty()),
            head: Arc::new(head),
        }
    }

    /// Appends the key and the id of a row whose cells were appended.
    pub(crate) fn push_key(&self, origin: &RowOrigin, row: u64, batch: &mut RowBatch) {
        let id = batch.ids.open();
        id.extend_from_slice(origin.read_timestamp.as_bytes());
        id.push(b'/');
        if let Some(key) = &self.key {
            let first = batch.keys.len() * self.head.columns.len();
            key.push(batch.keys.open(), &batch.cells, first);
            batch.keys.close();
            id.extend_from_slice(origin.table.as_bytes());
            id.push(b'/');
            let key = batch.keys.len() - 1;
            id.extend_from_slice(batch.keys.get(key).unwrap_or_default());
        } else {
            batch.keys.push(b"");
            id.extend_from_slice(origin.hash.as_bytes());
            id.push(b'/');
            let written = write!(id, "{row}");
            debug_assert!(written.is_ok(), "a Vec takes every write");
        }
        batch.ids.close();
    }
}
