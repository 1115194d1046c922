//! The state of one open stream of rows.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::Malformed;
use crate::rows::RowBatch;
use crate::spanner::append::check_room;
use crate::spanner::frame::Frame;
use crate::spanner::instant::Instant;
use crate::spanner::rows::carry;
use crate::spanner::rows::columns::{self, RowColumn};
use crate::spanner::rows::plan::Plan;
use crate::spanner::values::Values;
use crate::spanner::{RowOrigin, RowStart, RowStep, WrongPlan};

/// Bytes of one row as it is sent.
///
/// Source: https://cloud.google.com/spanner/quotas
const ROW_BYTES_MAX: usize = 256 << 20;

/// Reads the frames of one open stream, which is one partition of a read or of a query.
///
/// After an error the stream cannot be read on: open it again, with a new assembler.
#[derive(Debug)]
pub struct RowAssembler {
    origin: RowOrigin,
    described: Option<Described>,
    plan: Option<Plan>,
    /// Cells, from the first one of a row on.
    cells: Values,
    tokens: VecDeque<Token>,
    /// The token that was sent last.
    last_token: Bytes,
    /// The number of the row that stands next.
    row: u64,
    skip: u64,
}

/// The columns, and the row type that describes them.
#[derive(Debug)]
struct Described {
    row_type: Vec<u8>,
    columns: Vec<RowColumn>,
}

/// A resume token that was sent and not handed out.
#[derive(Debug)]
struct Token {
    /// The number of the row that is the first one not complete at it.
    row: u64,
    token: Bytes,
    carry: Vec<u8>,
}

impl RowAssembler {
    /// An assembler for a stream that has just been opened.
    ///
    /// # Errors
    /// The read timestamp is none, or the carry is not one that an assembler gave.
    pub fn new(origin: RowOrigin, start: RowStart) -> Result<Self, Malformed> {
        let at = Instant::parse(&origin.read_timestamp);
        let at = at.map_err(|error| error.within("read_timestamp"))?;
        let read_timestamp = at.text.into_owned();
        let cells = carry::read(&start.carry).map_err(|error| error.within("carry"))?;
        Ok(Self {
            origin: RowOrigin {
                read_timestamp,
                ..origin
            },
            described: None,
            plan: None,
            cells,
            tokens: VecDeque::new(),
            last_token: Bytes::new(),
            row: start.row,
            skip: start.skip,
        })
    }

    /// Takes one `PartialResultSet` message. The frame's memory is held until all of its rows are
    /// read, so call [`RowAssembler::next`] until it gives [`RowStep::Empty`] before the next push.
    ///
    /// # Errors
    /// The message is not one, its metadata is not what was sent before, or its first value does
    /// not go on with a chunked one before it.
    pub fn push(&mut self, frame: Bytes) -> Result<(), Malformed> {
        let read = Frame::read(&frame)?;
        if let Some(row_type) = read.row_type {
            let described = self.describe(row_type);
            described.map_err(|error| error.within("metadata.row_type"))?;
        }
        if read.values > 0 && self.described.is_none() {
            return Err(Malformed::expected("metadata before the first value"));
        }
        let cells = &mut self.cells;
        read.each_value(|value, is_last| cells.push(&frame, value, is_last && read.chunked))?;
        self.keep_rest(read.values)?;
        self.push_token(read.resume_token);
        Ok(())
    }

    /// Gives one thing, in the order of the stream; a row is appended to the batch, which must be
    /// empty or have rows of this assembler.
    ///
    /// # Errors
    /// What stands next is not what Spanner documents. The batch is as it was.
    pub fn next(&mut self, batch: &mut RowBatch) -> Result<RowStep, Malformed> {
        let is_due = |token: &Token| token.row <= self.row;
        if self.tokens.front().is_some_and(is_due)
            && let Some(Token { token, carry, .. }) = self.tokens.pop_front()
        {
            return Ok(RowStep::Token { token, carry });
        }
        let Some(columns) = self.columns_of_next() else {
            return Ok(RowStep::Empty);
        };
        if self.skip > 0 {
            self.skip -= 1;
            self.pass(columns);
            return Ok(RowStep::Covered);
        }
        let Some(plan) = &self.plan else {
            let columns = self.asked().map(|column| column.name.clone()).collect();
            return Ok(RowStep::Unplanned { columns });
        };
        let step = self.append(plan, batch);
        let step = step.map_err(|error| error.within(&format!("rows[{}]", self.row)))?;
        self.pass(columns);
        Ok(step)
    }

    /// Answers [`RowStep::Unplanned`]: whether each of its columns passes.
    ///
    /// # Errors
    /// The plan does not fit the question.
    pub fn plan(&mut self, keep: Vec<bool>) -> Result<(), WrongPlan> {
        let Some(described) = &self.described else {
            return Err(WrongPlan::UnknownTable);
        };
        let (answers, columns) = (keep.len(), self.asked().count());
        if answers != columns {
            return Err(WrongPlan::ColumnCount { answers, columns });
        }
        let mut answers = keep.into_iter();
        let passes = |column: &RowColumn| self.is_key(column) || answers.next() == Some(true);
        let keep = described.columns.iter().map(passes).collect();
        self.plan = Some(Plan::new(&self.origin, &described.columns, keep));
        Ok(())
    }

