//! The state of one open stream.

use bytes::Bytes;
use jiff::Timestamp;

use crate::Malformed;
use crate::spanner::append::{Append, Appended, check_room};
use crate::spanner::cells::Cutter;
use crate::spanner::dialect::Dialect;
use crate::spanner::frame::Frame;
use crate::spanner::item::{Item, Items, Kind};
use crate::spanner::record::DataRecord;
use crate::spanner::schema::{Decision, Dictionary, Keep, Schema};
use crate::spanner::values::Values;
use crate::spanner::{ChangeBatch, DropReason, Kept, RecordMark, Step};
use crate::spanner::{TableId, TablePlan, WrongPlan};

/// How a partition's query encodes its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `READ_<stream>` of a GoogleSQL database: an array of structs.
    GoogleSql,
    /// `read_json_<stream>` of a PostgreSQL database: one JSON text a row.
    PostgresJson,
    /// A stream with mutable key ranges: a `ChangeStreamRecord` message a row, as PROTO in
    /// GoogleSQL and as BYTES in PostgreSQL.
    MutableProto,
}

/// What an assembler does besides reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Drops a record if the plan removed values from it and no modification has a value left.
    /// Default: false.
    pub skip_messages_without_change: bool,
}

/// Answers whether the record of this commit timestamp, transaction and sequence is known already.
/// It may be asked more than once about a record.
pub type Covered<'a> = dyn FnMut(Timestamp, &str, &str) -> bool + 'a;

/// Reads the frames of one open stream, which is one partition.
///
/// After an error the stream cannot be read on: open it again, with a new assembler.
#[derive(Debug)]
pub struct Assembler {
    options: Options,
    dialect: Dialect,
    /// Rows, each a value.
    rows: Values,
    items: Items,
    tables: Dictionary,
    cutter: Cutter,
    resume_token: Bytes,
}

impl Assembler {
    /// An assembler for a stream that has just been opened.
    #[must_use]
    pub fn new(shape: Shape, options: Options) -> Self {
        Self {
            options,
            dialect: Dialect::new(shape),
            rows: Values::default(),
            items: Items::new(),
            tables: Dictionary::default(),
            cutter: Cutter::default(),
            resume_token: Bytes::new(),
        }
    }

    /// Takes one `PartialResultSet` message. The frame's memory is held until all of its rows are
    /// read, so call [`Assembler::next`] until it gives [`Step::Empty`] before the next push.
    ///
    /// # Errors
    /// The message is not one, or its first value does not go on with a chunked one before it.
    pub fn push(&mut self, frame: Bytes) -> Result<(), Malformed> {
        let read = Frame::read(&frame)?;
        if let Some(row_type) = read.row_type {
            let described = self.dialect.describe(row_type);
            described.map_err(|error| error.within("metadata.row_type"))?;
        }
        if !read.resume_token.is_empty() {
            self.resume_token = Bytes::copy_from_slice(read.resume_token);
        }
        if read.values > 0 && !self.dialect.is_described() {
            return Err(Malformed::expected("metadata before the first value"));
        }
        let rows = &mut self.rows;
        read.each_value(|value, is_last| rows.push(&frame, value, is_last && read.chunked))
    }

    /// Gives one thing, in the order of the stream; the columns of a data change record are
    /// appended to the batch. `covered` is asked before they are built.
    ///
    /// # Errors
    /// What stands next is not what Spanner documents. The batch is as it was.
    pub fn next(
        &mut self,
        batch: &mut ChangeBatch,
        covered: &mut Covered<'_>,
    ) -> Result<Step, Malformed> {
        let Some(item) = self.take()? else {
            return Ok(Step::Empty);
        };
        let step = match item.kind {
            Kind::Data => self.data(&item.bytes, batch, covered),
            Kind::Heartbeat
            | Kind::Children
            | Kind::PartitionStart
            | Kind::PartitionEnd
            | Kind::PartitionEvent => self.dialect.control(&item),
        };
        let kind = item.kind;
        if matches!(step, Err(_) | Ok(Step::Unplanned(_))) {
            self.items.push_front(item);
        }
        step.map_err(|error| error.within(kind.name()))
    }

    /// Answers [`Step::Unplanned`].
    ///
    /// # Errors
    /// The plan does not fit the question.
    pub fn plan(&mut self, table: TableId, plan: TablePlan) -> Result<(), WrongPlan> {
        self.tables.plan(table, &plan)
    }

    /// The stream has ended by itself.
    ///
    /// # Errors
    /// It ended inside a value, or before all that was pushed was read.
    pub fn finish(&mut self) -> Result<(), Malformed> {
        if self.rows.open.is_some() {
            return Err(Malformed::expected("the rest of a chunked value"));
        }
        if !self.rows.whole.is_empty() || !self.items.is_empty() {
            return Err(Malformed::expected("all records read before the end"));
        }
        Ok(())
    }

    /// The latest resume token that was sent. Nothing here depends on it.
    #[must_use]
    pub fn resume_token(&self) -> Option<&Bytes> {
        Some(&self.resume_token).filter(|token| !token.is_empty())
    }

    /// Takes the record that stands next.
    fn take(&mut self) -> Result<Option<Item>, Malformed> {
        while self.items.is_empty() {
            let Some(row) = self.rows.whole.pop_front() else {
                return Ok(None);
            };
            if let Err(error) = self.dialect.split(&row, &mut self.items) {
                self.rows.whole.push_front(row);
                return Err(error);
            }
        }
        Ok(self.items.pop_front())
    }

    fn data(
        &mut self,
        item: &Bytes,
        batch: &mut ChangeBatch,
        covered: &mut Covered<'_>,
    ) -> Result<Step, Malformed> {
        let record = self.dialect.data(item)?;
        let commit = record.commit()?;
        if covered(commit.at, &record.transaction, &record.sequence) {
            return Ok(Step::Covered);
        }
        let id = self.table(&record)?;
        let Some(entry) = self.tables.get(id) else {
            return Err(Malformed::expected("a table that is remembered"));
        };
        let keep = match &entry.decision {
            Decision::Undecided => return Ok(Step::Unplanned(entry.describe(id))),
            Decision::Drop => None,
            Decision::KeepAll => Some(Keep::All),
            Decision::KeepSome(columns) => Some(Keep::Some(columns)),
        };
        let appended = match keep {
            None => Appended {
                kept: Kept::Dropped(DropReason::Table),
                cells_dropped: 0,
            },
            Some(keep) => {
                check_room(batch.bytes(), item.len())?;
                let append = Append {
                    record: &record,
                    commit,
                    schema: &entry.schema,
                    keep,
                    options: self.options,
                };
                append.run(batch, &mut self.cutter, |each| {
                    self.dialect.mods(record.mods, &entry.schema, each)
                })?
            }
        };
        Ok(Step::Record(RecordMark {
            at: commit.at,
            transaction: record.transaction.as_ref().into(),
            sequence: record.sequence.as_ref().into(),
            bytes: item.len() as u64,
            kept: appended.kept,
            cells_dropped: appended.cells_dropped,
        }))
    }

    /// The table of a record, which is remembered if it is new.
    fn table(&mut self, record: &DataRecord<'_>) -> Result<TableId, Malformed> {
        if let Some(id) = self.tables.find(&record.table, &record.columns) {
            return Ok(id);
        }
        let columns = self.dialect.columns(&record.columns);
        let columns = columns.map_err(|error| error.within("column_types"))?;
        let schema = Schema::new(&record.table, columns)?;
        Ok(self.tables.insert(schema, &record.columns))
    }
}
