//! Rows of a table as change records: what a snapshot gives before the stream that follows it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::Malformed;
use crate::rows::RowBatch;
use crate::spanner::append::{Append, check_room};
use crate::spanner::cells::Cutter;
use crate::spanner::instant::Instant;
use crate::spanner::json::push_string;
use crate::spanner::rebuild::READ;
use crate::spanner::record::{DataRecord, Mod};
use crate::spanner::schema::{Column, Keep, Schema};
use crate::spanner::{ChangeBatch, Options};
use crate::wire::utf8;
use crate::{Blobs, Texts};

/// `value_capture_type` of a row that was read: a whole row after the fact.
const NEW_ROW: &str = "NEW_ROW";

/// Bytes of an object's memory that are kept from row to row: a row may have 100 MiB.
const OBJECT_BYTES_KEPT: usize = 64 << 10;

/// Turns rows into [`READ`] records. It is kept from batch to batch of a table, whose records then
/// share an entry of [`ChangeBatch::tables`].
#[derive(Debug, Default)]
pub struct ReadRecords {
    cutter: Cutter,
    schema: Option<Arc<Schema>>,
    object: Vec<u8>,
}

impl ReadRecords {
    /// Appends one record per row: the read timestamp as its commit timestamp, the row's id as its
    /// id and that of its only modification, and as `new_values` the columns outside the primary
    /// key, in their order. There is no transaction, no sequence and no tag, and nothing is counted.
    ///
    /// A record that [`crate::spanner::Rebuild`] makes of the same fields is equal.
    ///
    /// # Errors
    /// A row has no key, or two columns share a name: these are not the rows of a table. The
    /// records of the rows before it are in the batch.
    pub fn append(&mut self, batch: &mut ChangeBatch, rows: &RowBatch) -> Result<(), Malformed> {
        if rows.is_empty() {
            return Ok(());
        }
        let commit = Instant::parse(&rows.read_timestamp);
        let commit = commit.map_err(|error| error.within("read_timestamp"))?;
        let schema = self.schema(rows)?;
        let record = DataRecord {
            table: Cow::Borrowed(&rows.table),
            mod_type: Cow::Borrowed(READ),
            capture_type: Cow::Borrowed(NEW_ROW),
            is_read: true,
            ..DataRecord::default()
        };
        let append = Append {
            record: &record,
            commit: &commit,
            schema: &schema,
            keep: Keep::All,
            options: Options::default(),
        };
        (0..rows.rows()).try_for_each(|row| {
            let appended = self.append_row(batch, &append, rows, row);
            appended.map_err(|error| error.index(row).within("rows"))
        })
    }

    fn append_row(
        &mut self,
        batch: &mut ChangeBatch,
        append: &Append<'_>,
        rows: &RowBatch,
        row: usize,
    ) -> Result<(), Malformed> {
        let keys = text(&rows.keys, row)?;
        if keys.is_empty() {
            return Err(Malformed::expected("a row with its primary key").within("keys"));
        }
        self.new_values(&append.schema.columns, rows, row)?;
        let new_values = utf8(&self.object)?;
        check_room(batch.bytes(), keys.len() + new_values.len())?;
        append.run(batch, &mut self.cutter, |each| {
            each(Mod {
                keys: Some(keys),
                new_values: Some(new_values),
                old_values: Some("{}"),
            })
        })?;
        self.object.clear();
        self.object.shrink_to(OBJECT_BYTES_KEPT);
        Ok(())
    }

    /// Writes the object of the columns outside the key.
    fn new_values(
        &mut self,
        columns: &[Column],
        rows: &RowBatch,
        row: usize,
    ) -> Result<(), Malformed> {
        let out = &mut self.object;
        out.clear();
        out.push(b'{');
        for (column, cell) in columns.iter().zip(rows.row(row)) {
            if column.is_key {
                continue;
            }
            if out.len() > 1 {
                out.push(b',');
            }
            push_string(out, &column.name);
            out.push(b':');
            out.extend_from_slice(value(&rows.cells, cell)?);
        }
        out.push(b'}');
        Ok(())
    }

    /// The table as the rows describe it: the one of the rows before if it is the same.
    fn schema(&mut self, rows: &RowBatch) -> Result<Arc<Schema>, Malformed> {
        if let Some(schema) = &self.schema
            && is_of(schema, rows)
        {
            return Ok(Arc::clone(schema));
        }
        let columns = (1_i64..).zip(&rows.column_keys).enumerate();
        let columns = columns.map(|(index, (ordinal, is_key))| {
            Ok(Column {
                name: text(&rows.column_names, index)?.to_owned(),
                type_json: text(&rows.column_types, index)?.to_owned(),
                is_key: *is_key == 1,
                ordinal,
            })
        });
        let columns = columns.collect::<Result<_, Malformed>>()?;
        let schema = Arc::new(Schema::new(&rows.table, columns)?);
        self.schema = Some(Arc::clone(&schema));
        Ok(schema)
    }
}

fn is_of(schema: &Schema, rows: &RowBatch) -> bool {
    let is_same = |(index, column): (usize, &Column)| {
        rows.column_names.get(index) == Some(column.name.as_bytes())
            && rows.column_types.get(index) == Some(column.type_json.as_bytes())
            && rows.column_keys.get(index) == Some(&u8::from(column.is_key))
    };
    schema.table == rows.table
        && schema.columns.len() == rows.columns()
        && schema.columns.iter().enumerate().all(is_same)
}

fn text(texts: &Texts, index: usize) -> Result<&str, Malformed> {
    utf8(value(texts, index)?)
}

fn value(values: &Blobs, index: usize) -> Result<&[u8], Malformed> {
    let missing = || Malformed::expected("a value for each column of each row");
    values.get(index).ok_or_else(missing)
}
