//! Checked reading of the contract's columns.

use core::fmt;

use crate::bindings::plugin::acequia::connector::types::{Blobs, Texts};

/// The columns of a batch do not fit together. The host never sends such a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBatch {
    column: &'static str,
    fault: &'static str,
}

impl BadBatch {
    pub(crate) fn new(column: &'static str, fault: &'static str) -> Self {
        Self { column, fault }
    }
}

impl fmt::Display for BadBatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the batch column `{}` {}",
            self.column, self.fault
        )
    }
}

impl std::error::Error for BadBatch {}

/// A column of texts, checked as a whole when it is opened: once per batch instead of once per
/// value.
#[derive(Clone, Copy)]
pub(crate) struct TextColumn<'a> {
    text: &'a str,
    ends: &'a [u32],
}

impl<'a> TextColumn<'a> {
    pub(crate) fn open(
        texts: &'a Texts,
        name: &'static str,
        count: usize,
    ) -> Result<Self, BadBatch> {
        check_ends(&texts.ends, texts.bytes.len(), name, count)?;
        let text =
            core::str::from_utf8(&texts.bytes).map_err(|_| BadBatch::new(name, "is not UTF-8"))?;
        if texts
            .ends
            .iter()
            .all(|&end| text.is_char_boundary(end as usize))
        {
            Ok(Self {
                text,
                ends: &texts.ends,
            })
        } else {
            Err(BadBatch::new(name, "ends a value inside a character"))
        }
    }

    pub(crate) fn get(&self, index: usize) -> &'a str {
        let (start, end) = range(self.ends, index);
        self.text.get(start..end).unwrap_or_default()
    }
}

/// A column of byte strings, checked as a whole when it is opened.
#[derive(Clone, Copy)]
pub(crate) struct BlobColumn<'a> {
    bytes: &'a [u8],
    ends: &'a [u32],
}

impl<'a> BlobColumn<'a> {
    pub(crate) fn open(
        blobs: &'a Blobs,
        name: &'static str,
        count: usize,
    ) -> Result<Self, BadBatch> {
        check_ends(&blobs.ends, blobs.bytes.len(), name, count)?;
        Ok(Self {
            bytes: &blobs.bytes,
            ends: &blobs.ends,
        })
    }

    pub(crate) fn get(&self, index: usize) -> &'a [u8] {
        let (start, end) = range(self.ends, index);
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// Value `index` of a column of ends: from the end before it to its own.
pub(crate) fn range(ends: &[u32], index: usize) -> (usize, usize) {
    let start = match index.checked_sub(1) {
        Some(before) => ends.get(before).copied().unwrap_or_default(),
        None => 0,
    };
    let end = ends.get(index).copied().unwrap_or(start);
    (start as usize, end as usize)
}

/// Ends that never decrease, one per value, the last of which is the length of what they cut.
pub(crate) fn check_ends(
    ends: &[u32],
    length: usize,
    name: &'static str,
    count: usize,
) -> Result<(), BadBatch> {
    check_length(ends.len(), name, count)?;
    let last = ends.last().copied().unwrap_or_default();
    if last as usize != length {
        return Err(BadBatch::new(name, "does not end where its values end"));
    }
    if ends.is_sorted() {
        Ok(())
    } else {
        Err(BadBatch::new(name, "has an end before the one ahead of it"))
    }
}

/// One entry per value.
pub(crate) fn check_length(
    length: usize,
    name: &'static str,
    count: usize,
) -> Result<(), BadBatch> {
    if length == count {
        Ok(())
    } else {
        Err(BadBatch::new(
            name,
            "has another number of entries than the batch",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8], ends: &[u32]) -> Texts {
        Texts {
            bytes: bytes.to_vec(),
            ends: ends.to_vec(),
        }
    }

    #[test]
    fn values_are_cut_at_their_ends_and_may_be_empty() {
        let texts = texts("aßc".as_bytes(), &[1, 1, 3, 4]);
        let column = TextColumn::open(&texts, "ids", 4).unwrap();
        let values: Vec<&str> = (0..5).map(|index| column.get(index)).collect();
        assert_eq!(values, ["a", "", "ß", "c", ""]);
    }

    #[test]
    fn a_column_that_does_not_fit_is_refused_with_its_name() {
        let refused = |bytes: &[u8], ends: &[u32], count| {
            TextColumn::open(&texts(bytes, ends), "ids", count)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default()
        };
        assert_eq!(
            refused(b"ab", &[1, 2], 3),
            "the batch column `ids` has another number of entries than the batch"
        );
        assert_eq!(
            refused(b"ab", &[1, 1], 2),
            "the batch column `ids` does not end where its values end"
        );
        assert_eq!(
            refused(b"ab", &[2, 1, 2], 3),
            "the batch column `ids` has an end before the one ahead of it"
        );
        assert_eq!(
            refused(b"\xff", &[1], 1),
            "the batch column `ids` is not UTF-8"
        );
        assert_eq!(
            refused("ß".as_bytes(), &[1, 2], 2),
            "the batch column `ids` ends a value inside a character"
        );
    }
}
