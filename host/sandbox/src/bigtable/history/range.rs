//! Ranges of row keys.

use std::fmt;

use bytes::Bytes;

/// Row keys from a start, which counts, to an end, which does not. An empty end is no bound, as in
/// `google/bigtable/v2/data.proto`, `RowRange`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyRange {
    /// The first key. Empty: from the first of all.
    pub start: Bytes,
    /// The key after the last. Empty: to the last of all.
    pub end: Bytes,
}

impl KeyRange {
    /// From `start` to `end`.
    #[must_use]
    pub fn new(start: impl Into<Bytes>, end: impl Into<Bytes>) -> Self {
        Self {
            start: start.into(),
            end: end.into(),
        }
    }

    /// Every row key.
    #[must_use]
    pub fn whole() -> Self {
        Self::new(Bytes::new(), Bytes::new())
    }

    /// Whether `key` lies in it.
    #[must_use]
    pub fn contains(&self, key: &[u8]) -> bool {
        *key >= *self.start && (self.end.is_empty() || *key < *self.end)
    }

    /// Whether all of `other` lies in it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.intersection(other).as_ref() == Some(other)
    }

    /// What both have; `None` when that is nothing.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let start = self.start.clone().max(other.start.clone());
        let end = match (self.end.is_empty(), other.end.is_empty()) {
            (true, _) => other.end.clone(),
            (false, true) => self.end.clone(),
            (false, false) => self.end.clone().min(other.end.clone()),
        };
        let range = Self { start, end };
        (!range.is_empty()).then_some(range)
    }

    /// Whether no key lies in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.end.is_empty() && self.start >= self.end
    }
}

/// `[start, end)`, where `*` is no bound and bytes that cannot be printed are escaped.
impl fmt::Display for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |key: &Bytes| {
            if key.is_empty() {
                "*".to_owned()
            } else {
                key.escape_ascii().to_string()
            }
        };
        write!(f, "[{}, {})", bound(&self.start), bound(&self.end))
    }
}

/// Whether `ranges`, in whatever order, lie side by side and are `whole` together.
pub(crate) fn tile(whole: &KeyRange, ranges: &[KeyRange]) -> bool {
    let mut sorted: Vec<&KeyRange> = ranges.iter().collect();
    sorted.sort_unstable();
    let mut next = &whole.start;
    for (index, range) in sorted.iter().enumerate() {
        let is_last = index + 1 == sorted.len();
        if range.start != *next || range.is_empty() || (range.end.is_empty() && !is_last) {
            return false;
        }
        next = &range.end;
    }
    !sorted.is_empty() && *next == whole.end
}

#[cfg(test)]
mod tests {
    use super::{KeyRange, tile};

    fn range(start: &'static str, end: &'static str) -> KeyRange {
        KeyRange::new(start, end)
    }

    #[test]
    fn an_empty_end_is_no_bound() {
        assert!(range("b", "").contains(b"zz"));
        assert!(!range("b", "d").contains(b"d"));
        assert_eq!(
            range("b", "").intersection(&range("a", "c")),
            Some(range("b", "c"))
        );
        assert_eq!(range("a", "b").intersection(&range("b", "c")), None);
        assert!(KeyRange::whole().covers(&range("a", "")));
        assert!(!range("a", "c").covers(&range("a", "")));
        assert_eq!(range("", "a\0").to_string(), r"[*, a\x00)");
    }

    #[test]
    fn ranges_tile_without_gap_and_without_overlap() {
        let whole = range("a", "e");
        assert!(tile(&whole, &[range("c", "e"), range("a", "c")]));
        assert!(!tile(&whole, &[range("a", "c"), range("d", "e")]), "a gap");
        assert!(!tile(&whole, &[range("a", "d"), range("c", "e")]), "twice");
        assert!(!tile(&whole, &[range("a", "f")]), "too much");
        assert!(!tile(&whole, &[]), "nothing");
        assert!(tile(&KeyRange::whole(), &[range("", "b"), range("b", "")]));
    }
}
