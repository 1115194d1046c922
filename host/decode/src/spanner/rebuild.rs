//! Records that are known already, put into a batch: from a recording, or made by hand.
//!
//! They take the way of decoded records from [`crate::spanner::append`] on, so that a batch of a
//! recording equals the one that was recorded, column by column.

use std::borrow::Cow;
use std::sync::Arc;

use crate::Malformed;
use crate::spanner::append::{Append, check_room};
use crate::spanner::cells::Cutter;
use crate::spanner::instant::Instant;
use crate::spanner::record::{DataRecord, Mod};
use crate::spanner::schema::{Column, Keep, Schema};
use crate::spanner::{ChangeBatch, Options};

/// `mod_type` of a row that was read rather than changed. Spanner itself sends no such record.
pub const READ: &str = "READ";

/// A table as a record describes it. Records of one batch that share it share an entry of
/// [`ChangeBatch::tables`]. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TableSchema(Arc<Schema>);

impl TableSchema {
    /// A table and its columns, in the order in which records list them.
    ///
    /// # Errors
    /// A column without a name, with one of more than 1024 bytes, or twice.
    pub fn new(table: &str, columns: Vec<Column>) -> Result<Self, Malformed> {
        Schema::new(table, columns).map(|schema| Self(Arc::new(schema)))
    }

    /// The name of the table.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.table
    }

    /// Its columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.0.columns
    }
}

/// A change record outside of a batch. Each field is the column of [`ChangeBatch`] of its name; the
/// ids follow from them.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// RFC 3339. An offset becomes a `Z`; the fraction keeps its digits.
    pub commit_timestamp: &'a str,
    /// 1 to 1024 bytes; empty for a row that was read.
    pub record_sequence: &'a str,
    /// 1 to 1024 bytes; empty for a row that was read.
    pub transaction_id: &'a str,
    /// `INSERT`, `UPDATE`, `DELETE`, or what Spanner adds later; [`READ`] for a row that was read,
    /// which has one modification, with its key.
    pub mod_type: &'a str,
    /// As Spanner names it.
    pub value_capture_type: &'a str,
    /// Empty for none.
    pub transaction_tag: &'a str,
    /// Whether it is the last of its transaction in its partition.
    pub is_last: bool,
    /// Whether the transaction is Spanner's own.
    pub is_system: bool,
    /// Records of the transaction in all partitions.
    pub records_in_transaction: i64,
    /// Partitions that the transaction has records in.
    pub partitions_in_transaction: i64,
    /// The modifications, one per row.
    pub mods: &'a [Mod<'a>],
}

/// Appends known records to batches. It is kept from record to record for its memory alone.
#[derive(Debug, Default)]
pub struct Rebuild {
    cutter: Cutter,
}

impl Rebuild {
    /// Appends a record; on an error the batch is as it was.
    ///
    /// # Errors
    /// What a record of a stream would be refused for: a timestamp that is none, an object that
    /// names a column twice or one that the table does not have, a size past the limits.
    pub fn append(
        &mut self,
        batch: &mut ChangeBatch,
        table: &TableSchema,
        change: &Change<'_>,
    ) -> Result<(), Malformed> {
        let commit = Instant::parse(change.commit_timestamp)
            .map_err(|error| error.within("commit_timestamp"))?;
        let record = record(table, change, commit);
        let append = Append {
            record: &record,
            commit: record.commit()?,
            schema: &table.0,
            keep: Keep::All,
            options: Options::default(),
        };
        check_room(batch.bytes(), bytes(change))?;
        append.run(batch, &mut self.cutter, |each| {
            change
                .mods
                .iter()
                .try_for_each(|modification| each(*modification))
        })?;
        Ok(())
    }
}

fn record<'a>(table: &'a TableSchema, change: &Change<'a>, commit: Instant<'a>) -> DataRecord<'a> {
    DataRecord {
        commit: Some(commit),
        sequence: Cow::Borrowed(change.record_sequence),
        transaction: Cow::Borrowed(change.transaction_id),
        is_last: change.is_last,
        table: Cow::Borrowed(&table.0.table),
        mod_type: Cow::Borrowed(change.mod_type),
        capture_type: Cow::Borrowed(change.value_capture_type),
        records: change.records_in_transaction,
        partitions: change.partitions_in_transaction,
        tag: Cow::Borrowed(change.transaction_tag),
        is_system: change.is_system,
        is_read: change.mod_type == READ
            && change.transaction_id.is_empty()
            && change.record_sequence.is_empty(),
        // The schema and the modifications are at hand; nothing is left to decode.
        columns: Cow::Borrowed(&[]),
        mods: &[],
    }
}

/// Bytes of the objects of a record, which is nearly all that it has.
fn bytes(change: &Change<'_>) -> usize {
    let objects = |modification: &Mod<'_>| {
        let Mod {
            keys,
            new_values,
            old_values,
        } = *modification;
        let texts = [keys, new_values, old_values];
        texts
            .iter()
            .map(|text| text.map_or(0, str::len))
            .sum::<usize>()
    };
    change.mods.iter().map(objects).sum()
}
