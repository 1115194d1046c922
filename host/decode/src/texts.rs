//! A column of texts, laid out as the component contract lays it out.

use std::ops::{Deref, DerefMut};

use crate::blobs::{BadColumn, Blobs};

/// Byte strings that are UTF-8, each by itself. They are read and filled as [`Blobs`] are; whoever
/// fills them puts texts in.
///
/// Source: `texts` in `wit/types.wit`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Texts(Blobs);

impl Texts {
    /// Takes lists that came from elsewhere, such as a guest, and checks every rule of the contract.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn from_parts(bytes: Vec<u8>, ends: Vec<u32>) -> Result<Self, BadColumn> {
        let blobs = Blobs::from_parts(bytes, ends)?;
        let wrong = blobs
            .iter()
            .position(|text| std::str::from_utf8(text).is_err());
        match wrong {
            Some(index) => Err(BadColumn::NotUtf8(index)),
            None => Ok(Self(blobs)),
        }
    }

    /// No text, and room for some.
    pub(crate) fn with_room(bytes: usize, texts: usize) -> Self {
        Self(Blobs::with_room(bytes, texts))
    }
}

impl Deref for Texts {
    type Target = Blobs;

    fn deref(&self) -> &Blobs {
        &self.0
    }
}

impl DerefMut for Texts {
    fn deref_mut(&mut self) -> &mut Blobs {
        &mut self.0
    }
}

impl std::fmt::Debug for Texts {
    /// Sizes only: the texts may be row values.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts")
            .field("len", &self.len())
            .field("bytes", &self.bytes().len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_texts_are_utf8_one_by_one() {
        let parts = |bytes: &[u8], ends: &[u32]| Texts::from_parts(bytes.to_vec(), ends.to_vec());
        assert_eq!(parts(b"ab", &[1, 2]).map(|texts| texts.len()), Ok(2));
        assert_eq!(parts(b"a\xff", &[1, 2]), Err(BadColumn::NotUtf8(1)));
        assert_eq!(
            parts("\u{e9}".as_bytes(), &[1, 2]),
            Err(BadColumn::NotUtf8(0))
        );
        assert_eq!(parts(b"ab", &[2, 1, 2]), Err(BadColumn::Decreasing(1)));
    }
}
