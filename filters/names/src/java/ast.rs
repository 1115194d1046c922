//! What a pattern says, with every flag and every class already resolved.

use super::charset::CharSet;

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Matches without consuming.
    Empty,
    /// One character of a set.
    Set(CharSet),
    /// Parts one after the other.
    Concat(Vec<Node>),
    /// Alternatives, the first preferred.
    Alternate(Vec<Node>),
    /// `(X)`, with its number.
    Capture(usize, Box<Node>),
    /// `(?:X)`.
    Group(Box<Node>),
    /// `(?>X)`: its first match is kept.
    Atomic(Box<Node>),
    /// `(?=X)`, `(?!X)`, `(?<=X)`, `(?<!X)`.
    Look(Look),
    /// A condition on the place.
    Assert(Assertion),
    /// The text of a group again.
    BackReference(BackReference),
    /// `\R`.
    LineEnding,
    /// A quantified part.
    Repeat(Repeat),
}

impl Node {
    /// True if this part, or one inside it, is such a part.
    pub(super) fn any(&self, is_such: &dyn Fn(&Node) -> bool) -> bool {
        is_such(self)
            || match self {
                Self::Empty
                | Self::Set(_)
                | Self::Assert(_)
                | Self::BackReference(_)
                | Self::LineEnding => false,
                Self::Concat(parts) | Self::Alternate(parts) => {
                    parts.iter().any(|part| part.any(is_such))
                }
                Self::Capture(_, body) | Self::Group(body) | Self::Atomic(body) => {
                    body.any(is_such)
                }
                Self::Look(look) => look.body.any(is_such),
                Self::Repeat(repeat) => repeat.body.any(is_such),
            }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) behind: Option<Reach>,
    pub(super) negative: bool,
    pub(super) body: Box<Node>,
}

/// How far a look-behind goes back, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) min: usize,
    pub(super) max: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assertion {
    /// `\A`, `\G`, and `^` without `m`.
    InputStart,
    /// `^` with `m`.
    LineStart(LineEnds),
    /// `\z`.
    InputEnd,
    /// `\Z`, and `$` without `m`.
    FinalLineEnd(LineEnds),
    /// `$` with `m`.
    LineEnd(LineEnds),
    /// `\b` and `\B`.
    WordBoundary { unicode: bool, negative: bool },
}

/// Which characters end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// `\n`, `\r`, `\r\n`, U+0085, U+2028, U+2029.
    All,
    /// `\n` alone: the flag `d`.
    Unix,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BackReference {
    pub(super) group: usize,
    pub(super) case: Case,
}

/// How letters are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// As they are.
    Exact,
    /// ASCII letters without case: the flag `i`.
    Ascii,
    /// All letters without case: the flags `i` and `u`.
    Unicode,
}

#[derive(Debug, Clone)]
pub(super) struct Repeat {
    pub(super) body: Box<Node>,
    pub(super) min: u32,
    /// None is without end.
    pub(super) max: Option<u32>,
    pub(super) greed: Greed,
    /// True for `?`, which Java reads as an alternative and not as the count `{0,1}`.
    pub(super) is_option: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greed {
    /// As often as possible, giving back.
    Greedy,
    /// As seldom as possible.
    Reluctant,
    /// As often as possible, giving nothing back.
    Possessive,
}
