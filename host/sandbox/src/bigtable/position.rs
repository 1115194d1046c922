//! How far a reader has come in the log, and the token that says so.

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use jiff::Timestamp;

use super::history::KeyRange;

/// How far a reader of a range has come. After a merge its parts may have come to different places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The instant at which nothing before it was left to be read.
    pub(crate) at: Timestamp,
    /// In the order of their keys, side by side; there is always one.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    range: KeyRange,
    /// The index in the log from which on this part is to be read.
    next: usize,
}

impl Position {
    pub(crate) fn new(range: KeyRange, next: usize, at: Timestamp) -> Self {
        let parts = vec![Part { range, next }];
        Self { at, parts }
    }

    /// The positions of neighbours as one, which is as old as the oldest of them.
    pub(crate) fn joined(positions: impl IntoIterator<Item = Self>) -> Option<Self> {
        let joined = positions.into_iter().reduce(|mut all, next| {
            all.at = all.at.min(next.at);
            all.parts.extend(next.parts);
            all
        });
        joined.map(|mut all| {
            all.parts.sort_by(|one, other| one.range.cmp(&other.range));
            all.unify();
            all
        })
    }

    /// The index in the log from which on something is to be read.
    pub(crate) fn cursor(&self) -> usize {
        self.parts.iter().map(|part| part.next).min().unwrap_or(0)
    }

    /// Whether the mutation of `row_key` at `index` is still to be read.
    pub(crate) fn wants(&self, index: usize, row_key: &[u8]) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.next <= index && part.range.contains(row_key))
    }

    /// Everything before `next` in the log has been read.
    pub(crate) fn pass(&mut self, next: usize, at: Timestamp) {
        self.at = self.at.max(at);
        for part in &mut self.parts {
            part.next = part.next.max(next);
        }
        self.unify();
    }

    /// The position of a part of the range; `None` when it does not tell of the whole of it.
    pub(crate) fn cut(&self, to: &KeyRange) -> Option<Self> {
        let cut = |part: &Part| {
            let range = part.range.intersection(to)?;
            Some(Part {
                range,
                next: part.next,
            })
        };
        let parts: Vec<Part> = self.parts.iter().filter_map(cut).collect();
        let (first, last) = (parts.first()?, parts.last()?);
        let whole = first.range.start == to.start && last.range.end == to.end;
        whole.then_some(Self { at: self.at, parts })
    }

    /// Parts that have come to the same place are one.
    fn unify(&mut self) {
        self.parts.dedup_by(|part, before| {
            let same = part.next == before.next;
            if same {
                before.range.end = part.range.end.clone();
            }
            same
        });
    }

    /// The position as a token's text, equally long for every place in the log.
    pub(crate) fn to_token(&self) -> String {
        let parts = self.parts.iter().map(|part| {
            let (start, end) = (hex(&part.range.start), hex(&part.range.end));
            format!(" {start} {end} {:010}", part.next)
        });
        let at = self.at.as_microsecond();
        let text = format!("{at:017}{}", parts.collect::<String>());
        STANDARD.encode(text)
    }

    /// The position of which a token's text speaks.
    pub(crate) fn of_token(token: &str) -> Option<Self> {
        let text = String::from_utf8(STANDARD.decode(token).ok()?).ok()?;
        let mut words = text.split(' ');
        let at = Timestamp::from_microsecond(words.next()?.parse().ok()?).ok()?;
        let mut parts = Vec::new();
        while let Some(start) = words.next() {
            let range = KeyRange::new(unhex(start)?, unhex(words.next()?)?);
            let next = words.next()?.parse().ok()?;
            parts.push(Part { range, next });
        }
        (!parts.is_empty()).then_some(Self { at, parts })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Bytes> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits
        .map(byte)
        .collect::<Option<Vec<u8>>>()
        .map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{KeyRange, Position};

    fn position(start: &'static str, end: &'static str, next: usize) -> Position {
        Position::new(KeyRange::new(start, end), next, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn a_merged_position_reads_each_part_from_its_own_place() {
        let mut merged = Position::joined([position("c", "", 2), position("", "c", 7)]).unwrap();
        assert_eq!(merged.cursor(), 2);
        assert!(merged.wants(2, b"c") && !merged.wants(6, b"a") && merged.wants(7, b"a"));
        merged.pass(5, Timestamp::UNIX_EPOCH);
        assert_eq!(Position::of_token(&merged.to_token()), Some(merged.clone()));
        assert!(!merged.wants(4, b"c") && !merged.wants(5, b"b"));
        merged.pass(7, Timestamp::UNIX_EPOCH);
        assert_eq!(merged, position("", "", 7));
    }

    #[test]
    fn a_position_is_cut_to_a_part_of_its_range_only() {
        let merged = Position::joined([position("b", "d", 2), position("d", "f", 7)]).unwrap();
        let cut = merged.cut(&KeyRange::new("c", "e")).unwrap();
        assert_eq!(
            Some(cut),
            Position::joined([position("c", "d", 2), position("d", "e", 7)])
        );
        assert_eq!(merged.cut(&KeyRange::new("a", "c")), None);
        assert_eq!(merged.cut(&KeyRange::new("e", "")), None);
    }

    #[test]
    fn a_token_holds_keys_of_any_bytes() {
        let range = KeyRange::new(vec![0, 255], vec![1]);
        let position = Position::new(range, usize::MAX, Timestamp::UNIX_EPOCH);
        let read = Position::of_token(&position.to_token()).unwrap();
        assert_eq!(read.cursor(), usize::MAX);
        for wrong in ["", "AA==", "no", "MSAwMA=="] {
            assert_eq!(Position::of_token(wrong), None, "{wrong}");
        }
    }
}
