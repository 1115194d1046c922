//! Rows as the parameter of a call.

use acequia_decode::rows::RowBatch;

use super::texts;
use crate::guest::bindings::acequia::connector::rows;

pub(in crate::guest) fn rows(batch: &RowBatch) -> rows::Rows<'_> {
    rows::Rows {
        table: &batch.table,
        read_timestamp: &batch.read_timestamp,
        partition: &batch.partition,
        column_names: texts(&batch.column_names),
        column_types: texts(&batch.column_types),
        column_keys: &batch.column_keys,
        ids: texts(&batch.ids),
        keys: texts(&batch.keys),
        cells: texts(&batch.cells),
    }
}
