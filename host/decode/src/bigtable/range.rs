//! Ranges of row keys.

use crate::Malformed;
use crate::wire::{Fields, Payload};

/// The row keys from one to before another. Ranges are compared as bytes.
///
/// Source: google/bigtable/v2/data.proto, `RowRange`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowRange {
    /// The first row key; empty for no bound.
    pub start: Vec<u8>,
    /// The first row key after it; empty for no bound.
    pub end: Vec<u8>,
}

impl RowRange {
    /// Reads the range of a `StreamPartition`. A bound that is left out is none; one of the other
    /// kind is moved to the next key.
    pub(super) fn read(partition: &[u8]) -> Result<Self, Malformed> {
        let mut found = None;
        let mut fields = Fields::new(partition);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(range)) => found = Some(range),
                (1, _) => return Err(Malformed::expected("a field of StreamPartition")),
                _ => {}
            }
        }
        let range = found.ok_or_else(|| Malformed::expected("a value"));
        range
            .and_then(Self::read_bounds)
            .map_err(|error| error.within("row_range"))
    }

    fn read_bounds(range: &[u8]) -> Result<Self, Malformed> {
        let mut read = Self::default();
        let mut fields = Fields::new(range);
        while let Some(field) = fields.next()? {
            match field {
                (1, Payload::Bytes(closed)) => read.start = closed.to_vec(),
                (2, Payload::Bytes(open)) => read.start = next_key(open),
                (3, Payload::Bytes(open)) => read.end = open.to_vec(),
                (4, Payload::Bytes(closed)) => read.end = next_key(closed),
                (1..=4, _) => return Err(Malformed::expected("a field of RowRange")),
                _ => {}
            }
        }
        if !read.end.is_empty() && read.start >= read.end {
            return Err(Malformed::expected("a start before the end"));
        }
        Ok(read)
    }
}

/// The key right after this one. The empty key is none, so it stays the bound that is none.
fn next_key(key: &[u8]) -> Vec<u8> {
    let mut next = key.to_vec();
    if !key.is_empty() {
        next.push(0);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::put_bytes;

    /// A partition whose range has these fields.
    fn read(bounds: &[(u32, &[u8])]) -> Result<(Vec<u8>, Vec<u8>), &'static str> {
        let (mut range, mut partition) = (Vec::new(), Vec::new());
        for (field, key) in bounds {
            put_bytes(&mut range, *field, key);
        }
        put_bytes(&mut partition, 1, &range);
        let range = RowRange::read(&partition).map_err(|error| error.what())?;
        Ok((range.start, range.end))
    }

    #[test]
    fn a_bound_that_is_empty_or_left_out_is_none() {
        let everything = Ok((vec![], vec![]));
        assert_eq!(read(&[]), everything);
        assert_eq!(read(&[(1, b""), (3, b"")]), everything);
        assert_eq!(read(&[(2, b""), (4, b"")]), everything);
        assert_eq!(read(&[(3, b"m")]), Ok((vec![], b"m".to_vec())));
    }

    #[test]
    fn an_open_start_and_a_closed_end_move_to_the_next_key() {
        assert_eq!(
            read(&[(2, b"a"), (4, b"m")]),
            Ok((b"a\0".to_vec(), b"m\0".to_vec()))
        );
        assert_eq!(
            read(&[(1, b"a"), (3, b"m")]),
            Ok((b"a".to_vec(), b"m".to_vec()))
        );
    }

    #[test]
    fn a_range_without_a_key_is_refused() {
        let what = Err("a start before the end");
        assert_eq!(read(&[(1, b"m"), (3, b"m")]), what);
        assert_eq!(read(&[(1, b"z"), (3, b"m")]), what);
        assert_eq!(read(&[(2, b"m"), (4, b"m")]), what);
    }

    #[test]
    fn a_partition_without_a_range_is_refused() {
        let error = RowRange::read(&[]).unwrap_err();
        assert_eq!((error.what(), error.path()), ("a value", "row_range"));
    }
}
