//! A column of texts, laid out as the component contract lays it out.

/// Texts one after the other: value `i` is `bytes[ends[i-1]..ends[i]]`, where `ends[-1]` is 0.
///
/// Source: `texts` in `wit/types.wit`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

/// Columns that do not describe texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTexts {
    /// An end lies before the one before it.
    #[error("the end of text {0} lies before its beginning")]
    Decreasing(usize),
    /// The last end is not the length of the bytes.
    #[error("the last end is {last} and there are {bytes} bytes")]
    Length {
        /// The last end, 0 without any.
        last: u32,
        /// How many bytes there are.
        bytes: usize,
    },
    /// A text is not UTF-8, or an end splits a character.
    #[error("text {0} is not UTF-8")]
    NotUtf8(usize),
}

impl Texts {
    /// Takes columns that came from elsewhere, such as a guest, and checks every rule of the
    /// contract.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn from_parts(bytes: Vec<u8>, ends: Vec<u32>) -> Result<Self, BadTexts> {
        let last = ends.last().copied().unwrap_or(0);
        if usize::try_from(last) != Ok(bytes.len()) {
            let bytes = bytes.len();
            return Err(BadTexts::Length { last, bytes });
        }
        let texts = Self { bytes, ends };
        let mut start = 0;
        for (index, &end) in texts.ends.iter().enumerate() {
            if end < start {
                return Err(BadTexts::Decreasing(index));
            }
            let text = texts.bytes.get(start as usize..end as usize);
            if text.is_none_or(|text| std::str::from_utf8(text).is_err()) {
                return Err(BadTexts::NotUtf8(index));
            }
            start = end;
        }
        Ok(texts)
    }

    /// No text, and room for some.
    pub(crate) fn with_room(bytes: usize, texts: usize) -> Self {
        // Texts of two batches differ in length, and one byte too many would copy all of them.
        Self {
            bytes: Vec::with_capacity(bytes + bytes / 8),
            ends: Vec::with_capacity(texts),
        }
    }

    /// Adds one text. The column holds at most `u32::MAX` bytes; whoever fills it keeps below.
    pub fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.close();
    }

    /// The text at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.bytes.get(start as usize..end as usize)
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All texts, one after the other.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where each text ends in [`Texts::bytes`].
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// Removes all texts and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Bytes that the column takes, ends included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of_val(self.ends.as_slice())
    }

    /// The text under construction: appended to, then ended by [`Texts::close`].
    pub(crate) fn open(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Ends the text under construction.
    pub(crate) fn close(&mut self) {
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    /// Keeps the first `len` texts and drops one under construction.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        let end = self.ends.last().copied().unwrap_or(0);
        self.bytes.truncate(end as usize);
    }
}

impl std::fmt::Debug for Texts {
    /// Sizes only: the texts may be row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts")
            .field("len", &self.ends.len())
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_went_in() {
        let mut texts = Texts::default();
        for text in ["a", "", "bcd"] {
            texts.push(text.as_bytes());
        }
        assert_eq!(texts.bytes(), b"abcd");
        assert_eq!(texts.ends(), [1, 1, 4]);
        assert_eq!(texts.get(1), Some(&b""[..]));
        assert_eq!(texts.get(2), Some(&b"bcd"[..]));
        assert_eq!(texts.get(3), None);
        texts.truncate(2);
        assert_eq!((texts.bytes(), texts.len()), (&b"a"[..], 2));
    }

    #[test]
    fn foreign_columns_are_checked() {
        let parts = |bytes: &[u8], ends: &[u32]| Texts::from_parts(bytes.to_vec(), ends.to_vec());
        assert_eq!(parts(b"ab", &[1, 2]).map(|texts| texts.len()), Ok(2));
        assert_eq!(parts(b"", &[]).map(|texts| texts.len()), Ok(0));
        assert_eq!(
            parts(b"ab", &[1]),
            Err(BadTexts::Length { last: 1, bytes: 2 })
        );
        assert_eq!(parts(b"ab", &[2, 1, 2]), Err(BadTexts::Decreasing(1)));
        assert_eq!(
            parts("\u{e9}".as_bytes(), &[1, 2]),
            Err(BadTexts::NotUtf8(0))
        );
    }
}
