//! The messages of one stream of rows, made one after the other.

use std::{collections::VecDeque, ops::Range, sync::Arc};

use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::{
    PartialResultSet, ResultSetMetadata, Transaction,
};
use prost::Message;
use prost_types::Value;
use tonic::Status;

use super::{
    position::{Cut, DUMMY, Position},
    script::{Last, ResumeTokens, RowWire},
};
use crate::spanner::{
    tables::Selected,
    wire::{chunk, metadata_of},
};

/// An empty `resume_token` on the wire, which encoders leave out: field 4, bytes, of length 0.
const EMPTY_TOKEN: [u8; 2] = [0x22, 0x00];

/// The messages of some rows, from a place in them on.
#[derive(Debug)]
pub(crate) struct RowFrames {
    selected: Arc<Selected>,
    rows: Range<usize>,
    wire: RowWire,
    /// The name of the stream in its tokens.
    name: String,
    metadata: ResultSetMetadata,
    at: Position,
    /// What is left of the row that `at` is in.
    row: VecDeque<Value>,
    /// What is left of the value that `at` is in.
    chunks: VecDeque<Value>,
    /// Whether the stream began with a resume token.
    resumed: bool,
    made: usize,
    ended: bool,
}

impl RowFrames {
    /// `rows` of the selected ones; `transaction` goes with the metadata.
    pub(crate) fn new(
        selected: Arc<Selected>,
        rows: Range<usize>,
        wire: &RowWire,
        name: String,
        transaction: Option<Transaction>,
    ) -> Self {
        let metadata = ResultSetMetadata {
            transaction,
            ..metadata_of(selected.fields())
        };
        Self {
            selected,
            rows,
            wire: wire.clone(),
            name,
            metadata,
            at: Position::default(),
            row: VecDeque::new(),
            chunks: VecDeque::new(),
            resumed: false,
            made: 0,
            ended: false,
        }
    }

    /// Goes to the place behind the message that carried `token`; an empty token is the beginning.
    pub(crate) fn resume(mut self, token: &[u8]) -> Result<Self, Status> {
        if token.is_empty() || self.wire.resume_tokens == ResumeTokens::Dummy {
            return Ok(self);
        }
        self.at = Position::of_token(token, &self.name)?;
        self.resumed = true;
        if let Some(wire) = self.wire.resumed.take() {
            self.wire = *wire;
        }
        self.row = self.cells();
        self.row.drain(..self.at.cell.min(self.row.len()));
        if !self.at.cuts.is_empty()
            && let Some(mut value) = self.row.pop_front()
        {
            for cut in &self.at.cuts {
                value = chunk::rest(value, cut.budget, cut.chunks);
            }
            self.open(value);
        }
        Ok(self)
    }

