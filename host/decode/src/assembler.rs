//! The state of one open stream.

use bytes::Bytes;
use jiff::Timestamp;

use crate::{ChangeBatch, Malformed, Step, TableId, TablePlan, WrongPlan};

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

/// Reads the frames of one open stream.
#[derive(Debug)]
pub struct Assembler {}

/// Answers whether the record of this commit timestamp, transaction and sequence is known already.
/// It may be asked more than once about a record.
pub type Covered<'a> = dyn FnMut(Timestamp, &str, &str) -> bool + 'a;

impl Assembler {
    /// An assembler for a stream that has just been opened.
    #[must_use]
    pub fn new(_shape: Shape, _options: Options) -> Self {
        Self {}
    }

    /// Takes one `PartialResultSet` message.
    ///
    /// # Errors
    /// The message is not one.
    pub fn push(&mut self, _frame: Bytes) -> Result<(), Malformed> {
        Ok(())
    }

    /// Gives one thing; the columns of a record are appended to the batch.
    ///
    /// # Errors
    /// What stands next is not what Spanner documents. The batch is as it was; the stream cannot
    /// be read on.
    pub fn next(
        &mut self,
        _batch: &mut ChangeBatch,
        _covered: &mut Covered<'_>,
    ) -> Result<Step, Malformed> {
        Ok(Step::Empty)
    }

    /// Answers [`Step::Unplanned`].
    ///
    /// # Errors
    /// The plan does not fit the question.
    pub fn plan(&mut self, _table: TableId, _plan: TablePlan) -> Result<(), WrongPlan> {
        Ok(())
    }

    /// The stream has ended by itself.
    ///
    /// # Errors
    /// It ended inside a value.
    pub fn finish(&mut self) -> Result<(), Malformed> {
        Ok(())
    }

    /// The latest resume token that was sent. Nothing here depends on it.
    #[must_use]
    pub fn resume_token(&self) -> Option<&Bytes> {
        None
    }
}