    /// The stream has ended by itself.
    ///
    /// # Errors
    /// It ended inside a row, before all that was pushed was read, or before the last row that was
    /// to be skipped.
    pub fn finish(&mut self) -> Result<(), Malformed> {
        if self.cells.open.is_some() {
            return Err(Malformed::expected("the rest of a chunked value"));
        }
        if self.columns_of_next().is_some() || !self.tokens.is_empty() {
            return Err(Malformed::expected("all rows read before the end"));
        }
        if !self.cells.whole.is_empty() {
            return Err(Malformed::expected("the rest of a row"));
        }
        if self.skip > 0 {
            return Err(Malformed::expected("all rows that are known already"));
        }
        Ok(())
    }

    /// Takes the row type. A stream may send it again, but only the same.
    fn describe(&mut self, row_type: &[u8]) -> Result<(), Malformed> {
        match &self.described {
            Some(first) if first.row_type == row_type => return Ok(()),
            Some(_) => return Err(Malformed::expected("the row type that was sent before")),
            None => {}
        }
        let columns = columns::read(row_type)?;
        let pending = self.cells.whole.len() + usize::from(self.cells.open.is_some());
        if pending > columns.len() {
            return Err(Malformed::expected("a column for each pending value"));
        }
        self.described = Some(Described {
            row_type: row_type.to_vec(),
            columns,
        });
        if self.asked().next().is_none() {
            let keep = self.columns().iter().map(|_| true).collect();
            self.plan = Some(Plan::new(&self.origin, self.columns(), keep));
        }
        Ok(())
    }

    /// Copies what a frame of so many values brought of a row that it does not end, so that the
    /// rest of the frame is not held for it.
    fn keep_rest(&mut self, values: usize) -> Result<(), Malformed> {
        let rest = self.rest();
        let mut bytes = self.cells.open.as_ref().map_or(0, |open| open.1);
        for (index, cell) in self.cells.whole.iter_mut().rev().take(rest).enumerate() {
            bytes += cell.len();
            if index < values {
                *cell = Bytes::copy_from_slice(cell);
            }
        }
        if bytes > ROW_BYTES_MAX {
            return Err(Malformed::expected("a row of at most 256 MiB"));
        }
        Ok(())
    }

    /// Remembers a token of a frame whose values were taken.
    fn push_token(&mut self, token: &[u8]) {
        if token.is_empty() || self.last_token == token {
            return;
        }
        self.last_token = Bytes::copy_from_slice(token);
        if let Some(carry) = carry::write(&self.cells, self.rest()) {
            let rows = self.cells.whole.len() / self.columns().len().max(1);
            self.tokens.push_back(Token {
                row: self.row.saturating_add(rows as u64),
                token: self.last_token.clone(),
                carry,
            });
        }
    }

    /// How many whole values there are of a row that is not complete.
    fn rest(&self) -> usize {
        let whole = self.cells.whole.len();
        whole.checked_rem(self.columns().len()).unwrap_or(whole)
    }

    /// How many columns the row has that stands next, if one does.
    fn columns_of_next(&self) -> Option<usize> {
        let columns = self.columns().len();
        Some(columns).filter(|&columns| columns > 0 && self.cells.whole.len() >= columns)
    }

    /// The columns; none before they were described.
    fn columns(&self) -> &[RowColumn] {
        self.described
            .as_ref()
            .map_or(&[], |described| &described.columns)
    }

    /// The columns that a plan answers.
    fn asked(&self) -> impl Iterator<Item = &RowColumn> {
        let columns = self.columns().iter();
        columns.filter(|column| !self.is_key(column))
    }

    fn is_key(&self, column: &RowColumn) -> bool {
        self.origin.key.contains(&column.name)
    }

    /// Forgets the row that stands next.
    fn pass(&mut self, columns: usize) {
        self.cells
            .whole
            .drain(..columns.min(self.cells.whole.len()));
        self.row = self.row.saturating_add(1);
    }

    /// Appends the row that stands next; on an error the batch is as it was.
    fn append(&self, plan: &Plan, batch: &mut RowBatch) -> Result<RowStep, Malformed> {
        let cells = self.cells.whole.iter().zip(self.columns());
        let bytes = cells.clone().map(|(cell, _)| cell.len()).sum();
        check_room(batch.bytes(), bytes)?;
        if !batch.begin(&plan.head) {
            return Err(Malformed::expected("a batch of rows of one partition"));
        }
        let rows = batch.rows();
        let mut dropped = 0;
        for ((cell, column), keep) in cells.zip(&plan.keep) {
            if !keep {
                dropped += 1;
                continue;
            }
            if let Err(error) = column.form.push(batch.cells.open(), cell) {
                batch.truncate(rows);
                return Err(error.within(&column.name));
            }
            batch.cells.close();
        }
        plan.push_key(&self.origin, self.row, batch);
        Ok(RowStep::Row {
            bytes: bytes as u64,
            cells_dropped: dropped,
        })
    }
}