    /// The next message; `None` when all are made.
    pub(crate) fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        let every = self.wire.empty_frame_every;
        let empty_is_due = every.is_some_and(|every| (self.made + 1).is_multiple_of(every.max(1)));
        // Nothing comes between the chunks of one value.
        if empty_is_due && self.at.cuts.is_empty() && self.is_left() {
            return Some(self.encode(Vec::new(), false));
        }
        let (values, chunked) = self.fill();
        // After the last values, and where there are none at all.
        let follows = self.wire.last == Last::Alone && !values.is_empty();
        self.ended = !self.is_left() && !follows;
        Some(self.encode(values, chunked))
    }

    fn is_left(&self) -> bool {
        self.at.row < self.rows.len()
    }

    /// Values until the message is full, and whether the last one goes on in the next.
    fn fill(&mut self) -> (Vec<Value>, bool) {
        let rows_max = self.wire.rows_per_frame.max(1);
        let cells_max = self
            .wire
            .cells_per_frame
            .map_or(usize::MAX, |max| max.max(1));
        let (mut values, mut rows) = (Vec::new(), 0);
        while self.is_left() && values.len() < cells_max && rows < rows_max {
            if self.chunks.is_empty() {
                if self.row.is_empty() {
                    self.row = self.cells();
                }
                match self.row.pop_front() {
                    Some(value) => self.open(value),
                    None => {
                        self.end_row();
                        rows += 1;
                        continue;
                    }
                }
            }
            values.extend(self.chunks.pop_front());
            if !self.chunks.is_empty() {
                if let Some(cut) = self.at.cuts.last_mut() {
                    cut.chunks += 1;
                }
                return (values, true);
            }
            self.at.cuts.clear();
            self.at.cell += 1;
            if self.row.is_empty() {
                self.end_row();
                rows += 1;
            }
        }
        (values, false)
    }

    fn end_row(&mut self) {
        self.at = Position {
            row: self.at.row + 1,
            ..Position::default()
        };
    }

    /// Begins a value, or the rest of one.
    fn open(&mut self, value: Value) {
        let budget = self.wire.chunk_bytes;
        match budget.filter(|budget| chunk::weight(&value) > *budget) {
            Some(budget) => {
                self.chunks = chunk::cut(value, budget).into();
                if self.chunks.len() > 1 {
                    self.at.cuts.push(Cut { budget, chunks: 0 });
                }
            }
            None => self.chunks = [value].into(),
        }
    }

    fn cells(&self) -> VecDeque<Value> {
        self.selected.row(self.rows.start + self.at.row).into()
    }

    fn encode(&mut self, values: Vec<Value>, chunked_value: bool) -> Bytes {
        let every = self.wire.metadata_every;
        let again = every.is_some_and(|every| self.made.is_multiple_of(every.max(1)));
        let first = self.made == 0 && (!self.resumed || self.wire.metadata_on_resume);
        let last = self.ended && self.wire.last != Last::Unmarked;
        self.made += 1;
        let frame = PartialResultSet {
            metadata: (first || again).then(|| self.metadata.clone()),
            values,
            chunked_value,
            resume_token: self.token(chunked_value),
            last,
            ..PartialResultSet::default()
        };
        let mut bytes = frame.encode_to_vec();
        if self.wire.resume_tokens == ResumeTokens::Empty {
            bytes.extend(EMPTY_TOKEN);
        }
        bytes.into()
    }

    /// The token of a message that was just made.
    fn token(&self, chunked: bool) -> Bytes {
        let within_row = !chunked && self.at.cell > 0;
        let carries = match self.wire.resume_tokens {
            ResumeTokens::Dummy => return Bytes::from_static(DUMMY),
            ResumeTokens::Each => true,
            ResumeTokens::Absent | ResumeTokens::Empty => false,
            ResumeTokens::Every(every) => self.made.is_multiple_of(every.max(1)),
            ResumeTokens::BetweenRows => !chunked && !within_row,
            ResumeTokens::WithinRows => within_row,
            ResumeTokens::WithinValues => chunked,
        };
        if carries {
            self.at.token(&self.name)
        } else {
            Bytes::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::{ResumeTokens, RowFrames, RowWire};
    use crate::{
        Clock,
        clock::Running,
        spanner::{
            Batch, History, Script,
            tables::{Query, Tables, types::scalar},
            world::World,
        },
    };

    #[test]
    fn an_empty_token_is_on_the_wire_as_a_field_without_bytes() {
        let sql = "SELECT 7";
        let query = Query::new(sql, [("", scalar("INT64"))]).with([vec![json!("7")]]);
        let history = History::starting_at(jiff::Timestamp::UNIX_EPOCH);
        let history = history.build().unwrap();
        let world = World::of(&history, Running::start(&Clock::System));
        let batch = Batch {
            queries: vec![query],
            ..Batch::default()
        };
        let tables = Tables::of(&Script {
            batch,
            ..Script::new(history)
        });
        let chosen = tables.query(sql, None).unwrap();
        let selected = Arc::new(tables.rows(&chosen, &world, world.strong()));
        let frame = |resume_tokens| {
            let wire = RowWire {
                resume_tokens,
                ..RowWire::default()
            };
            let name = "whole".to_owned();
            let mut frames = RowFrames::new(Arc::clone(&selected), 0..1, &wire, name, None);
            frames.next().unwrap()
        };
        // `result_set.proto`: resume_token is field 4, so its key is 4 << 3 | 2.
        let empty = [&frame(ResumeTokens::Absent)[..], &[0x22, 0]].concat();
        assert_eq!(frame(ResumeTokens::Empty), empty);
    }
}
