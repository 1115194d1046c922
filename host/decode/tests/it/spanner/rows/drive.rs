//! A row assembler driven as a host drives it: rows into a batch, the position remembered.

use acequia_decode::Malformed;
use acequia_decode::rows::RowBatch;
use acequia_decode::spanner::{RowAssembler, RowOrigin, RowStart, RowStep};
use bytes::Bytes;
use googleapis_tonic_google_spanner_v1::google::spanner::v1::PartialResultSet;

use crate::spanner::frames::encode;

/// The table `Things` with the key `k`.
pub(crate) fn table() -> RowOrigin {
    RowOrigin {
        table: "Things".to_owned(),
        read_timestamp: "2026-11-30T20:41:00.5Z".to_owned(),
        partition: "Things/0".to_owned(),
        hash: "c0ffee".to_owned(),
        key: vec!["k".to_owned()],
        ..RowOrigin::default()
    }
}

/// A query.
pub(crate) fn query() -> RowOrigin {
    RowOrigin {
        table: String::new(),
        partition: "query/0".to_owned(),
        key: Vec::new(),
        ..table()
    }
}

/// Where a stream can be read on: a token, what was pending at it, and rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Position {
    pub(crate) token: Option<Bytes>,
    carry: Vec<u8>,
    /// Rows before the token.
    before: u64,
    /// Rows since.
    since: u64,
}

impl Position {
    pub(crate) fn start(&self) -> RowStart {
        RowStart {
            carry: self.carry.clone(),
            row: self.before,
            skip: self.since,
        }
    }

    /// The position of the token itself.
    pub(crate) fn at_token(self) -> Self {
        Self { since: 0, ..self }
    }
}

/// Reads one stream.
pub(crate) struct Reader {
    assembler: RowAssembler,
    keep: fn(&str) -> bool,
    pub(crate) position: Position,
    pub(crate) covered: u64,
    pub(crate) dropped: u64,
}

impl Reader {
    pub(crate) fn new(origin: RowOrigin, from: &Position) -> Result<Self, Malformed> {
        Ok(Self {
            assembler: RowAssembler::new(origin, from.start())?,
            keep: |_| true,
            position: from.clone().at_token(),
            covered: 0,
            dropped: 0,
        })
    }

    pub(crate) fn keep(mut self, keep: fn(&str) -> bool) -> Self {
        self.keep = keep;
        self
    }

    /// Takes one frame and reads all of it.
    pub(crate) fn push(&mut self, batch: &mut RowBatch, frame: Bytes) -> Result<(), Malformed> {
        self.assembler.push(frame)?;
        loop {
            match self.assembler.next(batch)? {
                RowStep::Empty => return Ok(()),
                RowStep::Unplanned { columns } => {
                    let keep = columns.iter().map(|name| (self.keep)(name)).collect();
                    self.assembler.plan(keep).unwrap();
                }
                RowStep::Covered => {
                    self.covered += 1;
                    self.position.since += 1;
                }
                RowStep::Row { cells_dropped, .. } => {
                    self.dropped += cells_dropped;
                    self.position.since += 1;
                }
                RowStep::Token { token, carry } => {
                    let before = self.position.before + self.position.since;
                    self.position = Position {
                        token: Some(token),
                        carry,
                        before,
                        since: 0,
                    };
                }
            }
        }
    }

    pub(crate) fn finish(&mut self) -> Result<(), Malformed> {
        self.assembler.finish()
    }
}

/// Everything that the frames hold.
pub(crate) fn read(
    origin: RowOrigin,
    frames: impl IntoIterator<Item = Bytes>,
) -> Result<RowBatch, Malformed> {
    let mut batch = RowBatch::default();
    let mut reader = Reader::new(origin, &Position::default())?;
    for frame in frames {
        reader.push(&mut batch, frame)?;
    }
    reader.finish()?;
    Ok(batch)
}

/// The rows of frames that are as they should be.
pub(crate) fn rows(origin: RowOrigin, frames: &[PartialResultSet]) -> RowBatch {
    read(origin, frames.iter().map(encode)).unwrap()
}

/// What was expected in the place of what the frames hold.
pub(crate) fn expected(origin: RowOrigin, frames: &[PartialResultSet]) -> &'static str {
    read(origin, frames.iter().map(encode)).unwrap_err().what()
}

/// The texts of a column.
pub(crate) fn texts(texts: &acequia_decode::Texts) -> Vec<&str> {
    let texts = texts.iter().map(|text| std::str::from_utf8(text).unwrap());
    texts.collect()
}
