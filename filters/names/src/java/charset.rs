//! Sets of characters.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A set of characters. Surrogates are never in it: names are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CharSet(Vec<(char, char)>);

impl CharSet {
    pub(super) fn of(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let ranges = ranges
            .into_iter()
            .map(|(from, to)| ClassUnicodeRange::new(from, to));
        Self::from_class(&ClassUnicode::new(ranges))
    }

    pub(super) fn one(c: char) -> Self {
        Self(vec![(c, c)])
    }

    pub(super) fn empty() -> Self {
        Self(Vec::new())
    }

    pub(super) fn chars(chars: impl IntoIterator<Item = char>) -> Self {
        Self::of(chars.into_iter().map(|c| (c, c)))
    }

    /// A property in the newest version that the tables have.
    pub(super) fn newest(name: &str) -> Option<Self> {
        let hir = regex_syntax::Parser::new()
            .parse(&format!("\\p{{{name}}}"))
            .ok()?;
        match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => Some(Self::from_class(class)),
            HirKind::Literal(literal) => {
                Some(Self::chars(std::str::from_utf8(&literal.0).ok()?.chars()))
            }
            HirKind::Class(Class::Bytes(_))
            | HirKind::Empty
            | HirKind::Look(_)
            | HirKind::Repetition(_)
            | HirKind::Capture(_)
            | HirKind::Concat(_)
            | HirKind::Alternation(_) => None,
        }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        let mut class = self.to_class();
        class.union(&other.to_class());
        Self::from_class(&class)
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        let mut class = self.to_class();
        class.intersect(&other.to_class());
        Self::from_class(&class)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.and(&other.not())
    }

    pub(super) fn not(&self) -> Self {
        let mut class = self.to_class();
        class.negate();
        Self::from_class(&class)
    }

    pub(super) fn contains(&self, c: char) -> bool {
        let after = self.0.partition_point(|(from, _)| *from <= c);
        after
            .checked_sub(1)
            .and_then(|i| self.0.get(i))
            .is_some_and(|(_, to)| c <= *to)
    }

    /// The ranges, ascending and apart.
    pub(super) fn ranges(&self) -> &[(char, char)] {
        &self.0
    }

    fn to_class(&self) -> ClassUnicode {
        ClassUnicode::new(
            self.0
                .iter()
                .map(|(from, to)| ClassUnicodeRange::new(*from, *to)),
        )
    }

    fn from_class(class: &ClassUnicode) -> Self {
        Self(
            class
                .ranges()
                .iter()
                .map(|r| (r.start(), r.end()))
                .collect(),
        )
    }
}
