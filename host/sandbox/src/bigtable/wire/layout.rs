//! Puts a mutation into messages.
//!
//! Source: `google/bigtable/v2/bigtable.proto`, `MutationChunk` and `DataChange`: only cells that are
//! set are chunked, a piece that is not the last one ends its message, and the next one begins with
//! the next piece.

use bytes::Bytes;
use googleapis_tonic_google_bigtable_v2::google::bigtable::v2::read_change_stream_response::{
    DataChange, MutationChunk, StreamRecord, data_change::Type, mutation_chunk::ChunkInfo,
};
use jiff::Timestamp;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{encode, entry, instant};
use crate::bigtable::{
    history::{Column, Entry, Mutation, Source},
    script::Wire,
};

/// How often a drawn layout takes each of its choices.
const DRAWN: (u32, u32) = (1, 3);

/// What the last message of a mutation tells.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub(crate) token: String,
    pub(crate) watermark: Timestamp,
}

/// The messages of a mutation.
pub(crate) fn messages(wire: &Wire, mutation: &Mutation, ending: Ending) -> Vec<Bytes> {
    let mut layout = Layout::new(wire, mutation);
    let pieces: Vec<Piece> = mutation
        .entries
        .iter()
        .flat_map(|entry| layout.pieces(entry))
        .collect();
    let mut messages = layout.packed(pieces);
    if messages.is_empty() || (messages.iter().any(|m| !m.is_empty()) && layout.ends_apart()) {
        messages.push(Vec::new());
    }
    let mut changes: Vec<DataChange> = messages.into_iter().map(continuation).collect();
    if let Some(first) = changes.first_mut() {
        head(first, mutation);
    }
    if let Some(last) = changes.last_mut() {
        last.done = true;
        last.token = ending.token;
        last.estimated_low_watermark = Some(instant(ending.watermark));
    }
    let records = changes.into_iter().map(StreamRecord::DataChange);
    records.map(encode).collect()
}

fn head(first: &mut DataChange, mutation: &Mutation) {
    let kind = match mutation.source {
        Source::User(_) => Type::User,
        Source::GarbageCollection => Type::GarbageCollection,
    };
    first.set_type(kind);
    mutation.cluster().clone_into(&mut first.source_cluster_id);
    first.row_key = mutation.row_key.clone();
    first.commit_timestamp = Some(instant(mutation.commit_timestamp));
    first.tiebreaker = mutation.tie_breaker;
}

fn continuation(chunks: Vec<MutationChunk>) -> DataChange {
    DataChange {
        r#type: Type::Continuation as i32,
        chunks,
        ..DataChange::default()
    }
}

/// A chunk, and whether nothing may follow it in its message.
struct Piece {
    chunk: MutationChunk,
    ends_message: bool,
}

/// The choices that a layout leaves open.
enum Layout {
    Plain(Wire),
    Drawn(Xoshiro256PlusPlus),
}

impl Layout {
    fn new(wire: &Wire, mutation: &Mutation) -> Self {
        match wire.drawn_from {
            Some(seed) => {
                let seed = mutation.id().bytes().fold(seed, |seed, byte| {
                    (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
                });
                Self::Drawn(Xoshiro256PlusPlus::seed_from_u64(seed))
            }
            None => Self::Plain(*wire),
        }
    }

    fn pieces(&mut self, entry: &Entry) -> Vec<Piece> {
        let whole = |entry| {
            vec![Piece {
                chunk: MutationChunk {
                    chunk_info: None,
                    mutation: Some(entry::mutation(entry)),
                },
                ends_message: false,
            }]
        };
        match entry {
            Entry::SetCell {
                column,
                timestamp_micros,
                value,
            } => match self.chunk_bytes(value.len()) {
                Some(bytes) => chunked(column, *timestamp_micros, value, bytes),
                None => whole(entry),
            },
            Entry::DeleteCells { .. }
            | Entry::DeleteFamily { .. }
            | Entry::AddToCell { .. }
            | Entry::MergeToCell { .. } => whole(entry),
        }
    }

    /// How long the chunks of a value are, if it is chunked.
    fn chunk_bytes(&mut self, length: usize) -> Option<usize> {
        match self {
            Self::Plain(wire) => {
                let bytes = wire.chunk_bytes.map(|bytes| bytes.max(1));
                bytes.filter(|bytes| length > *bytes)
            }
            Self::Drawn(rng) => (length > 1 && rng.random_ratio(DRAWN.0, DRAWN.1))
                .then(|| rng.random_range(1..length)),
        }
    }

    fn packed(&mut self, pieces: Vec<Piece>) -> Vec<Vec<MutationChunk>> {
        let mut messages = Vec::new();
        let mut open = Vec::new();
        for piece in pieces {
            open.push(piece.chunk);
            if piece.ends_message || self.is_full(open.len()) {
                messages.push(std::mem::take(&mut open));
            }
        }
        if !open.is_empty() {
            messages.push(open);
        }
        messages
    }

    fn is_full(&mut self, chunks: usize) -> bool {
        match self {
            Self::Plain(wire) => wire.chunks_per_message.is_some_and(|most| chunks >= most),
            Self::Drawn(rng) => rng.random_ratio(DRAWN.0, DRAWN.1),
        }
    }

    fn ends_apart(&mut self) -> bool {
        match self {
            Self::Plain(wire) => wire.end_apart,
            Self::Drawn(rng) => rng.random_ratio(DRAWN.0, DRAWN.1),
        }
    }
}

fn chunked(column: &Column, timestamp_micros: i64, value: &Bytes, bytes: usize) -> Vec<Piece> {
    let count = value.len().div_ceil(bytes);
    let piece = |index: usize| {
        let offset = index * bytes;
        let piece = value.slice(offset..value.len().min(offset + bytes));
        let is_last = index + 1 == count;
        let mutation = if index == 0 {
            entry::first_piece(column, timestamp_micros, piece)
        } else {
            entry::continued(piece)
        };
        let chunk_info = ChunkInfo {
            chunked_value_size: as_i32(value.len()),
            chunked_value_offset: as_i32(offset),
            last_chunk: is_last,
        };
        Piece {
            chunk: MutationChunk {
                chunk_info: Some(chunk_info),
                mutation: Some(mutation),
            },
            ends_message: !is_last,
        }
    };
    (0..count).map(piece).collect()
}

/// A value of two gigabytes cannot be in a message.
fn as_i32(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
