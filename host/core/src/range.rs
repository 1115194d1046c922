//! Ranges of row keys.
//!
//! Ranges are compared, cut and joined as bytes; their text is for people and for checkpoints.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Row keys from `start`, inclusive, to `end`, exclusive. It is never empty.
///
/// Its text is `[start, end)`, with `*` for a bound that is not there and `\xNN` for every byte that
/// is not printable ASCII or means something in the text; it reads back as the same range.
///
/// Source: `google.bigtable.v2.RowRange` as `StreamPartition` uses it: a closed start and an open end,
/// each of them empty for no bound.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyRange {
    start: Box<[u8]>,
    /// Empty for no bound.
    end: Box<[u8]>,
}

/// No key is in a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the range ends at or before its start")]
pub struct EmptyRange;

/// A text is not a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a range of row keys such as [a, b) or [*, *)")]
pub struct NotARange(String);

impl KeyRange {
    /// The keys from `start` to before `end`; an empty bound is none.
    ///
    /// # Errors
    /// No key is in it.
    pub fn new(start: &[u8], end: &[u8]) -> Result<Self, EmptyRange> {
        if !end.is_empty() && start >= end {
            return Err(EmptyRange);
        }
        Ok(Self {
            start: start.into(),
            end: end.into(),
        })
    }

    /// All keys.
    pub fn all() -> Self {
        Self {
            start: Box::default(),
            end: Box::default(),
        }
    }

    /// The first key; empty for no bound.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The key behind the last one; empty for no bound.
    pub fn end(&self) -> &[u8] {
        &self.end
    }

    /// Whether the key is in it.
    pub fn contains(&self, key: &[u8]) -> bool {
        *self.start <= *key && self.is_before_end(key)
    }

    /// The keys of both.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let start = (&self.start).max(&other.start);
        let end = match (self.end.is_empty(), other.end.is_empty()) {
            (true, _) => &other.end,
            (false, true) => &self.end,
            (false, false) => (&self.end).min(&other.end),
        };
        Self::new(start, end).ok()
    }

    /// The keys that are not in `other`: what is before it and what is behind it.
    pub fn without(&self, other: &Self) -> Vec<Self> {
        let Some(cut) = self.intersection(other) else {
            return vec![self.clone()];
        };
        let before = Self::new(&self.start, &cut.start).ok();
        let behind = Self::new(&cut.end, &self.end).ok();
        // An empty bound of the cut is no bound: nothing lies beyond it.
        let before = before.filter(|_| !cut.start.is_empty());
        let behind = behind.filter(|_| !cut.end.is_empty());
        before.into_iter().chain(behind).collect()
    }

    /// The keys that are in none of `others`, in key order.
    pub fn without_all<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Vec<Self> {
        let mut rest = vec![self.clone()];
        for other in others {
            rest = rest.iter().flat_map(|piece| piece.without(other)).collect();
        }
        rest.sort();
        rest
    }

    fn is_before_end(&self, key: &[u8]) -> bool {
        self.end.is_empty() || *key < *self.end
    }
}

impl fmt::Display for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        write_bound(f, &self.start)?;
        f.write_str(", ")?;
        write_bound(f, &self.end)?;
        f.write_str(")")
    }
}

impl fmt::Debug for KeyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_bound(f: &mut fmt::Formatter<'_>, bound: &[u8]) -> fmt::Result {
    if bound.is_empty() {
        return f.write_str("*");
    }
    for &byte in bound {
        let means_something = matches!(byte, b'\\' | b'*' | b',');
        if (byte.is_ascii_graphic() || byte == b' ') && !means_something {
            write!(f, "{}", char::from(byte))?;
        } else {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

impl FromStr for KeyRange {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let wrong = || NotARange(text.to_owned());
        let inner = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(')'));
        let (start, end) = inner
            .and_then(|text| text.split_once(", "))
            .ok_or_else(wrong)?;
        let start = read_bound(start).ok_or_else(wrong)?;
        let end = read_bound(end).ok_or_else(wrong)?;
        Self::new(&start, &end).map_err(|_| wrong())
    }
}

fn read_bound(text: &str) -> Option<Vec<u8>> {
    if text == "*" {
        return Some(Vec::new());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(escaped) = rest.strip_prefix("\\x") {
            let digits = escaped.get(..2)?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = escaped.get(2..)?;
        } else if first.is_ascii() && !matches!(first, '\\' | '*' | ',') {
            bytes.push(u8::try_from(first).ok()?);
            rest = rest.get(1..)?;
        } else {
            return None;
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

impl TryFrom<String> for KeyRange {
    type Error = NotARange;

    fn try_from(text: String) -> Result<Self, NotARange> {
        text.parse()
    }
}

impl From<KeyRange> for String {
    fn from(range: KeyRange) -> Self {
        range.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> KeyRange {
        text.parse().unwrap()
    }

    #[test]
    fn no_range_is_empty() {
        assert_eq!(KeyRange::new(b"b", b"a"), Err(EmptyRange));
        assert_eq!(KeyRange::new(b"a", b"a"), Err(EmptyRange));
        assert_eq!(KeyRange::new(b"", b""), Ok(KeyRange::all()));
        assert_eq!(KeyRange::new(b"a", b""), Ok(range("[a, *)")));
    }

    #[test]
    fn a_text_reads_back_as_the_same_bytes() {
        let key = b"a, b)*\\ \x00\xff";
        let odd = KeyRange::new(key, b"b").unwrap();
        assert_eq!(odd.to_string(), r"[a\x2c b)\x2a\x5c \x00\xff, b)");
        assert_eq!(odd.to_string().parse(), Ok(odd));
        assert_eq!(KeyRange::all().to_string(), "[*, *)");
        for wrong in [
            "",
            "[a, b]",
            "[a,b)",
            "[b, a)",
            r"[\x0, *)",
            "[, *)",
            "[é, *)",
        ] {
            assert!(wrong.parse::<KeyRange>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_intersection_has_the_keys_of_both() {
        let both = |a, b| range(a).intersection(&range(b));
        assert_eq!(both("[a, c)", "[b, d)"), Some(range("[b, c)")));
        assert_eq!(both("[*, *)", "[b, d)"), Some(range("[b, d)")));
        assert_eq!(both("[b, *)", "[*, d)"), Some(range("[b, d)")));
        assert_eq!(both("[a, b)", "[b, d)"), None);
    }

    #[test]
    fn what_is_not_cut_away_remains_on_both_sides() {
        let rest = |a, b| range(a).without(&range(b));
        assert_eq!(rest("[a, d)", "[b, c)"), [range("[a, b)"), range("[c, d)")]);
        assert_eq!(rest("[*, *)", "[b, c)"), [range("[*, b)"), range("[c, *)")]);
        assert_eq!(rest("[a, d)", "[*, b)"), [range("[b, d)")]);
        assert_eq!(rest("[a, d)", "[b, *)"), [range("[a, b)")]);
        assert_eq!(rest("[a, d)", "[*, *)"), []);
        assert_eq!(rest("[a, d)", "[d, e)"), [range("[a, d)")]);
    }

    #[test]
    fn the_rest_of_a_tiling_is_nothing() {
        let parts = ["[m, *)", "[*, c)", "[c, m)"].map(range);
        assert_eq!(KeyRange::all().without_all(&parts), []);
        let holes = KeyRange::all().without_all(&parts[..2]);
        assert_eq!(holes, [range("[c, m)")]);
    }
}
