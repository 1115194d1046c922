//! Copying single values from column to column.

use std::ops::Range;

use acequia_decode::{Blobs, Times};

/// Copies value `index`, if there is one.
pub(super) fn push<T: Copy>(to: &mut Vec<T>, from: &[T], index: usize) {
    to.extend(from.get(index).copied());
}

/// Copies text or byte string `index`; one that is not there is empty.
pub(super) fn push_value(to: &mut Blobs, from: &Blobs, index: usize) {
    to.push(from.get(index).unwrap_or_default());
}

/// Copies instant `index`, if there is one.
pub(super) fn push_time(to: &mut Times, from: &Times, index: usize) {
    push(&mut to.seconds, &from.seconds, index);
    push(&mut to.nanos, &from.nanos, index);
}

/// The items of list `index`, where lists end at `ends`.
pub(super) fn span(ends: &[u32], index: usize) -> Range<usize> {
    let end = |index: usize| ends.get(index).map_or(0, |end| as_usize(*end));
    index.checked_sub(1).map_or(0, end)..end(index)
}

pub(super) fn as_usize(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// A part of a batch is no longer than the batch, whose places are `u32`.
pub(super) fn as_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
