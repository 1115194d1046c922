//! What is pending at a resume token, for a checkpoint and back.
//!
//! ```text
//! version (1 byte) | fields of a message | checksum of all before it (8 bytes, little-endian)
//!                    1  a value of the row that has begun, repeated
//!                    2  the value that the next frame goes on with, as far as it was sent
//! ```
//!
//! It comes back from a file, so every byte of it is checked.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::Malformed;
use crate::spanner::chunk::Chunk;
use crate::spanner::values::Values;
use crate::wire::{Fields, Payload, put_bytes};

/// Bytes of a carry. A checkpoint holds one per open partition, and a token may stand anywhere in
/// a row of 100 MiB.
const CARRY_BYTES_MAX: usize = 64 << 10;
const VERSION: u8 = 1;
const CELL: u32 = 1;
const OPEN: u32 = 2;

/// The last `cells` whole values and the open one; none if they are more than a carry may hold.
pub(crate) fn write(values: &Values, cells: usize) -> Option<Vec<u8>> {
    let before = values.whole.len().saturating_sub(cells);
    let cells = values.whole.iter().skip(before);
    let open = values.open.as_ref();
    let sent = cells.clone().map(Bytes::len).sum::<usize>() + open.map_or(0, |open| open.1);
    if sent > CARRY_BYTES_MAX {
        return None;
    }
    let mut carry = vec![VERSION];
    for cell in cells {
        put_bytes(&mut carry, CELL, cell);
    }
    if let Some((chunk, _)) = open {
        put_bytes(&mut carry, OPEN, &chunk.encode());
    }
    if carry.len() == 1 {
        return Some(Vec::new());
    }
    let checksum = checksum(&carry);
    carry.extend_from_slice(&checksum.to_le_bytes());
    Some(carry).filter(|carry| carry.len() <= CARRY_BYTES_MAX)
}

/// The values that were pending.
pub(crate) fn read(carry: &[u8]) -> Result<Values, Malformed> {
    if carry.is_empty() {
        return Ok(Values::default());
    }
    if carry.len() > CARRY_BYTES_MAX {
        return Err(Malformed::expected("at most 64 KiB"));
    }
    let Some((body, sum)) = carry.split_last_chunk::<8>() else {
        return Err(Malformed::expected("a checksum"));
    };
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err(Malformed::expected("the checksum of what is before it"));
    }
    let Some((&VERSION, message)) = body.split_first() else {
        return Err(Malformed::expected("version 1"));
    };
    let (mut whole, mut open) = (VecDeque::new(), None);
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next()? {
        match field {
            (CELL, Payload::Bytes(cell)) => whole.push_back(Bytes::copy_from_slice(cell)),
            (OPEN, Payload::Bytes(value)) if open.is_none() => {
                open = Some((Chunk::begin(value)?, value.len()));
            }
            _ => return Err(Malformed::expected("a field of version 1")),
        }
    }
    Ok(Values { whole, open })
}

/// FNV-1a in 64 bits: any one byte that changes changes it.
///
/// Source: http://www.isthe.com/chongo/tech/comp/fnv/
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
