//! The values of a stream, one after the other, those that arrive in several frames merged.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::Malformed;
use crate::spanner::chunk::Chunk;

/// Bytes of one value that arrives in several frames. A row has at most 100 MiB, its old values
/// as many again.
///
/// Source: https://cloud.google.com/spanner/quotas
const CHUNKED_BYTES_MAX: usize = 256 << 20;

/// Values in the order of the stream.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// Those that are whole, each a `Value` message.
    pub(crate) whole: VecDeque<Bytes>,
    /// One that the next frame goes on with, and the bytes that it has so far.
    pub(crate) open: Option<(Chunk, usize)>,
}

impl Values {
    /// Takes the next value of a frame. `chunked` says that the next frame goes on with it.
    pub(crate) fn push(
        &mut self,
        frame: &Bytes,
        value: &[u8],
        chunked: bool,
    ) -> Result<(), Malformed> {
        let (chunk, bytes) = match self.open.take() {
            Some((mut chunk, bytes)) => {
                let bytes = bytes.saturating_add(value.len());
                if bytes > CHUNKED_BYTES_MAX {
                    return Err(Malformed::expected("a value of at most 256 MiB"));
                }
                chunk.merge(value)?;
                (chunk, bytes)
            }
            None if chunked => (Chunk::begin(value)?, value.len()),
            None => {
                self.whole.push_back(frame.slice_ref(value));
                return Ok(());
            }
        };
        if chunked {
            self.open = Some((chunk, bytes));
        } else {
            self.whole.push_back(Bytes::from(chunk.encode()));
        }
        Ok(())
    }
}
