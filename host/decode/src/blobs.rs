//! A column of byte strings, laid out as the component contract lays it out.

/// Byte strings one after the other: value `i` is `bytes[ends[i-1]..ends[i]]`, where `ends[-1]`
/// is 0.
///
/// Source: `blobs` in `wit/types.wit`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Blobs {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

/// Two lists that do not describe a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadColumn {
    /// An end lies before the one before it.
    #[error("the end of value {0} lies before its beginning")]
    Decreasing(usize),
    /// The last end is not the length of the bytes.
    #[error("the last end is {last} and there are {bytes} bytes")]
    Length {
        /// The last end, 0 without any.
        last: u32,
        /// How many bytes there are.
        bytes: usize,
    },
    /// A value of a column of texts is not UTF-8, or an end splits a character.
    #[error("value {0} is not UTF-8")]
    NotUtf8(usize),
}

impl Blobs {
    /// Takes lists that came from elsewhere, such as a guest, and checks every rule of the contract.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn from_parts(bytes: Vec<u8>, ends: Vec<u32>) -> Result<Self, BadColumn> {
        let last = ends.last().copied().unwrap_or(0);
        if usize::try_from(last) != Ok(bytes.len()) {
            let bytes = bytes.len();
            return Err(BadColumn::Length { last, bytes });
        }
        let decreasing = ends.windows(2).position(|pair| pair.first() > pair.last());
        match decreasing {
            Some(before) => Err(BadColumn::Decreasing(before + 1)),
            None => Ok(Self { bytes, ends }),
        }
    }

    /// No value, and room for some.
    pub(crate) fn with_room(bytes: usize, values: usize) -> Self {
        // Values of two batches differ in length, and one byte too many would copy all of them.
        Self {
            bytes: Vec::with_capacity(bytes + bytes / 8),
            ends: Vec::with_capacity(values),
        }
    }

    /// Adds one value. The column holds at most `u32::MAX` bytes; whoever fills it keeps below.
    pub fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.close();
    }

    /// The value at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes.get(start as usize..end as usize)
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All values, one after the other.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where each value ends in [`Blobs::bytes`].
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// Removes all values and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Bytes that the column takes, ends included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of_val(self.ends.as_slice())
    }

    /// The value under construction: appended to, then ended by [`Blobs::close`].
    pub(crate) fn open(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends the value under construction.
    pub(crate) fn close(&mut self) {
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    /// Keeps the first `len` values and drops one under construction.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        let end = self.ends.last().copied().unwrap_or(0);
        self.bytes.truncate(end as usize);
    }
}

impl std::fmt::Debug for Blobs {
    /// Sizes only: the values may be row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blobs")
            .field("len", &self.ends.len())
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_went_in() {
        let mut blobs = Blobs::default();
        for value in [&b"a"[..], b"", b"\xffcd"] {
            blobs.push(value);
        }
        assert_eq!(blobs.bytes(), b"a\xffcd");
        assert_eq!(blobs.ends(), [1, 1, 4]);
        assert_eq!(blobs.get(1), Some(&b""[..]));
        assert_eq!(blobs.get(2), Some(&b"\xffcd"[..]));
        assert_eq!(blobs.get(3), None);
        blobs.truncate(2);
        assert_eq!((blobs.bytes(), blobs.len()), (&b"a"[..], 2));
    }

    #[test]
    fn foreign_columns_are_checked() {
        let parts = |bytes: &[u8], ends: &[u32]| Blobs::from_parts(bytes.to_vec(), ends.to_vec());
        assert_eq!(parts(b"\xffb", &[1, 2]).map(|blobs| blobs.len()), Ok(2));
        assert_eq!(parts(b"", &[]).map(|blobs| blobs.len()), Ok(0));
        assert_eq!(
            parts(b"ab", &[1]),
            Err(BadColumn::Length { last: 1, bytes: 2 })
        );
        assert_eq!(parts(b"ab", &[2, 1, 2]), Err(BadColumn::Decreasing(1)));
        assert_eq!(parts(b"ab", &[3, 2]), Err(BadColumn::Decreasing(1)));
    }
}
