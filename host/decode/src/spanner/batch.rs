//! A batch of change records in columns: `changes` of `wit/spanner.wit`, field by field.

mod equality;
mod objects;
mod room;

use std::sync::Arc;

use crate::spanner::schema::Schema;
use crate::{Texts, Times};

pub use objects::Objects;

/// Change records of one partition, in order. One entry per record in each column up to
/// `mod_ends`, one entry per modification in the four after it.
///
/// Source: `changes` in `wit/spanner.wit`, which documents each column.
#[derive(Clone, Default)]
pub struct ChangeBatch {
    /// The tables that the records speak of, each once.
    pub tables: Tables,
    /// Per record: its table, an index into `tables`.
    pub table: Vec<u32>,
    /// Per record: `commit timestamp/transaction/sequence`; of a row that was read,
    /// `read timestamp/table/primary key`.
    pub ids: Texts,
    /// Per record: the commit timestamp, or the one that a row was read at, RFC 3339 with a `Z` and
    /// the fraction digits as sent.
    pub commit_timestamps: Texts,
    /// Per record: the same as a number.
    pub commit_times: Times,
    /// Per record: `record_sequence`.
    pub record_sequences: Texts,
    /// Per record: `server_transaction_id`.
    pub transaction_ids: Texts,
    /// Per record: `INSERT`, `UPDATE`, `DELETE`, or what Spanner adds later; [`READ`](super::READ) for a row that
    /// was read.
    pub mod_types: Texts,
    /// Per record: `value_capture_type`.
    pub value_capture_types: Texts,
    /// Per record: `transaction_tag`, empty for none.
    pub transaction_tags: Texts,
    /// Per record: 1 if it is the last of its transaction in its partition.
    pub is_last: Vec<u8>,
    /// Per record: 1 if the transaction is Spanner's own.
    pub is_system: Vec<u8>,
    /// Per record: `number_of_records_in_transaction`.
    pub records_in_transaction: Vec<i64>,
    /// Per record: `number_of_partitions_in_transaction`.
    pub partitions_in_transaction: Vec<i64>,
    /// Per record: where its modifications end in the columns below.
    pub mod_ends: Vec<u32>,
    /// Per modification: `commit timestamp/transaction/sequence/index`; the record's own id for a
    /// row that was read.
    pub mod_ids: Texts,
    /// Per modification: the primary key.
    pub keys: Objects,
    /// Per modification: the values after it.
    pub new_values: Objects,
    /// Per modification: the values before it.
    pub old_values: Objects,
    /// The schemas behind `tables`, to find one again by identity.
    pub(crate) schemas: Vec<Arc<Schema>>,
}

impl ChangeBatch {
    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        self.mod_ends.len()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mod_ends.is_empty()
    }

    /// Bytes that the columns take. Allocated and unused memory is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let per_record = size_of::<u32>() + 2 * size_of::<u8>() + 2 * size_of::<i64>();
        let texts = [
            &self.ids,
            &self.commit_timestamps,
            &self.record_sequences,
            &self.transaction_ids,
            &self.mod_types,
            &self.value_capture_types,
            &self.transaction_tags,
            &self.mod_ids,
        ];
        self.tables.size()
            + self.records() * (per_record + size_of::<u32>() + Times::ENTRY_BYTES)
            + texts.iter().map(|texts| texts.size()).sum::<usize>()
            + self.keys.size()
            + self.new_values.size()
            + self.old_values.size()
    }

    /// Hands the batch over and leaves an empty one, with room for as much again: batches of one
    /// stream are alike, and growing step by step copies all of it several times.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let next = room::like(self);
        std::mem::replace(self, next)
    }

    /// Removes all records and keeps the memory.
    pub fn clear(&mut self) {
        self.tables.clear();
        self.table.clear();
        self.ids.clear();
        self.commit_timestamps.clear();
        self.commit_times.clear();
        self.record_sequences.clear();
        self.transaction_ids.clear();
        self.mod_types.clear();
        self.value_capture_types.clear();
        self.transaction_tags.clear();
        self.is_last.clear();
        self.is_system.clear();
        self.records_in_transaction.clear();
        self.partitions_in_transaction.clear();
        self.mod_ends.clear();
        self.truncate_mods(0);
        self.schemas.clear();
    }

    /// How many modifications the finished records have.
    pub(crate) fn mods(&self) -> usize {
        self.mod_ends.last().map_or(0, |&end| end as usize)
    }

    /// Drops the modifications past `len`: those of a record that was not finished.
    pub(crate) fn truncate_mods(&mut self, len: usize) {
        self.mod_ids.truncate(len);
        self.keys.truncate(len);
        self.new_values.truncate(len);
        self.old_values.truncate(len);
    }

    /// The index of a schema in `tables`; it is added if this batch does not have it.
    pub(crate) fn table_index(&mut self, schema: &Arc<Schema>) -> u32 {
        let known = self
            .schemas
            .iter()
            .rposition(|own| Arc::ptr_eq(own, schema));
        let index = known.unwrap_or_else(|| {
            self.schemas.push(Arc::clone(schema));
            self.tables.push(schema);
            self.schemas.len() - 1
        });
        // A batch has no more tables than records, whose count is a u32 by the limit on its bytes.
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

impl std::fmt::Debug for ChangeBatch {
    /// Sizes only: the columns hold row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangeBatch")
            .field("records", &self.records())
            .field("mods", &self.mods())
            .field("tables", &self.tables.names.len())
            .field("bytes", &self.bytes())
            .finish()
    }
}

/// The tables of a batch. Source: `tables` in `wit/spanner.wit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// The name of each table.
    pub names: Texts,
    /// Where the columns of each table end in the four lists below.
    pub column_ends: Vec<u32>,
    /// The name of each column.
    pub column_names: Texts,
    /// The type of each column, the JSON text that Spanner sent.
    pub column_types: Texts,
    /// 1 for a column of the primary key, 0 for another.
    pub column_keys: Vec<u8>,
    /// The ordinal position of each column.
    pub column_ordinals: Vec<i64>,
}

impl Tables {
    /// Bytes that the columns take.
    fn size(&self) -> usize {
        self.names.size()
            + size_of_val(self.column_ends.as_slice())
            + self.column_names.size()
            + self.column_types.size()
            + self.column_keys.len() * (size_of::<u8>() + size_of::<i64>())
    }

    fn push(&mut self, schema: &Schema) {
        self.names.push(schema.table.as_bytes());
        for column in &schema.columns {
            self.column_names.push(column.name.as_bytes());
            self.column_types.push(column.type_json.as_bytes());
            self.column_keys.push(u8::from(column.is_key));
            self.column_ordinals.push(column.ordinal);
        }
        let end = self.column_ordinals.len();
        self.column_ends
            .push(u32::try_from(end).unwrap_or(u32::MAX));
    }

    fn clear(&mut self) {
        self.names.clear();
        self.column_ends.clear();
        self.column_names.clear();
        self.column_types.clear();
        self.column_keys.clear();
        self.column_ordinals.clear();
    }
}
