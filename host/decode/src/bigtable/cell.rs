//! A cell whose value arrives in pieces.

use super::data_change::{Chunk, ChunkInfo, Chunks};
use crate::Malformed;

/// Bytes of one value. The Java client takes messages of at most 256 MiB, so no value that was
/// written by one exceeds them.
///
/// Source: googleapis/java-bigtable, `EnhancedBigtableStubSettings`, `MAX_MESSAGE_SIZE`.
const VALUE_BYTES_MAX: usize = 256 << 20;

/// The value of a cell, as far as it arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Bytes of the whole value.
    size: usize,
    /// Bytes of the pieces so far.
    arrived: usize,
}

/// Follows the chunks of one more message, of which there are `count`, and says which cell is open
/// at its end.
///
/// The pieces of a cell are contiguous: each begins where the one before ended, and nothing stands
/// between them.
///
/// Source: google/bigtable/v2/bigtable.proto, `MutationChunk.ChunkInfo`.
pub(super) fn follow(
    mut open: Option<Cell>,
    message: &[u8],
    count: usize,
) -> Result<Option<Cell>, Malformed> {
    let mut chunks = Chunks::new(message);
    while let Some(chunk) = chunks.next()? {
        let is_last = chunks.taken() == count;
        open = advance(open, &chunk, is_last).map_err(|error| chunks.place(error))?;
    }
    Ok(open)
}

fn advance(
    open: Option<Cell>,
    chunk: &Chunk<'_>,
    ends_message: bool,
) -> Result<Option<Cell>, Malformed> {
    let mut cell = match (open, chunk.info) {
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(Malformed::expected("the next chunk of the open cell")),
        (None, Some(info)) => Cell::begin(info)?,
        (Some(cell), Some(_)) => cell,
    };
    let info = chunk.info.unwrap_or_default();
    cell.add(info, chunk.piece()?.len())?;
    if !info.is_last {
        if !ends_message {
            return Err(Malformed::expected(
                "the last chunk of the cell, or the end of the message",
            ));
        }
        return Ok(Some(cell));
    }
    if cell.arrived != cell.size {
        return Err(Malformed::expected("the whole value with its last chunk"));
    }
    Ok(None)
}

impl Cell {
    fn begin(info: ChunkInfo) -> Result<Self, Malformed> {
        if info.offset != 0 {
            return Err(Malformed::expected("the first chunk of a cell"));
        }
        let size = usize::try_from(info.size).ok().filter(|&size| size > 0);
        let size = size.ok_or_else(|| Malformed::expected("a positive chunked_value_size"))?;
        if size > VALUE_BYTES_MAX {
            return Err(Malformed::expected("a value of at most 256 MiB"));
        }
        Ok(Self { size, arrived: 0 })
    }

    fn add(&mut self, info: ChunkInfo, len: usize) -> Result<(), Malformed> {
        if usize::try_from(info.size) != Ok(self.size) {
            return Err(Malformed::expected(
                "the chunked_value_size of the cell's first chunk",
            ));
        }
        if usize::try_from(info.offset) != Ok(self.arrived) {
            return Err(Malformed::expected(
                "a chunk that begins where the one before it ended",
            ));
        }
        self.arrived = self.arrived.saturating_add(len);
        if self.arrived > self.size {
            return Err(Malformed::expected("no more than chunked_value_size bytes"));
        }
        Ok(())
    }
}
