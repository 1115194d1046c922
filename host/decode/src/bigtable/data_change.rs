//! One message about a mutation, which may be one of several.
//!
//! Source: google/bigtable/v2/bigtable.proto, `ReadChangeStreamResponse.DataChange` and
//! `ReadChangeStreamResponse.MutationChunk`.

use jiff::Timestamp;

use super::entry;
use crate::wire::{Fields, Payload, int32, utf8};
use crate::{Malformed, timestamp};

/// The numbers of `DataChange.Type`.
pub(super) const USER: i32 = 1;
pub(super) const GARBAGE_COLLECTION: i32 = 2;
pub(super) const CONTINUATION: i32 = 3;

/// A `DataChange`, except for what its chunks hold.
#[derive(Default)]
pub(super) struct DataChange<'a> {
    pub(super) kind: i32,
    pub(super) source_cluster_id: &'a str,
    pub(super) row_key: &'a [u8],
    pub(super) commit: Option<Timestamp>,
    pub(super) tie_breaker: i32,
    /// How many chunks there are.
    pub(super) chunks: usize,
    pub(super) done: bool,
    pub(super) token: &'a str,
    pub(super) low_watermark: Option<Timestamp>,
}

impl<'a> DataChange<'a> {
    pub(super) fn read(message: &'a [u8]) -> Result<Self, Malformed> {
        let mut change = Self::default();
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Varint(number)) => change.kind = int32(number),
                (2, Payload::Bytes(text)) => change.source_cluster_id = utf8(text)?,
                (3, Payload::Bytes(key)) => change.row_key = key,
                (4, Payload::Bytes(at)) => {
                    let at = timestamp::read(at);
                    change.commit = Some(at.map_err(|error| error.within("commit_timestamp"))?);
                }
                (5, Payload::Varint(number)) => change.tie_breaker = int32(number),
                (CHUNKS, Payload::Bytes(_)) => change.chunks += 1,
                (8, Payload::Varint(bit)) => change.done = bit != 0,
                (9, Payload::Bytes(text)) => change.token = utf8(text)?,
                (10, Payload::Bytes(at)) => {
                    let at = timestamp::read(at);
                    let at = at.map_err(|error| error.within("estimated_low_watermark"))?;
                    change.low_watermark = Some(at);
                }
                (1..=6 | 8..=10, _) => return Err(Malformed::expected("a field of DataChange")),
                _ => {}
            }
        }
        Ok(change)
    }
}

/// The number of `DataChange.chunks`.
const CHUNKS: u32 = 6;

/// The chunks of a `DataChange`, in order.
pub(super) struct Chunks<'a> {
    fields: Fields<'a>,
    index: usize,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(message: &'a [u8]) -> Self {
        Self {
            fields: Fields::new(message),
            index: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<Chunk<'a>>, Malformed> {
        while let Some(field) = self.fields.next()? {
            if let (CHUNKS, Payload::Bytes(message)) = field {
                let chunk = Chunk::read(message);
                self.index += 1;
                return chunk.map(Some).map_err(|error| self.place(error));
            }
        }
        Ok(None)
    }

    /// How many chunks were read.
    pub(super) fn taken(&self) -> usize {
        self.index
    }

    /// Puts the chunk that was read last in front of an error's path.
    pub(super) fn place(&self, error: Malformed) -> Malformed {
        error.index(self.index.saturating_sub(1)).within("chunks")
    }
}

/// A `MutationChunk`: an entry, or a piece of one.
#[derive(Default)]
pub(super) struct Chunk<'a> {
    /// `None` for an entry that is whole.
    pub(super) info: Option<ChunkInfo>,
    /// The `Mutation`.
    pub(super) mutation: &'a [u8],
}

/// Where a piece belongs in the value of its cell.
#[derive(Clone, Copy, Default)]
pub(super) struct ChunkInfo {
    /// Bytes of the whole value.
    pub(super) size: i32,
    pub(super) offset: i32,
    pub(super) is_last: bool,
}

impl<'a> Chunk<'a> {
    fn read(message: &'a [u8]) -> Result<Self, Malformed> {
        let mut chunk = Self::default();
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(info)) => {
                    let info = ChunkInfo::read(info);
                    chunk.info = Some(info.map_err(|error| error.within("chunk_info"))?);
                }
                (2, Payload::Bytes(mutation)) => chunk.mutation = mutation,
                (1..=2, _) => return Err(Malformed::expected("a field of MutationChunk")),
                _ => {}
            }
        }
        Ok(chunk)
    }

    /// The piece of the value that it brings.
    pub(super) fn piece(&self) -> Result<&'a [u8], Malformed> {
        entry::piece(self.mutation).map_err(|error| error.within("mutation"))
    }

    /// The entry that it is, or begins.
    pub(super) fn entry(&self) -> Result<entry::Entry<'a>, Malformed> {
        entry::entry(self.mutation).map_err(|error| error.within("mutation"))
    }

    /// Whether the next chunk goes on with it.
    pub(super) fn is_open(&self) -> bool {
        self.info.is_some_and(|info| !info.is_last)
    }
}

impl ChunkInfo {
    fn read(message: &[u8]) -> Result<Self, Malformed> {
        let mut info = Self::default();
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Varint(number)) => info.size = int32(number),
                (2, Payload::Varint(number)) => info.offset = int32(number),
                (3, Payload::Varint(bit)) => info.is_last = bit != 0,
                (1..=3, _) => return Err(Malformed::expected("a field of ChunkInfo")),
                _ => {}
            }
        }
        Ok(info)
    }
}
