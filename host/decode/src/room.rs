//! Empty columns with room for as much as others hold.

use crate::{Blobs, Texts, Times};

impl Blobs {
    /// No value, and room for as many and as long ones.
    pub(crate) fn room(&self) -> Self {
        Self::with_room(self.bytes().len(), self.len())
    }
}

impl Texts {
    /// No text, and room for as many and as long ones.
    pub(crate) fn room(&self) -> Self {
        Self::with_room(self.bytes().len(), self.len())
    }
}

impl Times {
    /// No instant, and room for as many.
    pub(crate) fn room(&self) -> Self {
        Self {
            seconds: same(&self.seconds),
            nanos: same(&self.nanos),
        }
    }
}

/// No entry, and room for as many.
pub(crate) fn same<T>(column: &[T]) -> Vec<T> {
    Vec::with_capacity(column.len())
}
