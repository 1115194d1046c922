//! Messages become whole mutations.
//!
//! A mutation is kept as the messages that brought it, in which its entries are read later: a value
//! that arrives in pieces is put together where it belongs, in its column.

use bytes::Bytes;

use super::Step;
use super::cell::{self, Cell};
use super::control;
use super::data_change::{CONTINUATION, DataChange};
use super::whole::{Head, Whole};
use crate::Malformed;
use crate::wire::{Fields, Payload};

/// Bytes of the messages of one mutation: a value of the largest size, and as much again for the rest
/// of its row.
const MUTATION_BYTES_MAX: usize = 512 << 20;

/// The merge state machine of one stream.
#[derive(Debug, Default)]
pub(super) struct Merge {
    open: Option<Open>,
    is_closed: bool,
}

/// A mutation of which more messages come.
#[derive(Debug)]
struct Open {
    head: Head,
    messages: Vec<Bytes>,
    /// Bytes of its frames.
    bytes: usize,
    /// A cell whose value goes on in the next message.
    cell: Option<Cell>,
}

/// What a frame completed.
#[derive(Debug)]
pub(super) enum Ready {
    Mutation(Whole),
    Control(Step),
}

impl Merge {
    /// Takes one `ReadChangeStreamResponse`.
    pub(super) fn push(&mut self, frame: &Bytes) -> Result<Option<Ready>, Malformed> {
        if self.is_closed {
            return Err(Malformed::expected("nothing after close_stream"));
        }
        let (kind, record) = record(frame)?;
        match kind {
            DATA_CHANGE => {
                let whole = self.data_change(frame.slice_ref(record), frame.len());
                let whole = whole.map_err(|error| error.within("data_change"))?;
                Ok(whole.map(Ready::Mutation))
            }
            HEARTBEAT => {
                let step = self.finish().and_then(|()| control::heartbeat(record));
                let step = step.map_err(|error| error.within("heartbeat"))?;
                Ok(Some(Ready::Control(step)))
            }
            _ => {
                let step = self.finish().and_then(|()| control::close(record));
                let step = step.map_err(|error| error.within("close_stream"))?;
                self.is_closed = true;
                Ok(Some(Ready::Control(step)))
            }
        }
    }

    /// Says whether the stream may end here.
    pub(super) fn finish(&self) -> Result<(), Malformed> {
        match self.open {
            Some(_) => Err(Malformed::expected("the rest of the mutation")),
            None => Ok(()),
        }
    }

    /// Takes one message about a mutation, and gives the mutation with its last one.
    fn data_change(&mut self, message: Bytes, bytes: usize) -> Result<Option<Whole>, Malformed> {
        let change = DataChange::read(&message)?;
        let mut open = match self.open.take() {
            Some(open) => open.go_on(&change)?,
            None => Open::begin(&change, &message)?,
        };
        // Each message costs its place in the list too, so that empty ones cannot be without end.
        open.bytes = open.bytes.saturating_add(bytes);
        if open.bytes + open.messages.len() * size_of::<Bytes>() > MUTATION_BYTES_MAX {
            return Err(Malformed::expected("a mutation of at most 512 MiB"));
        }
        open.cell = cell::follow(open.cell, &message, change.chunks)?;
        if change.done {
            return open.end(&change, message.clone()).map(Some);
        }
        open.messages.push(message);
        self.open = Some(open);
        Ok(None)
    }
}

/// The numbers of `ReadChangeStreamResponse.stream_record`.
const DATA_CHANGE: u32 = 1;
const HEARTBEAT: u32 = 2;
const CLOSE_STREAM: u32 = 3;

/// The only record of a response.
///
/// Source: google/bigtable/v2/bigtable.proto, `ReadChangeStreamResponse`.
fn record(frame: &[u8]) -> Result<(u32, &[u8]), Malformed> {
    let mut found = None;
    let mut fields = Fields::new(frame);
    while let Some(field) = fields.next()? {
        let (kind @ DATA_CHANGE..=CLOSE_STREAM, Payload::Bytes(record)) = field else {
            continue;
        };
        if found.replace((kind, record)).is_some() {
            return Err(Malformed::expected("one record"));
        }
    }
    found.ok_or_else(|| {
        Malformed::expected("a kind of record that is known; a newer Acequia may be needed")
    })
}

impl Open {
    fn begin(change: &DataChange<'_>, message: &Bytes) -> Result<Self, Malformed> {
        let head = Head::read(change, message)?;
        // A mutation without entries is whole in one message; one that is not has some to send.
        if change.chunks == 0 && !change.done {
            return Err(Malformed::expected("at least one value").within("chunks"));
        }
        Ok(Self {
            head,
            messages: Vec::new(),
            bytes: 0,
            cell: None,
        })
    }

    /// Checks that a later message belongs to this mutation.
    fn go_on(self, change: &DataChange<'_>) -> Result<Self, Malformed> {
        if change.kind != CONTINUATION {
            return Err(Malformed::expected("CONTINUATION inside a mutation").within("type"));
        }
        // Later messages have no row key.
        if !change.row_key.is_empty() && change.row_key != self.head.row_key {
            return Err(Malformed::expected("the row key of the first message").within("row_key"));
        }
        Ok(self)
    }

    fn end(self, change: &DataChange<'_>, last: Bytes) -> Result<Whole, Malformed> {
        if self.cell.is_some() {
            return Err(Malformed::expected("the rest of the cell before the end").within("done"));
        }
        let missing = |field| Malformed::expected("a value").within(field);
        if change.token.is_empty() {
            return Err(missing("token"));
        }
        let low_watermark = change.low_watermark;
        Ok(Whole {
            head: self.head,
            before: self.messages,
            last,
            token: change.token.into(),
            low_watermark: low_watermark.ok_or_else(|| missing("estimated_low_watermark"))?,
            bytes: self.bytes as u64,
        })
    }
}
